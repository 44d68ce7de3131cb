"""Code lenses, shown in brackets above their lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor, call

Json = Any
START, END = "!!!GADGET_START:", "!!!GADGET_END\n"
STUCK = "never runs: Circular dependency detected"


def shown(editor: Editor, name: str, text: str, language_id: str = "gadget") -> list[str]:
    """The lines of a text with the titles of their lenses in front of them; an empty line is left out."""
    editor.open(name, text, language_id)
    return above(editor, name, text)


def above(editor: Editor, name: str, text: str) -> list[str]:
    told = editor.ask("textDocument/codeLens", {"textDocument": {"uri": editor.uri(name)}})
    titles: dict[int, list[str]] = {}
    for lens in told:
        command = lens.get("command") or editor.ask("codeLens/resolve", lens)["command"]
        titles.setdefault(lens["range"]["start"]["line"], []).append(command["title"])
    found = []
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        found += [f"[{title[:40]}]" for title in titles.get(number, ())] + [line] * bool(line)
    return found


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    return Editor(tmp_path, workspace=True)


@pytest.mark.parametrize(
    ("language_id", "front", "back"),
    [("gadget", "", ""), ("stf", "@ai\n", "@user\nhi"), ("gadget", "<think>", "</think>"), ("gadget", "a\rb 😀", "")],
)
def test_calls_have_their_order_and_a_link_to_their_parameters(
    editor: Editor, language_id: str, front: str, back: str
) -> None:
    text = f"{front}{START}A:a\n{END}x {START}B:b:a\n{END}{START}C\n{END}{back}"
    lines = [each for each in front.replace("\r", "\n").split("\n")[:-1] if each]
    begun = front.replace("\r", "\n").rpartition("\n")[2]
    assert shown(editor, "a", text, language_id) == [
        *lines,
        "[runs in wave 1]",
        "[parameters as JSON]",
        f"{begun}{START}A:a",
        END.strip(),
        "[runs in wave 2]",
        "[parameters as JSON]",
        f"x {START}B:b:a",
        END.strip(),
        "[parameters as JSON]",
        f"{START}C",
        END.strip(),
        *[each for each in back.split("\n") if each],
    ]


def test_a_call_that_the_runtime_does_not_run_says_so(editor: Editor) -> None:
    rejected = f"{START}A\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!ARG:\n3\n"
    assert shown(editor, "a", rejected)[:2] == [
        "[parameters as JSON]",
        "[2 problems: the runtime rejects this call]"[:41] + "]",
    ]
    stuck = shown(editor, "b", call("a", "b") + call("b", "a"))
    assert stuck[:3] == [
        f"[{STUCK}]"[:41] + "]",
        "[parameters as JSON]",
        "[1 problem: the runtime never runs this c]",
    ]


def test_a_call_with_warnings_alone_has_no_lens_of_problems(editor: Editor) -> None:
    assert not [line for line in shown(editor, "a", f"{START}A\n!!!ARG:\n3\n{END}") if "problem" in line]
    # it is waited for, but not for ever
    assert not [line for line in shown(editor, "b", call("a") + call("b", "a,b")) if "1 problem: " in line]


def test_a_silenced_problem_does_not_count(editor: Editor) -> None:
    text = f"@# llmblocks: ignore-file G101\n@ai\n{START}A\n!!!ARG:a\n1\n!!!ARG:a\n2\n{END}"
    assert any("problem" in line for line in shown(editor, "a", text.partition("\n")[2], "stf"))
    assert not any("problem" in line for line in shown(editor, "b", text, "stf"))


@pytest.mark.parametrize(
    ("language_id", "text"),
    [("custom-blocks", f"<think>{START}A\n</think>"), ("stf", "@user\nhi\n"), ("gadget", f"{START}A"), ("gadget", "")],
)
def test_what_is_no_call_has_none(editor: Editor, language_id: str, text: str) -> None:
    editor.open("a", text, language_id)
    assert editor.ask("textDocument/codeLens", {"textDocument": {"uri": editor.uri("a")}}) == []


@pytest.mark.parametrize("kind", ["order", "problems", "parameters"])
def test_each_kind_can_be_switched_off(editor: Editor, kind: str) -> None:
    text = f"{START}A:a\n!!!ARG:a\n1\n!!!ARG:a\n2\n"
    words = {"order": "[runs in wave 1]", "problems": "[1 problem: ", "parameters": "[parameters as JSON]"}
    editor.tell("workspace/didChangeConfiguration", {"settings": {"llmblocks": {"lenses": {kind: False}}}})
    lines = shown(editor, "a", text)
    assert {name for name, word in words.items() if any(line.startswith(word) for line in lines)} == {*words} - {kind}


def test_problems_have_lenses_for_as_many_findings_as_are_shown(editor: Editor) -> None:
    editor.tell("workspace/didChangeConfiguration", {"settings": {"llmblocks": {"diagnostics": {"maxPerDocument": 2}}}})
    twice = f"{START}A\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!ARG:a\n3\n{END}"
    assert sum("problem" in line for line in shown(editor, "a", twice + twice)) == 1


def test_a_lens_runs_the_command_for_its_call(editor: Editor) -> None:
    editor.open("a", f"x {START}A:a\n!!!ARG:a\n1\n{END}{START}B:b\n!!!ARG:b\n1\n!!!ARG:b\n1\n")
    told = editor.ask("textDocument/codeLens", {"textDocument": {"uri": editor.uri("a")}})
    commands = [lens.get("command") or editor.ask("codeLens/resolve", lens)["command"] for lens in told]
    results = [editor.ask("workspace/executeCommand", each) for each in commands]
    assert [each["title"] for each in results] == ["a", "A a", "a", "B b", "B b"]
    assert results[1]["text"] == '{\n  "a": 1\n}\n'
    assert results[-1]["text"] == "The runtime rejects this call: Duplicate pointer: b"


def test_lenses_move_with_an_edit_and_a_lost_one_has_no_words(editor: Editor) -> None:
    text = call("a") * 300
    editor.open("a", text)
    told = editor.ask("textDocument/codeLens", {"textDocument": {"uri": editor.uri("a")}})
    assert len(told) == 600
    last = max(lens["range"]["start"]["line"] for lens in told)
    editor.replace("a", 0, 0, 0, "\n\n")
    told = editor.ask("textDocument/codeLens", {"textDocument": {"uri": editor.uri("a")}})
    assert max(lens["range"]["start"]["line"] for lens in told) == last + 2
    start = {"line": 0, "character": 0}
    gone = {"range": {"start": start, "end": start}, "data": {"uri": editor.uri("a"), "kind": "order"}}
    assert editor.ask("codeLens/resolve", gone)["command"]["title"] == ""


def test_a_client_fetches_again_what_settings_and_other_files_change(tmp_path: Path) -> None:
    (tmp_path / "0001.response").write_text("", "utf-8")
    editor = Editor(tmp_path, refreshes=("inlayHint", "codeLens"))
    editor.open("0002.response", call("b", "a"))
    editor.wait()
    editor.sent.clear()
    editor.tell("workspace/didChangeConfiguration", {"settings": {"llmblocks": {"hints": {"waves": False}}}})
    assert [each["method"] for each in editor.sent] == ["workspace/inlayHint/refresh", "workspace/codeLens/refresh"]
    editor.sent.clear()
    editor.write("0001.response", call("a"))
    editor.touch("0001.response")
    editor.wait()
    assert editor.requests("workspace/codeLens/refresh")
