"""Code actions over real transports, as editors ask for them."""

from __future__ import annotations

from typing import Any

from wire import Wire, did_change, did_open, insertion, request

URI = "file:///w/a.stf"
CHAT = "@user\r\n\U0001f600\r\n@*/\r\n@ai\r\n!!!GADGET_START:G\r\n!!!ARG:\U0001f600\r\n1\r\n!!!ARG:\U0001f600\r\n2\r\n"
FIXED = CHAT.replace("@*/\r\n", "")
EDITOR: Any = {
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}},
            "isPreferredSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        }
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}
OLD: Any = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}}


def asked(line: int, *only: str, diagnostics: Any = ()) -> Any:
    place = {"line": line, "character": 0}
    context = {"diagnostics": list(diagnostics)} | ({"only": list(only)} if only else {})
    span = {"start": place, "end": {"line": line, "character": 99}}
    return {"textDocument": {"uri": URI}, "range": span, "context": context}


def made(text: str, edits: Any) -> str:
    """A text after the edits of a client that counts in UTF-16."""
    lines = text.split("\n")
    data = text.encode("utf-16-le")

    def offset(place: Any) -> int:
        before = sum(len((line + "\n").encode("utf-16-le")) for line in lines[: place["line"]])
        return before + 2 * int(place["character"])

    for edit in sorted(edits, key=lambda each: -offset(each["range"]["start"])):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        data = data[:start] + edit["newText"].encode("utf-16-le") + data[end:]
    return data.decode("utf-16-le")


def ask(wire: Wire, number: int, method: str, params: Any) -> Any:
    wire.send(request(number, method, params))
    return wire.reply(number)["result"]


def fixes(actions: Any) -> Any:
    """The actions that fix something: without those that silence a finding."""
    return [each for each in actions if not each["title"].startswith("Ignore ")]


def test_a_quick_fix_is_an_edit_of_this_version_and_names_its_diagnostic(transport: str) -> None:
    with Wire(transport=transport) as wire:
        provider = wire.initialize(capabilities=EDITOR)["codeActionProvider"]
        assert provider == {"codeActionKinds": ["quickfix", "source.fixAll.llmblocks"], "resolveProvider": True}
        wire.send(did_open(URI, CHAT, "stf", 7))
        span = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 3}}
        ours = {"code": "S001", "range": span, "source": "llmblocks", "message": "as it was"}
        offered = ask(wire, 1, "textDocument/codeAction", asked(2, diagnostics=[ours, {**ours, "code": "x"}]))
        (action,) = fixes(offered)
        assert (action["kind"], action["isPreferred"], action["diagnostics"]) == ("quickfix", True, [ours])
        (change,) = action["edit"]["documentChanges"]
        assert change["textDocument"] == {"uri": URI, "version": 7}
        assert made(CHAT, change["edits"]) == FIXED

        (removal,) = fixes(ask(wire, 2, "textDocument/codeAction", asked(7, "quickfix")))
        edits = removal["edit"]["documentChanges"][0]["edits"]
        assert made(CHAT, edits) == CHAT.removesuffix("!!!ARG:\U0001f600\r\n2\r\n")


def test_all_fixes_at_once_are_of_the_version_at_which_they_are_asked_for() -> None:
    with Wire() as wire:
        wire.initialize(capabilities=EDITOR)
        wire.send(did_open(URI, CHAT, "stf", 1))
        (action,) = ask(wire, 1, "textDocument/codeAction", asked(0, "source.fixAll"))
        assert (action["kind"], "edit" in action) == ("source.fixAll.llmblocks", False)
        wire.send(did_change(URI, 2, insertion(0, 0, "@*/\r\n")))
        change = ask(wire, 2, "codeAction/resolve", action)["edit"]["documentChanges"][0]
        assert change["textDocument"]["version"] == 2
        assert made("@*/\r\n" + CHAT, change["edits"]) == FIXED

        assert ask(wire, 3, "textDocument/codeAction", asked(0, "refactor")) == []
        assert ask(wire, 4, "textDocument/codeAction", asked(2)) == []
        wire.send(did_change(URI, 3, {"text": "@user\n"}))
        assert ask(wire, 5, "textDocument/codeAction", asked(0, "source")) == []
        assert ask(wire, 6, "codeAction/resolve", action)["edit"] == {}


def test_a_client_of_few_words_gets_plain_edits_at_once() -> None:
    with Wire() as wire:
        assert wire.initialize(capabilities=OLD)["codeActionProvider"]["resolveProvider"] is False
        wire.send(did_open(URI, CHAT, "stf", 1))
        (action,) = ask(wire, 1, "textDocument/codeAction", asked(0, "source.fixAll.llmblocks"))
        assert made(CHAT, action["edit"]["changes"][URI]) == FIXED
        (quick,) = fixes(ask(wire, 2, "textDocument/codeAction", asked(2)))
        assert "isPreferred" not in quick
        assert fixes(ask(wire, 3, "textDocument/codeAction", {**asked(2), "context": None})) == [quick]


def test_a_client_that_takes_commands_only_is_promised_nothing() -> None:
    with Wire() as wire:
        assert "codeActionProvider" not in wire.initialize(capabilities={"textDocument": {"codeAction": {}}})
