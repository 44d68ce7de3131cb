"""The server in a worker of Node answers as the one in CPython does."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from editors.homes import EXAMPLES
from editors.programs import output
from editors.web.conftest import HERE
from folders import written
from llmblocks.languages.registry import LANGUAGES
from llmblocks.lsp.answers.table import TABLE, WORKSPACE_TABLE
from wire import SERVER, Wire, did_change, did_open, insertion, notification, request

Json = Any
SUFFIXES = {suffix: language.id for language in LANGUAGES for suffix in language.suffixes}
TEXTS = {
    str(path.relative_to(EXAMPLES)): (SUFFIXES[path.suffix], path.read_text("utf-8"))
    for path in sorted(EXAMPLES.rglob("*"))
    if path.suffix in SUFFIXES
}
"""For each rule, tests/editors/npm asks the same server."""
CAPABILITIES: Json = {
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
    "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
}


@pytest.fixture(scope="module")
def both(web_server: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Wire, Wire]]:
    """Clients of the server in CPython and of the worker, which sees the folder of the texts too: it is empty."""
    empty = tmp_path_factory.mktemp("nowhere")
    with Wire(SERVER) as here, Wire(("node", str(HERE / "stdio.mjs"), str(web_server), f"/nowhere={empty}")) as there:
        for wire in (here, there):
            wire.answers["client/registerCapability"] = None
            wire.initialize(capabilities=CAPABILITIES)
        yield here, there


def requests(text: str, uri: str) -> Iterator[tuple[str, Json]]:
    """Requests about everything in a text, with a position on every third line."""
    lines = text.split("\n")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
    places = [(line, at) for line in range(0, len(lines), 3) for at in (0, len(lines[line]) * 2 // 3)]
    given: Json = {"textDocument": {"uri": uri}, "context": {"diagnostics": [], "includeDeclaration": True}}
    given |= {"newName": "renamed", "options": {"tabSize": 4, "insertSpaces": True}, "positions": []}
    given["previousResultId"] = "0"
    for feature in TABLE:
        if feature.part == "position":
            for line, at in places:
                yield feature.method, given | {"position": {"line": line, "character": at}}
        else:
            yield feature.method, given | {"range": whole}
    yield "textDocument/diagnostic", {"textDocument": {"uri": uri}}


@pytest.mark.parametrize("name", TEXTS)
def test_the_worker_gives_the_same_answers(name: str, both: tuple[Wire, Wire]) -> None:
    language_id, text = TEXTS[name]
    uri = f"file:///nowhere/{name}"
    answers = []
    for wire in both:
        wire.send(did_open(uri, text, language_id))
        told = [wire.diagnostics(uri, 0)]
        for version, change in enumerate((insertion(0, 0, "@"), {"text": text}), 1):
            wire.send(did_change(uri, version, change))
            told.append(wire.diagnostics(uri, version))
        replies: list[Json] = [told]
        for number, (method, params) in enumerate(requests(text, uri)):
            wire.send(request(f"{name} {number}", method, params))
            reply = wire.reply(f"{name} {number}")
            replies.append((method, params, reply.get("result"), reply.get("error")))
        answers.append(replies)
    for one, other in zip(*answers, strict=True):
        assert one == other


def test_the_worker_offers_the_same_features(in_node: Wire) -> None:
    in_node.send(request("unknown", "textDocument/moniker", {}))
    assert in_node.reply("unknown")["error"]["code"] == -32601
    for feature in (*TABLE, *WORKSPACE_TABLE):
        in_node.send(request(feature.method, feature.method, {}))
        assert in_node.reply(feature.method).get("error", {}).get("code") != -32601, feature.method


def test_the_worker_asks_for_no_watchers(both: tuple[Wire, Wire]) -> None:
    for wire in both:
        wire.result("after", "workspace/symbol", {"query": ""})
    asked = [[m["params"] for m in wire.received if m.get("method") == "client/registerCapability"] for wire in both]
    assert asked[0]
    assert not asked[1]


def test_a_cancelled_request_is_not_answered_with_a_result(in_node: Wire) -> None:
    uri = "file:///nowhere/long.gadget"
    in_node.send(did_open(uri, "!!!GADGET_START:A\n!!!ARG:a\n1\n!!!GADGET_END\n" * 20_000))
    ask = request("late", "textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    in_node.send(ask, notification("$/cancelRequest", {"id": "late"}))
    assert in_node.reply("late")["error"]["code"] == -32800


def test_every_module_that_is_shipped_can_be_imported(web_server: Path) -> None:
    with zipfile.ZipFile(web_server / "packages.zip") as archive:
        names = [name.removesuffix(".pyc") for name in archive.namelist() if name.endswith(".pyc")]
    modules = sorted({name.removesuffix("/__init__").replace("/", ".") for name in names})
    mine = [name for name in modules if not name.endswith("__main__")]
    said = output("node", HERE / "import.mjs", web_server, *mine)
    assert json.loads(said.splitlines()[-1]) == {"failed": {}}


@pytest.mark.parametrize("how", ["written", "mounted"])
def test_settings_and_schemas_that_it_is_given_hold(how: str, web_server: Path, tmp_path: Path) -> None:
    written(tmp_path / "llmblocks.toml", '[gadget]\nschemas."**" = ["gadgets.json"]\n')
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    written(tmp_path / "gadgets.json", json.dumps({"name": "Count", "parameters": schema}))
    files = [f"/project/{name}={tmp_path / name}" for name in ("llmblocks.toml", "gadgets.json")]
    files = files if how == "written" else [f"/project={tmp_path}"]
    with Wire(("node", str(HERE / "stdio.mjs"), str(web_server), *files)) as wire:
        wire.initialize(rootUri="file:///project")
        uri = "file:///project/a.gadget"
        wire.send(did_open(uri, "!!!GADGET_START:Count\n!!!ARG:n\nmany\n!!!GADGET_END\n"))
        assert wire.codes(uri, 0) == ["G204"]
        assert wire.end() == 0


def test_the_program_of_the_readme_starts_a_server(web_server: Path) -> None:
    assert output("node", HERE / "readme.mjs", web_server) == "llmblocks\n"
