"""Code lenses, shown in brackets above their lines, and what else says what became of a call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor, call

Json = Any
START, END = "!!!GADGET_START:", "!!!GADGET_END\n"


def lenses_of(editor: Editor, name: str) -> list[tuple[int, Json]]:
    """Return the lines of the lenses of a document with their commands."""
    return [
        (lens["range"]["start"]["line"], lens.get("command") or editor.ask("codeLens/resolve", lens)["command"])
        for lens in editor.of("codeLens", name)
    ]


def titles(editor: Editor, name: str) -> list[str]:
    return [command["title"] for _, command in lenses_of(editor, name)]


def hints(editor: Editor, name: str) -> list[str]:
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    return [each["label"] for each in editor.of("inlayHint", name, range=everywhere)]


def marked(found: list[Json], texts: dict[str, str], editor: Editor) -> list[tuple[str, str, str]]:
    """For each place the file, the text of the line before it, and the text at it."""
    rows = []
    for each in found:
        name = next(name for name in texts if editor.uri(name) == each["uri"])
        start, end = each["range"]["start"], each["range"]["end"]
        line = texts[name].split("\n")[start["line"]]
        rows.append((name, line[: start["character"]], line[start["character"] : end["character"]]))
    return rows


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    return Editor(tmp_path, workspace=True, window={"showDocument": {"support": True}})


@pytest.mark.parametrize(
    ("language_id", "front", "back"),
    [("gadget", "", ""), ("stf", "@ai\n", "@user\nhi"), ("gadget", "<think>", "</think>"), ("gadget", "a\rb 😀", "")],
)
def test_calls_have_their_order_and_a_link_to_their_parameters(
    editor: Editor, language_id: str, front: str, back: str
) -> None:
    editor.configure({"lenses": {"parameters": True}})
    editor.open("a", f"{front}{START}A:a\n{END}x {START}B:b:a\n{END}{START}C\n{END}{back}", language_id)
    first = len(front.splitlines()) - (not front.endswith("\n")) * bool(front)
    assert [(line, each["title"]) for line, each in lenses_of(editor, "a")] == [
        (first + down, title)
        for down, wave in ((0, "wave 1"), (2, "wave 2"), (4, "wave 1"))
        for title in (wave, "parameters")
    ]


def test_each_call_has_one_lens_that_says_whether_and_when_it_runs(editor: Editor) -> None:
    rejected = f"{START}A:a\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!ARG:\n3\n{END}"
    editor.open("a", rejected + call("b", "a") + call("c", "b") + call("d", "x") + call("e", "e,f") + call("f"))
    assert [each[:40] for each in titles(editor, "a")] == [
        *("rejected: Duplicate pointer: a", "skipped: a is rejected", "skipped: a is rejected"),
        *('never ran: Dependency "x" was never exec', "wave 2", "wave 1"),
    ]
    # a silenced problem rejects the call all the same
    silenced = f"@# llmblocks: ignore-file[G101]\n@ai\n{START}A:a\n!!!ARG:a\n1\n!!!ARG:a\n2\n{END}{call('b', 'a')}"
    editor.open("b", silenced, "stf")
    assert titles(editor, "b")[0] == "rejected: Duplicate pointer: a"


@pytest.mark.parametrize(
    ("begins", "needs", "obstacle"),
    [
        ("A:a\n!!!ARG:n\n1\n!!!ARG:n\n2\n", "", "n"),
        ("A:a:gone\n", "", "gone"),
        ("A:a\n", "x", "x"),
        # the other one is there
        ("A:a\n", "a,x", "x"),
    ],
)
def test_a_lens_of_a_call_that_does_not_run_goes_to_the_obstacle(
    editor: Editor, begins: str, needs: str, obstacle: str
) -> None:
    text = call("y") + call("z", "y") + f"{START}{begins}{END}" + (call("b", needs) if needs else "")
    editor.open("a", text)
    _, command = lenses_of(editor, "a")[-1]
    assert command["command"] == "llmblocks.showProblem"
    assert editor.ask("workspace/executeCommand", command) is None
    (asked,) = editor.requests("window/showDocument")
    start = asked["params"]["selection"]["start"]
    lines = text.split("\n")
    assert lines[start["line"]][start["character"] :] == obstacle
    # the second of two
    assert start["line"] == max(number for number, line in enumerate(lines) if line.endswith(obstacle))


@pytest.mark.parametrize(
    ("language_id", "text"),
    [("custom-blocks", f"<think>{START}A\n</think>"), ("stf", "@user\nhi\n"), ("gadget", f"{START}A"), ("gadget", "")],
)
def test_what_is_not_a_call_has_none(editor: Editor, language_id: str, text: str) -> None:
    editor.open("a", text, language_id)
    assert lenses_of(editor, "a") == []


@pytest.mark.parametrize(("kind", "left"), [("order", {"parameters"}), ("parameters", {"wave 1", "wave 2"})])
def test_each_kind_can_be_switched_off_and_on(editor: Editor, kind: str, left: set[str]) -> None:
    editor.configure({"lenses": {"parameters": True, kind: False}})
    editor.open("a", call("a") + call("b", "a"))
    assert {*titles(editor, "a")} == left


def test_a_lens_runs_the_command_for_its_call(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.configure({"lenses": {"parameters": True}})
    editor.open("a", f"x {START}A:a\n!!!ARG:a\n1\n{END}{START}B:b:a\n!!!ARG:b\n1\n!!!ARG:b\n1\n")
    results = [editor.ask("workspace/executeCommand", each) for _, each in lenses_of(editor, "a")]
    assert [each["title"] for each in results] == ["a", "A a", "a", "B b"]
    assert results[1]["text"] == '{\n  "a": 1\n}\n'
    assert results[-1]["text"] == "The runtime rejects this call: Duplicate pointer: b"


def test_calls_that_all_begin_at_once_have_no_lens_and_a_hint_says_why_one_does_not_run(tmp_path: Path) -> None:
    editor = Editor(tmp_path, textDocument={"codeLens": {}})
    editor.open("a", call("a") + f"{START}B:b\n!!!ARG:n\n1\n!!!ARG:n\n2\n{END}" + call("c"))
    assert titles(editor, "a") == []
    assert hints(editor, "a") == ["rejected: Duplicate pointer: n"]
    # once a call waits for another, the order is reported
    end = len(f"{START}Read:a:")
    editor.replace("a", 0, end, end, "c")
    assert titles(editor, "a") == ["wave 2", "rejected: Duplicate pointer: n", "wave 1"]


def test_a_client_fetches_again_what_settings_and_other_files_change(tmp_path: Path) -> None:
    editor = Editor(tmp_path, refreshes=("inlayHint", "codeLens"))
    editor.write("0001.response", "")
    editor.open("0002.response", call("b", "a"))
    editor.wait()
    editor.sent.clear()
    editor.configure({"hints": {"waves": False}})
    assert [each["method"] for each in editor.sent] == ["workspace/inlayHint/refresh", "workspace/codeLens/refresh"]
    editor.sent.clear()
    editor.save("0001.response", call("a"))
    editor.wait()
    assert editor.requests("workspace/codeLens/refresh")


HEADER = "!!!GADGET_START:Read:"
FIRST = f"Hi.\n{call('s1')}!!!GADGET_START:Look\n!!!GADGET_END\n{call('s2')}{call('w1', 's1')}"
TOLD = """\
=== SYSTEM ===
Answer. Result (s1): is no result here.

=== ASSISTANT ===
!!!GADGET_START:Read:s1
!!!ARG:path
a.txt
!!!GADGET_END

=== USER ===
Result (s1): ```
é🎉
```

=== USER ===
Result (gadget_1): Error: Invalid parameters for 'Look':
- path: required

=== USER ===
Result (w1): done
"""
LOG, REQUEST = "0001.response", "0002.request"
TEXTS = {LOG: FIRST, REQUEST: TOLD}


def logs(editor: Editor, told: str = TOLD, log: str = LOG, request: str = REQUEST) -> Editor:
    """Write a log and the next request, and open the log."""
    editor.write(log, FIRST)
    editor.write(request, told)
    editor.open(log)
    editor.wait()
    return editor


@pytest.mark.parametrize(("told", "size"), [(TOLD, "14 B"), (TOLD.replace("\n", "\r\n"), "16 B")])
@pytest.mark.parametrize(("log", "request_"), [(LOG, REQUEST), ("1.response", "12.request")])
def test_a_lens_tells_the_result_of_a_call_and_leads_to_it(
    editor: Editor, told: str, size: str, log: str, request_: str
) -> None:
    logs(editor, told, log, request_)
    found = lenses_of(editor, log)
    assert [each["title"][:39] for _, each in found] == [
        *("wave 1", f"result: {size}, in {request_}", "wave 1", "rejected: Error: Invalid parameters for"),
        *("wave 1", "no result", "wave 2", f"result: 4 B, in {request_}"),
    ]
    assert editor.ask("workspace/executeCommand", found[3][1]) is None
    (asked,) = editor.requests("window/showDocument")
    shown = {"uri": asked["params"]["uri"], "range": asked["params"]["selection"]}
    assert marked([shown], {request_: told}, editor) == [(request_, "Result (", "gadget_1")]


def test_no_lens_speaks_of_results_where_the_session_ends_or_settings_say_so(editor: Editor) -> None:
    def speaks() -> bool:
        return any("result" in each for each in titles(editor, "0002.response"))

    logs(editor, log="0002.response", request="0001.request")
    assert not speaks()
    editor.write("0003.request", TOLD)
    assert speaks()
    editor.configure({"lenses": {"results": False}})
    assert not speaks()


def test_definition_leads_from_a_call_to_its_result_and_back(editor: Editor) -> None:
    logs(editor).open(REQUEST, language_id="request")
    editor.wait()
    for name, place, found in (
        (LOG, ":s$01", (REQUEST, "Result (", "s1")),
        (REQUEST, "Result (w$01)", (LOG, HEADER, "w1")),
        # what a call waits for is a call, and one without a result is its own definition
        (LOG, "w1:s$01", (LOG, HEADER, "s1")),
        (LOG, ":s$02", (LOG, HEADER, "s2")),
    ):
        assert marked(editor.at("definition", name, place, TEXTS[name]), TEXTS, editor) == [found]


def test_a_result_is_among_the_uses_of_a_call_and_keeps_its_name(editor: Editor) -> None:
    found = logs(editor).at("references", LOG, ":s$01", FIRST, context={"includeDeclaration": True})
    uses = [(LOG, HEADER, "s1"), (LOG, f"{HEADER}w1:", "s1"), (REQUEST, "Result (", "s1")]
    assert marked(found, TEXTS, editor) == uses
    assert editor.uri(REQUEST) not in str(editor.at("rename", LOG, ":s$01", FIRST, newName="s9"))


@pytest.mark.parametrize("is_open", [True, False])
def test_the_call_hierarchy_leads_from_a_call_to_its_result_and_back(editor: Editor, *, is_open: bool) -> None:
    logs(editor)
    if is_open:
        editor.open(REQUEST, language_id="request")
        editor.wait()
    (item,) = editor.at("prepareCallHierarchy", LOG, ":s$01", FIRST)
    waiting, result = [each["from"] for each in editor.ask("callHierarchy/incomingCalls", {"item": item})]
    assert waiting["detail"].startswith("w1")
    assert (result["name"], result["detail"]) == ("Result (s1)", REQUEST)
    assert marked([result], TEXTS, editor) == [(REQUEST, "Result (", "s1")]
    (edge,) = editor.ask("callHierarchy/outgoingCalls", {"item": result})
    assert marked([{**edge["to"], "range": edge["to"]["selectionRange"]}], TEXTS, editor) == [(LOG, HEADER, "s1")]
    assert editor.ask("callHierarchy/incomingCalls", {"item": result}) == []
    if is_open:
        assert editor.at("prepareCallHierarchy", REQUEST, "Result (s$01): ```", TOLD) == [result]
        # a call that a request repeats is a call
        (call_again,) = editor.at("prepareCallHierarchy", REQUEST, "Read:s$01", TOLD)
        assert call_again["name"] == "Read"
        assert not editor.at("prepareCallHierarchy", REQUEST, "=== US$0ER", TOLD)


def test_a_hover_shows_how_the_result_begins(editor: Editor) -> None:
    found = logs(editor).at("hover", LOG, ":s$01", FIRST)["contents"]["value"]
    assert "Result: 14 B, in 0002.request:\n\n````\n```\né🎉\n```\n````" in found


def test_a_command_shows_the_whole_session_of_a_log(editor: Editor, tmp_path: Path) -> None:
    tree = logs(editor).run("showSession", LOG)
    assert (tree["languageId"], tree["title"]) == ("plaintext", tmp_path.name)
    assert "      Look gadget_1: rejected: Error: Invalid parameters for 'Look': path: required\n" in tree["text"]
    page = editor.run("showSession", LOG, format="html")
    assert (page["languageId"], page["text"][:15]) == ("html", "<!doctype html>")
    editor.open("a.gadget", "")
    assert "is not a log of a session" in editor.run("showSession", "a.gadget")["text"]


def test_lens_hint_and_hover_have_one_word_for_the_outcome_of_a_call(editor: Editor) -> None:
    text = call("r1") + call("w1", "r1") + call("w2", "zebra") + call("r2")
    editor.write(REQUEST, "=== USER ===\nResult (r1): Error: Gadget 'Read' not found.\n")
    editor.open(LOG, text)
    editor.wait()
    skipped, never = "skipped: r1 is rejected", 'never ran: Dependency "zebra" was never executed'
    assert [each[: len(never)] for each in titles(editor, LOG)] == [
        *("wave 1", "rejected: Error: Gadget 'Read' not found., in 00", skipped, "", never, "", "wave 1", "no result"),
    ]
    assert hints(editor, LOG) == [skipped, never]
    for name, says in (("w1", skipped), ("w2", never)):
        shown = editor.at("hover", LOG, f"Re$0ad:{name}", text)["contents"]["value"]
        assert (says in shown, "wave" in shown, "o result" in shown) == (True, False, False)
        assert "If it ran, the gadget would receive:" in shown
