"""A call of a response and its result in the next request: its outcome, and the answers that show and lead to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor, call
from lsp.test_lenses import above

Json = Any
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


def logs(folder: Path, told: str = TOLD, *, named: tuple[str, str] = ("0001.response", "0002.request")) -> None:
    for name, text in zip(named, (FIRST, told), strict=True):
        (folder / name).write_bytes(text.encode())


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    return Editor(tmp_path, workspace=True, window={"showDocument": {"support": True}})


def ask(editor: Editor, method: str, name: str, text: str, at: str, **more: Json) -> Json:
    """Return a request about the place `$0` of a piece of a text."""
    before, after = at.split("$0")
    start = text.index(before + after) + len(before)
    line, column = text.count("\n", 0, start), start - text.rfind("\n", 0, start) - 1
    position = {"line": line, "character": len(text[start - column : start].encode("utf-16-le")) // 2}
    return editor.ask(method, {"textDocument": {"uri": editor.uri(name)}, "position": position, **more})


def marked(found: list[Json], texts: dict[str, str], editor: Editor) -> list[tuple[str, str, str]]:
    """For each place the file, the text of the line before it, and the text at it."""
    rows = []
    for each in found:
        name = next(name for name in texts if editor.uri(name) == each["uri"])
        start, end = each["range"]["start"], each["range"]["end"]
        line = texts[name].split("\n")[start["line"]]
        rows.append((name, line[: start["character"]], line[start["character"] : end["character"]]))
    return rows


@pytest.mark.parametrize("told", [TOLD, TOLD.replace("\n", "\r\n")])
@pytest.mark.parametrize("named", [("0001.response", "0002.request"), ("1.response", "12.request")])
def test_a_lens_tells_the_result_of_a_call_and_leads_to_it(
    editor: Editor, tmp_path: Path, told: str, named: tuple[str, str]
) -> None:
    logs(tmp_path, told, named=named)
    editor.open(named[0], FIRST, "gadget")
    size = "14 B" if told == TOLD else "16 B"
    assert [line for line in above(editor, named[0], FIRST) if line.startswith("[")] == [
        "[wave 1]",
        f"[result: {size}, in {named[1]}]",
        "[wave 1]",
        "[rejected: Error: Invalid parameters for ]",
        "[wave 1]",
        "[no result]",
        "[wave 2]",
        f"[result: 4 B, in {named[1]}]",
    ]
    lenses = editor.ask("textDocument/codeLens", {"textDocument": {"uri": editor.uri(named[0])}})
    command = editor.ask("codeLens/resolve", lenses[3])["command"]
    assert editor.ask("workspace/executeCommand", command) is None
    (asked,) = editor.requests("window/showDocument")
    shown = {"uri": asked["params"]["uri"], "range": asked["params"]["selection"]}
    assert marked([shown], {named[1]: told}, editor) == [(named[1], "Result (", "gadget_1")]


def test_no_lens_speaks_of_results_where_the_session_ends_or_settings_say_so(editor: Editor, tmp_path: Path) -> None:
    logs(tmp_path, named=("0002.response", "0001.request"))
    editor.open("0002.response", FIRST, "gadget")
    assert not [line for line in above(editor, "0002.response", FIRST) if "result" in line]
    logs(tmp_path, named=("0002.response", "0003.request"))
    assert [line for line in above(editor, "0002.response", FIRST) if "result" in line]
    settings = {"settings": {"llmblocks": {"lenses": {"results": False}}}}
    editor.tell("workspace/didChangeConfiguration", settings)
    assert not [line for line in above(editor, "0002.response", FIRST) if "result" in line]


def test_definition_leads_from_a_call_to_its_result_and_back(editor: Editor, tmp_path: Path) -> None:
    logs(tmp_path)
    texts = {"0001.response": FIRST, "0002.request": TOLD}
    editor.open("0001.response", FIRST, "gadget")
    editor.open("0002.request", TOLD, "request")
    editor.wait()
    found = ask(editor, "textDocument/definition", "0001.response", FIRST, ":s$01")
    assert marked(found, texts, editor) == [("0002.request", "Result (", "s1")]
    found = ask(editor, "textDocument/definition", "0002.request", TOLD, "Result (w$01)")
    assert marked(found, texts, editor) == [("0001.response", HEADER, "w1")]
    # what a call waits for is a call, and one without a result is its own definition
    found = ask(editor, "textDocument/definition", "0001.response", FIRST, "w1:s$01")
    assert marked(found, texts, editor) == [("0001.response", HEADER, "s1")]
    found = ask(editor, "textDocument/definition", "0001.response", FIRST, ":s$02")
    assert marked(found, texts, editor) == [("0001.response", HEADER, "s2")]


def test_a_result_is_among_the_uses_of_a_call_and_keeps_its_name(editor: Editor, tmp_path: Path) -> None:
    logs(tmp_path)
    editor.open("0001.response", FIRST, "gadget")
    editor.wait()
    context = {"includeDeclaration": True}
    found = ask(editor, "textDocument/references", "0001.response", FIRST, ":s$01", context=context)
    assert marked(found, {"0001.response": FIRST, "0002.request": TOLD}, editor) == [
        ("0001.response", HEADER, "s1"),
        ("0001.response", f"{HEADER}w1:", "s1"),
        ("0002.request", "Result (", "s1"),
    ]
    edit = ask(editor, "textDocument/rename", "0001.response", FIRST, ":s$01", newName="s9")
    assert editor.uri("0002.request") not in str(edit)


@pytest.mark.parametrize("is_open", [True, False])
def test_the_call_hierarchy_leads_from_a_call_to_its_result_and_back(
    editor: Editor, tmp_path: Path, *, is_open: bool
) -> None:
    logs(tmp_path)
    texts = {"0001.response": FIRST, "0002.request": TOLD}
    editor.open("0001.response", FIRST, "gadget")
    if is_open:
        editor.open("0002.request", TOLD, "request")
    editor.wait()
    (item,) = ask(editor, "textDocument/prepareCallHierarchy", "0001.response", FIRST, ":s$01")
    waiting, result = [each["from"] for each in editor.ask("callHierarchy/incomingCalls", {"item": item})]
    assert waiting["detail"].startswith("w1")
    assert (result["name"], result["detail"]) == ("Result (s1)", "0002.request")
    assert marked([result], texts, editor) == [("0002.request", "Result (", "s1")]
    (edge,) = editor.ask("callHierarchy/outgoingCalls", {"item": result})
    assert marked([{**edge["to"], "range": edge["to"]["selectionRange"]}], texts, editor) == [
        ("0001.response", HEADER, "s1")
    ]
    assert editor.ask("callHierarchy/incomingCalls", {"item": result}) == []
    if is_open:
        (same,) = ask(editor, "textDocument/prepareCallHierarchy", "0002.request", TOLD, "Result (s$01): ```")
        assert same == result
        # a call that a request repeats is a call
        (call_again,) = ask(editor, "textDocument/prepareCallHierarchy", "0002.request", TOLD, "Read:s$01")
        assert call_again["name"] == "Read"
        assert not ask(editor, "textDocument/prepareCallHierarchy", "0002.request", TOLD, "=== US$0ER")


def test_a_hover_shows_how_the_result_begins(editor: Editor, tmp_path: Path) -> None:
    logs(tmp_path)
    editor.open("0001.response", FIRST, "gadget")
    found = ask(editor, "textDocument/hover", "0001.response", FIRST, ":s$01")["contents"]["value"]
    assert "Result: 14 B, in 0002.request:\n\n````\n```\né🎉\n```\n````" in found


def test_a_command_shows_the_whole_session_of_a_log(editor: Editor, tmp_path: Path) -> None:
    logs(tmp_path)
    editor.open("0001.response", FIRST, "gadget")
    editor.open("a.gadget", "", "gadget")

    def shown(name: str, **more: str) -> Json:
        argument = {"textDocument": {"uri": editor.uri(name)}, **more}
        return editor.ask("workspace/executeCommand", {"command": "llmblocks.showSession", "arguments": [argument]})

    tree = shown("0001.response")
    assert (tree["languageId"], tree["title"]) == ("plaintext", tmp_path.name)
    assert "      Look gadget_1: rejected: Error: Invalid parameters for 'Look': path: required\n" in tree["text"]
    page = shown("0001.response", format="html")
    assert page["languageId"] == "html"
    assert page["text"].startswith("<!doctype html>")
    assert "is not a log of a session" in shown("a.gadget")["text"]
    given = {
        "command": "llmblocks.showSession",
        "arguments": [{"textDocument": {"uri": editor.uri("a.gadget")}, "format": "x"}],
    }
    assert "format must be one of text, html" in editor.refused("workspace/executeCommand", given)["message"]


def test_lens_hint_and_hover_have_one_word_for_the_outcome_of_a_call(editor: Editor, tmp_path: Path) -> None:
    text = call("r1") + call("w1", "r1") + call("w2", "zebra") + call("r2")
    (tmp_path / "0001.response").write_text(text, "utf-8")
    told = "=== USER ===\nResult (r1): Error: Gadget 'Read' not found.\n"
    (tmp_path / "0002.request").write_text(told, "utf-8")
    editor.open("0001.response", text, "gadget")
    editor.wait()
    skipped, never = "skipped: r1 is rejected", 'never ran: Dependency "zebra" was never executed'
    lenses = [line for line in above(editor, "0001.response", text) if line.startswith("[")]
    assert lenses == [
        "[wave 1]",
        "[rejected: Error: Gadget 'Read' not found]",
        f"[{skipped}]",
        "[]",
        f"[{never[:40]}]",
        "[]",
        "[wave 1]",
        "[no result]",
    ]
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 16, "character": 0}}
    about = {"textDocument": {"uri": editor.uri("0001.response")}}
    assert [each["label"] for each in editor.ask("textDocument/inlayHint", {**about, "range": span})] == [
        skipped,
        never,
    ]
    for name, says in (("w1", skipped), ("w2", never)):
        shown = ask(editor, "textDocument/hover", "0001.response", text, f"Re$0ad:{name}")["contents"]["value"]
        assert (says in shown, "wave" in shown, "o result" in shown) == (True, False, False)
        assert "If it ran, the gadget would receive:" in shown


ERROR = "Error: Gadget 'Read' not found."


def request_of(*results: str) -> str:
    return "=== USER ===\nbegin\n" + "".join(f"\n=== USER ===\nResult ({each}\n" for each in results)


def codes_and_texts(editor: Editor, name: str, text: str) -> list[tuple[str, str]]:
    lines = text.split("\n")
    return [
        (each["code"], lines[(at := each["range"])["start"]["line"]][at["start"]["character"] : at["end"]["character"]])
        for each in editor.told[editor.uri(name)]
    ]


def test_what_became_of_calls_is_reported_once_their_session_is_known(editor: Editor) -> None:
    text = call("a2") + call("w2", "r1") + "!!!GADGET_START:Read\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
    editor.write("0001.response", call("r1"))
    editor.write("0002.request", request_of(f"r1): {ERROR}"))
    editor.write("0002.response", text)
    editor.write("0003.request", request_of(f"r1): {ERROR}", "a2): fine", f"gadget_1): {ERROR}"))
    editor.open("0002.response")
    assert editor.codes("0002.response") == []
    editor.wait()
    assert codes_and_texts(editor, "0002.response", text) == [("G302", "r1"), ("G301", "Read"), ("G303", "Read")]
    skipped, failed, again = editor.told[editor.uri("0002.response")]
    assert skipped["message"] == (
        "skipped: r1 is rejected\nnote: llmist did not run this call\nhelp: correct the call that stopped first"
    )
    assert [each["severity"] for each in (skipped, failed, again)] == [3, 3, 3]
    assert (
        failed["message"]
        == f"rejected, according to 0003.request\nnote: {ERROR}; the model saw the error\nhelp: correct the call"
    )
    assert [each["location"]["uri"] for each in failed["relatedInformation"]] == [editor.uri("0003.request")]
    assert "attempt 2" in again["message"]
    (related,) = again["relatedInformation"]
    assert (related["location"]["uri"], related["location"]["range"]["start"]) == (
        editor.uri("0001.response"),
        {"line": 0, "character": len("!!!GADGET_START:Read:")},
    )


def test_a_request_that_comes_tells_of_the_open_response_before_it(editor: Editor) -> None:
    editor.write("0001.response", call("r1"))
    editor.open("0001.response")
    editor.wait()
    assert editor.codes("0001.response") == []
    editor.write("0002.request", request_of(f"r1): {ERROR}"))
    editor.touch("0002.request", kind=1)
    editor.wait()
    assert editor.codes("0001.response") == ["G301"]
    editor.write("0002.request", request_of("r1): all is well"))
    editor.touch("0002.request")
    editor.wait()
    assert editor.codes("0001.response") == []
    editor.write("0002.request", request_of(f"r1): {ERROR}"))
    editor.touch("0002.request")
    editor.wait()
    (editor.folder / "0002.request").unlink()
    editor.touch("0002.request", kind=3)
    editor.wait()
    assert editor.codes("0001.response") == []


def test_a_finding_follows_its_call_and_goes_with_its_id(editor: Editor) -> None:
    editor.write("0001.response", call("r1"))
    editor.write("0002.request", request_of(f"r1): {ERROR}"))
    editor.open("0001.response")
    editor.wait()
    other = call("r0").replace("Read", "Look")
    editor.replace("0001.response", 0, 0, 0, "I read it.\n" + other)
    assert codes_and_texts(editor, "0001.response", f"I read it.\n{other}{call('r1')}") == [("G301", "r1")]
    editor.replace("0001.response", 1 + 4, 21, 23, "r7")
    assert editor.codes("0001.response") == []
    editor.replace("0001.response", 1 + 4, 21, 23, "r1")
    assert editor.codes("0001.response") == ["G301"]


def test_an_edit_of_a_call_without_an_id_moves_what_is_reported_of_the_others(editor: Editor) -> None:
    plain = "!!!GADGET_START:Look\n!!!GADGET_END\n"
    editor.write("0001.response", plain * 2)
    editor.write("0002.request", request_of("gadget_1): fine", f"gadget_2): {ERROR}"))
    editor.open("0001.response")
    editor.wait()
    lines = [each["range"]["start"]["line"] for each in editor.told[editor.uri("0001.response")]]
    assert lines == [2]
    editor.replace("0001.response", 0, 0, 0, plain)
    lines = [each["range"]["start"]["line"] for each in editor.told[editor.uri("0001.response")]]
    assert lines == [2]
    assert editor.codes("0001.response") == ["G301"]
