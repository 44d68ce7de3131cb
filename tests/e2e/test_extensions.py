"""Extensions: handlers of every kind, beside those of the server."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from wire import (
    PROGRAM,
    Json,
    Wire,
    did_change,
    did_close,
    did_open,
    finished,
    insertion,
    notification,
    replacement,
    request,
)

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "extending.md"
EMPTY = HERE / "extensions" / "empty.py"
MANY = HERE / "extensions" / "many.py"
URI = "file:///w/a.gadget"
TEXT = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"
DOCUMENT: Json = {"textDocument": {"uri": URI}}
SETTINGS: Json = {"files": {"maxSizeMB": 9}}
CAPABILITIES: Json = {"workspace": {"configuration": True}, "textDocument": {"publishDiagnostics": {}}}

ACTIONS: Json = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}}


def extended(*extensions: object, options: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the command of a server with extensions."""
    return (*PROGRAM, *options, *(part for each in extensions for part in ("--extend", str(each))), "--stdio")


@pytest.fixture
def wire() -> Iterator[Wire]:
    """A server with a handler of every kind, and one document."""
    with Wire(extended(MANY)) as wire:
        wire.answers = {"workspace/configuration": [SETTINGS], "window/workDoneProgress/create": None}
        wire.initialize(capabilities=ACTIONS)
        wire.send(did_open(URI, TEXT, version=7))
        assert wire.codes(URI, 7) == ["G101"]
        yield wire


def run(wire: Wire, command: str, *arguments: Json) -> Json:
    """Run a command."""
    params = {"command": command, "arguments": list(arguments)}
    return wire.result(f"{command} {len(wire.received)}", "workspace/executeCommand", params)


@pytest.mark.parametrize("capabilities", [CAPABILITIES, {"textDocument": {"diagnostic": {}}}, {}])
def test_an_empty_extension_changes_nothing_that_is_reported(capabilities: Json, transport: str) -> None:
    with Wire(extended(EMPTY), transport=transport) as wire, Wire() as plain:
        assert wire.initialize(capabilities=capabilities) == plain.initialize(capabilities=capabilities)
        assert wire.received[0] == plain.received[0]


def test_what_an_extension_serves_is_reported_with_what_the_session_serves() -> None:
    with Wire(extended(MANY)) as wire, Wire() as plain:
        told, ours = (each.initialize(capabilities=ACTIONS) for each in (wire, plain))
    assert told.keys() == ours.keys()
    commands, known = (each["executeCommandProvider"]["commands"] for each in (told, ours))
    assert {"house.sum", "house.thread", "house.ask", *known} <= set(commands)
    triggers = ours["completionProvider"]["triggerCharacters"]
    assert told["completionProvider"]["triggerCharacters"] == [*triggers, "?"]
    assert told["textDocumentSync"] == ours["textDocumentSync"] | {"save": True}
    for name in ("hoverProvider", "foldingRangeProvider", "semanticTokensProvider", "codeActionProvider", "workspace"):
        assert told[name] == ours[name]


def test_handlers_of_every_kind_answer_with_the_types_of_the_protocol(wire: Wire) -> None:
    place = {"position": {"line": 2, "character": 1}}
    assert wire.result(0, "textDocument/definition", DOCUMENT | place) == {
        "uri": URI,
        "range": {"start": {"line": 0, "character": 0}, "end": place["position"]},
    }
    assert wire.result("", "textDocument/documentSymbol", DOCUMENT)[0]["name"] == "!!!GADGET_START:G"
    thread, text = wire.result(1, "textDocument/codeLens", DOCUMENT)[0]["data"]
    assert thread.startswith("ThreadPool")
    assert text == TEXT
    assert run(wire, "house.sum", 1, 2) == 3
    assert run(wire, "house.thread", "/a/b").startswith("ThreadPool")


def test_what_the_session_serves_is_served_still(wire: Wire) -> None:
    place = {"position": {"line": 0, "character": 4}}
    assert "gadget call" in wire.result(1, "textDocument/hover", DOCUMENT | place)["contents"]["value"]
    assert wire.result(2, "textDocument/hover", DOCUMENT | {"position": {"line": 1, "character": 1}}) == {
        "contents": "of the house"
    }
    assert wire.result(3, "textDocument/semanticTokens/full", DOCUMENT)["data"]
    place = {"position": {"line": 5, "character": 4}}
    labels = [each["label"] for each in wire.result(4, "textDocument/completion", DOCUMENT | place)["items"]]
    assert labels[0] == "of the house"
    assert len(labels) > 1
    folds = wire.result(5, "textDocument/foldingRange", DOCUMENT)
    assert folds[0] == {"startLine": 0, "endLine": 1}
    assert len(folds) > 1
    everything: Json = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 6, "character": 0}}}
    actions = wire.result(6, "textDocument/codeAction", DOCUMENT | everything | {"context": {"diagnostics": []}})
    assert actions[0] == {"title": "of the house"}
    assert len(actions) > 1
    assert wire.end() == 0


def test_notifications_reach_handlers_after_the_session_has_taken_them(wire: Wire) -> None:
    wire.send(did_change(URI, 8, insertion(2, 0, "7")), did_change(URI, 9, insertion(2, 0, "8")))
    wire.send(notification("textDocument/didSave", DOCUMENT), did_close(URI))
    wire.wait(lambda m: m.get("params", {}).get("message") == f"closed {URI}")
    assert wire.result(1, "house/notes") == [
        "initialize ClientCapabilities",
        "initialized",
        f"7 gadget {TEXT!r}",
        f"8 gadget {TEXT.replace('1', '71')!r}",
        f"9 gadget {TEXT.replace('1', '871')!r}",
        f"saved {TEXT.replace('1', '871')!r}",
    ]


def test_documents_are_those_of_the_session(wire: Wire) -> None:
    uri = "file:///w/b%20c.py"
    wire.send(did_open(uri, "a\x0bb\rc\r\nd", "python"), did_change(uri, 3, insertion(1, 1, "é"), insertion(1, 9, "!")))
    wire.send(did_open("untitled:1", "😀" * 200 + "x" * 9, "gadget"))
    assert run(wire, "house.documents") == {
        URI: [7, "gadget", TEXT.splitlines(keepends=True)],
        uri: [3, "python", ["a\x0bb\r", "cé!\r\n", "d"]],
        "untitled:1": [0, "gadget", ["😀" * 200 + "x" * 9]],
    }
    assert run(wire, "house.held", "untitled:1", "xxx") is True
    assert run(wire, "house.threads", "file:///w/b c.py") == 4 * len("a\x0bb\rcé!\r\nd")
    wire.send(did_close("file:///w/b c.py"))
    assert len(run(wire, "house.documents")) == 2


def test_what_an_extension_asks_the_client_is_answered_to_it(transport: str) -> None:
    with Wire(extended(MANY), transport=transport) as wire:
        wire.answers = {"workspace/configuration": [SETTINGS], "window/workDoneProgress/create": None}
        wire.initialize(capabilities=CAPABILITIES)
        asked = wire.wait(lambda m: m.get("method") == "workspace/configuration")
        assert asked["id"].startswith("llmblocks-")
        assert run(wire, "house.ask", URI) == [SETTINGS]
        methods = [m.get("method") for m in wire.received]
        assert methods.count("window/showMessage") == 1
        assert methods.count("$/progress") == 2
        # the session's own requests continue as before
        wire.answers["workspace/configuration"] = [{"rules": {"ignore": ["G101"]}}]
        wire.send(notification("workspace/didChangeConfiguration", {"settings": None}), did_open(URI, TEXT))
        wire.wait(lambda m: m.get("params", {}).get("diagnostics") == [])


def test_errors_of_handlers_are_answered_and_logged_and_end_nothing(tmp_path: Path, transport: str) -> None:
    log = tmp_path / "log"
    with Wire(extended(MANY, options=("--log-file", str(log))), transport=transport) as wire:
        wire.initialize()
        options: Json = {"options": {"tabSize": 2, "insertSpaces": True}}
        where = {"position": {"line": 0, "character": 0}, "context": {"includeDeclaration": True}}
        span = {"range": {"start": where["position"], "end": where["position"]}}
        rows: list[tuple[str, Json, int]] = [
            ("textDocument/formatting", DOCUMENT | options, -32603),
            ("workspace/executeCommand", {"command": "house.broken"}, -32603),
            ("textDocument/references", DOCUMENT | {"position": {}}, -32602),
            ("textDocument/references", DOCUMENT | where, -32603),
            ("textDocument/rangeFormatting", DOCUMENT | options | span, -32602),
            ("workspace/executeCommand", {"command": "no.such"}, -32602),
            ("workspace/executeCommand", {"command": "house.sum", "arguments": ["x"]}, -32602),
            ("no/such", None, -32601),
        ]
        for number, (method, params, code) in enumerate(rows):
            wire.send(request(number, method, params))
            assert wire.reply(number)["error"]["code"] == code, method
        messages = [wire.reply(number)["error"]["message"] for number in (0, 4)]
        assert messages == ["RuntimeError: a bug of the house", "not this range"]
        wire.send(did_open(URI, TEXT + "!broken!"))
        assert wire.codes(URI, 0) == ["G101"]
        assert [m.get("method") for m in wire.received].count("window/showMessage") == 1
        assert wire.end() == 0
    assert log.read_text().count("RuntimeError: a bug of the house") >= 3


def test_a_coroutine_is_cancelled_with_its_request(wire: Wire) -> None:
    wire.send(request("a", "house/forever"), request("b", "workspace/executeCommand", {"command": "house.forever"}))
    run(wire, "house.sum", 1, 2)
    for request_id in ("a", "b"):
        wire.send(notification("$/cancelRequest", {"id": request_id}))
        assert wire.reply(request_id)["error"]["code"] == -32800
    wire.send(notification("$/cancelRequest", {"id": "a"}), notification("$/cancelRequest", {"id": "never"}))
    assert wire.result(1, "house/notes")[-2:] == ["cancelled", "cancelled"]
    # one write: the cancellation has arrived when the request is served
    wire.send(request(2, "house/notes") + notification("$/cancelRequest", {"id": 2}))
    assert wire.reply(2)["error"]["code"] == -32800


def test_the_end_is_the_sessions_and_unfinished_requests_are_answered(transport: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with Wire(extended(MANY, options=("--log-file", str(log), "--log-level", "info")), transport=transport) as wire:
        wire.initialize()
        wire.send(request("never", "house/forever"), request(1, "shutdown"))
        assert wire.reply(1)["result"] is None
        wire.send(notification("exit"))
        assert wire.reply("never")["error"]["code"] == -32800
        assert wire.exit_status() == 0
    assert "left after shutdown" in log.read_text()


def test_diagnostics_of_an_extension_are_sent_with_those_of_the_session(wire: Wire) -> None:
    count = len(wire.received)
    run(wire, "house.publish", URI, 7, "H1", "H2")
    codes = [each["code"] for each in wire.diagnostics(URI, 7, since=count)]
    assert codes == ["G101", "H1", "H2"]
    run(wire, "house.publish", URI, 6, "H3")
    wire.send(did_change(URI, 8, insertion(1, 8, "b")))
    assert wire.codes(URI, 8) == ["H1", "H2"]
    run(wire, "house.publish", "file:///w/closed", 1, "H4")
    assert wire.codes("file:///w/closed", 1) == ["H4"]
    wire.send(did_close(URI), did_open(URI, TEXT, version=20))
    assert wire.codes(URI, 20) == ["G101"]


def test_a_client_that_fetches_gets_the_diagnostics_of_an_extension_and_is_reported_to_fetch() -> None:
    pulling: Json = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    with Wire(extended(MANY)) as wire:
        wire.initialize(capabilities=pulling)
        wire.send(did_open(URI, TEXT))
        first = wire.result(1, "textDocument/diagnostic", DOCUMENT)
        run(wire, "house.publish", URI, 0, "H1")
        wire.wait(lambda m: m.get("method") == "workspace/diagnostic/refresh")
        ask = DOCUMENT | {"previousResultId": first["resultId"]}
        items = wire.result(2, "textDocument/diagnostic", ask)["items"]
        assert [each["code"] for each in items] == ["G101", "H1"]


def test_folders_are_followed(wire: Wire, tmp_path: Path) -> None:
    folder = {"uri": tmp_path.as_uri(), "name": "w"}
    event = {"event": {"added": [folder], "removed": []}}
    wire.send(notification("workspace/didChangeWorkspaceFolders", event))
    wire.send(notification("workspace/didChangeWorkspaceFolders", {"event": 5}))
    assert run(wire, "house.folders") == [folder["uri"]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "no such file"),
        ("module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("", "the module has no function register(server), and defines no rule"),
        ("register = 5", "the module has no function register(server), and defines no rule"),
        ("raise RuntimeError('a\\nbug')", r"RuntimeError: a\nbug"),
        ("def register(server): raise SystemExit(0)", "SystemExit: 0"),
        ("def register(server:", "SyntaxError: '(' was never closed"),
        ("def register(server):\n    for _ in '12': server.command('a')(lambda: 1)", "CommandAlreadyRegisteredError: "),
    ],
)
def test_an_extension_that_cannot_be_used_is_said_to_be_in_one_line(
    text: str | None, reason: str, tmp_path: Path
) -> None:
    file: object = tmp_path / "house.py"
    if text == "module":
        file = "no_such_module"
    elif text is not None:
        (tmp_path / "house.py").write_text(text)
    for options in ((), ("--tcp", "0")):
        done = finished(*extended(file, options=options))
        (line,) = done.stderr.splitlines()
        assert line.startswith(f"llmblocks server: --extend {file}: {reason}")
        assert (done.returncode, done.stdout) == (2, "")


def test_an_extension_prints_nothing_to_the_client_and_does_not_keep_the_process(tmp_path: Path) -> None:
    file = tmp_path / "house.py"
    file.write_text(
        "import threading\n"
        "print('loading')\n"
        "def register(server):\n"
        "    print('registering')\n"
        "    @server.feature('house/hang')\n"
        "    @server.thread()\n"
        "    def hang(params): threading.Event().wait()\n"
    )
    with Wire(extended(file)) as wire:
        wire.initialize()
        wire.send(request(1, "house/hang"))
        assert wire.end() == 0


def of_page(number: int, folder: Path) -> Path:
    """Return a program of the page, as a file."""
    file = folder / "house.py"
    file.write_text(re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[number])
    return file


def test_the_example_of_the_page_works(tmp_path: Path, transport: str) -> None:
    text = "é😀 !!!GADGET_START:DeleteEverything\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n!!!GADGET_START:Fine\n"
    with Wire(extended(of_page(0, tmp_path)), transport=transport) as wire:
        assert "house.countCalls" in wire.initialize()["executeCommandProvider"]["commands"]
        wire.send(did_open(URI, text, version=1))
        found = {each["code"]: each for each in wire.diagnostics(URI, 1)}
        assert {*found} >= {"G101", "H1"}
        house = found["H1"]
        assert (house["source"], house["message"]) == ("house", "DeleteEverything is not allowed here: use Archive")
        assert house["range"] == {"start": {"line": 0, "character": 20}, "end": {"line": 0, "character": 36}}
        assert run(wire, "house.countCalls", URI) == 2
        wire.send(did_change(URI, 2, replacement((0, 20), (0, 36), "Archive")))
        assert "H1" not in wire.codes(URI, 2)
        assert wire.end() == 0


def test_a_program_of_ones_own_is_a_server(tmp_path: Path) -> None:
    with Wire((sys.executable, str(of_page(1, tmp_path)))) as wire:
        wire.initialize()
        assert wire.received[0]["result"]["serverInfo"] == {"name": "house", "version": "1.0"}
        assert wire.result(1, "house/ping") == "pong"
        wire.send(did_open(URI, TEXT))
        assert wire.codes(URI, 0) == ["G101"]
        assert wire.end() == 0
