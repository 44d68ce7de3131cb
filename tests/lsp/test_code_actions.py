"""Code actions over real transports, as editors ask for them."""

from __future__ import annotations

from typing import Any

from wire import Here, Wire, did_change, did_open, insertion, request

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
    """Return a text after the edits of a client that counts in UTF-16."""
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
    """Return the actions that fix something: without those that silence a finding, and without refactorings."""
    return [each for each in actions if each["kind"] == "quickfix" and not each["title"].startswith("Ignore ")]


def test_a_quick_fix_is_an_edit_of_this_version_and_names_its_diagnostic() -> None:
    with Here() as wire:
        provider = wire.initialize(capabilities=EDITOR)["codeActionProvider"]
        kinds = ["quickfix", "refactor.rewrite", "source.fixAll.llmblocks"]
        assert provider == {"codeActionKinds": kinds, "resolveProvider": True}
        wire.send(did_open(URI, CHAT, "stf", 7))
        span = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 3}}
        ours = {"code": "S001", "range": span, "source": "llmblocks", "message": "as it was"}
        elsewhere = {**ours, "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 2}}}
        offered = ask(
            wire, 1, "textDocument/codeAction", asked(2, diagnostics=[ours, {**ours, "code": "x"}, elsewhere])
        )
        (action,) = fixes(offered)
        assert (action["kind"], action["isPreferred"], action["diagnostics"]) == ("quickfix", True, [ours])
        (change,) = action["edit"]["documentChanges"]
        assert change["textDocument"] == {"uri": URI, "version": 7}
        assert made(CHAT, change["edits"]) == FIXED

        (removal, *_) = fixes(ask(wire, 2, "textDocument/codeAction", asked(7, "quickfix")))
        edits = removal["edit"]["documentChanges"][0]["edits"]
        assert made(CHAT, edits) == CHAT.removesuffix("!!!ARG:\U0001f600\r\n2\r\n")


def test_all_fixes_at_once_are_of_the_version_at_which_they_are_asked_for() -> None:
    with Here() as wire:
        wire.initialize(capabilities=EDITOR)
        wire.send(did_open(URI, CHAT, "stf", 1))
        (action,) = ask(wire, 1, "textDocument/codeAction", asked(0, "source.fixAll"))
        assert (action["kind"], "edit" in action) == ("source.fixAll.llmblocks", False)
        wire.send(did_change(URI, 2, insertion(0, 0, "@*/\r\n")))
        change = ask(wire, 2, "codeAction/resolve", action)["edit"]["documentChanges"][0]
        assert change["textDocument"]["version"] == 2
        assert made("@*/\r\n" + CHAT, change["edits"]) == FIXED

        assert ask(wire, 3, "textDocument/codeAction", asked(0, "refactor.move")) == []
        assert ask(wire, 4, "textDocument/codeAction", asked(2, "quickfix")) == []
        wire.send(did_change(URI, 3, {"text": "@user\n"}))
        assert ask(wire, 5, "textDocument/codeAction", asked(0, "source")) == []
        assert ask(wire, 6, "codeAction/resolve", action)["edit"] == {}


def test_a_client_of_few_words_gets_plain_edits_at_once() -> None:
    with Here() as wire:
        assert wire.initialize(capabilities=OLD)["codeActionProvider"]["resolveProvider"] is False
        wire.send(did_open(URI, CHAT, "stf", 1))
        (action,) = ask(wire, 1, "textDocument/codeAction", asked(0, "source.fixAll.llmblocks"))
        assert made(CHAT, action["edit"]["changes"][URI]) == FIXED
        (quick,) = fixes(ask(wire, 2, "textDocument/codeAction", asked(2)))
        assert fixes(ask(wire, 3, "textDocument/codeAction", {**asked(2), "context": None})) == [quick]


def selection(line: int, start: int, end: int, *only: str) -> Any:
    places = ({"line": line, "character": start}, {"line": line, "character": end})
    context = {"diagnostics": [], **({"only": list(only)} if only else {})}
    return {"textDocument": {"uri": URI}, "range": dict(zip(("start", "end"), places, strict=True)), "context": context}


def test_refactorings_are_of_the_kinds_that_are_wanted() -> None:
    text = '!!!GADGET_START:G\n{"\U0001f600": 1}\n!!!GADGET_END\n'
    with Here() as wire:
        wire.initialize(capabilities=EDITOR)
        wire.send(did_open(URI, f"@ai\n{text}", "stf", 3))
        place = (2, 3, 3)
        found = ask(wire, 1, "textDocument/codeAction", selection(*place, "refactor.rewrite"))
        ((kind, title),) = {(each["kind"], each["title"]) for each in found}
        assert (kind, title) == ("refactor.rewrite", "Write this JSON as arguments")
        (change,) = found[0]["edit"]["documentChanges"]
        assert change["textDocument"] == {"uri": URI, "version": 3}
        arguments = "!!!GADGET_START:G\n!!!ARG:\U0001f600\n1\n!!!GADGET_END\n"
        assert made(f"@ai\n{text}", change["edits"]) == f"@ai\n{arguments}"
        assert ask(wire, 2, "textDocument/codeAction", selection(*place, "refactor")) == found
        fixes = ask(wire, 3, "textDocument/codeAction", selection(*place, "quickfix"))
        assert {each["kind"] for each in fixes} == {"quickfix"}
        # only whole words of a kind count
        assert ask(wire, 4, "textDocument/codeAction", selection(*place, "refactor.re")) == []


def test_a_refused_refactoring_is_reported_to_clients_that_show_why() -> None:
    text, place = ";meta\n{}\n;end\n;user\nx", selection(0, 1, 1)
    shows: Any = {"textDocument": {"codeAction": {**EDITOR["textDocument"]["codeAction"], "disabledSupport": True}}}
    for capabilities, reason in ((shows, "the '@' dialect has no place for metadata"), (EDITOR, None)):
        with Here() as wire:
            wire.initialize(capabilities=capabilities)
            wire.send(did_open(URI, text, "stf", 1))
            found = ask(wire, 1, "textDocument/codeAction", place)
            assert [each["disabled"]["reason"] for each in found] == ([reason] if reason else [])


def test_the_conversion_of_a_long_chat_is_worked_out_when_it_is_chosen() -> None:
    text = "@user\n" + "some words\n" * 10_000
    with Here() as wire:
        wire.initialize(capabilities=EDITOR)
        wire.send(did_open(URI, text, "stf", 1))
        (action,) = ask(wire, 1, "textDocument/codeAction", selection(0, 1, 1))
        assert (action["kind"], "edit" in action) == ("refactor.rewrite", False)
        (change,) = ask(wire, 2, "codeAction/resolve", action)["edit"]["documentChanges"]
        assert made(text, change["edits"]) == text.replace("@", ";").removesuffix("\n")
        wire.send(did_change(URI, 2, insertion(1, 0, "@nothing\n")))
        wire.send(request(3, "codeAction/resolve", action))
        assert wire.reply(3)["error"]["code"] == -32801
        (action,) = ask(wire, 4, "textDocument/codeAction", selection(0, 1, 1))
        wire.send(request(5, "codeAction/resolve", action))
        assert wire.reply(5)["error"] == {"code": -32803, "message": "the chat has a mistake: S003 on line 2"}
    with Here() as wire:
        wire.initialize(capabilities=OLD)
        wire.send(did_open(URI, text, "stf", 1))
        (action,) = ask(wire, 1, "textDocument/codeAction", selection(0, 1, 1))
        assert made(text, action["edit"]["changes"][URI]) == text.replace("@", ";").removesuffix("\n")


def test_line_ends_are_replaced_whole() -> None:
    with Here() as wire:
        wire.initialize(capabilities=EDITOR)
        wire.send(did_open(URI, CHAT, "stf", 1))
        [action] = [each for each in fixes(ask(wire, 1, "textDocument/codeAction", asked(0))) if "LF" in each["title"]]
        [change] = action["edit"]["documentChanges"]
        assert made(CHAT, change["edits"]) == CHAT.replace("\r\n", "\n")
        assert "command" not in action
    with Here() as wire:
        wire.initialize(capabilities=EDITOR, initializationOptions={"commands": ["llmblocks.endWithLf"]})
        wire.send(did_open(URI, CHAT, "stf", 1))
        commands = {each["title"]: each.get("command") for each in ask(wire, 1, "textDocument/codeAction", asked(0))}
        title = "End all lines with LF"
        assert commands.pop(title) == {"title": title, "command": "llmblocks.endWithLf", "arguments": [URI]}
        assert {*commands.values()} == {None}
