"""Code lenses, shown in brackets above their lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor, call

Json = Any
START, END = "!!!GADGET_START:", "!!!GADGET_END\n"


def shown(editor: Editor, name: str, text: str, language_id: str = "gadget") -> list[str]:
    """Return the lines of a text with the titles of their lenses before them; an empty line is left out."""
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


def with_parameters(editor: Editor, **lenses: bool) -> None:
    settings = {"settings": {"llmblocks": {"lenses": {"parameters": True, **lenses}}}}
    editor.tell("workspace/didChangeConfiguration", settings)


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
    with_parameters(editor)
    assert shown(editor, "a", text, language_id) == [
        *lines,
        "[wave 1]",
        "[parameters]",
        f"{begun}{START}A:a",
        END.strip(),
        "[wave 2]",
        "[parameters]",
        f"x {START}B:b:a",
        END.strip(),
        "[wave 1]",
        "[parameters]",
        f"{START}C",
        END.strip(),
        *[each for each in back.split("\n") if each],
    ]


def test_each_call_has_one_lens_that_says_whether_and_when_it_runs(editor: Editor) -> None:
    rejected = f"{START}A:a\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!ARG:\n3\n{END}"
    text = rejected + call("b", "a") + call("c", "b") + call("d", "x") + call("e", "e,f") + call("f")
    assert [line for line in shown(editor, "a", text) if line.startswith("[")] == [
        "[rejected: Duplicate pointer: a]",
        "[skipped: a is rejected]",
        "[skipped: a is rejected]",
        '[never ran: Dependency "x" was never exec]',
        "[wave 2]",
        "[wave 1]",
    ]


def test_a_silenced_problem_rejects_the_call_all_the_same(editor: Editor) -> None:
    text = f"@# llmblocks: ignore-file[G101]\n@ai\n{START}A:a\n!!!ARG:a\n1\n!!!ARG:a\n2\n{END}{call('b', 'a')}"
    assert "[rejected: Duplicate pointer: a]" in shown(editor, "b", text, "stf")


@pytest.mark.parametrize(
    ("begins", "needs", "marked"),
    [
        ("A:a\n!!!ARG:n\n1\n!!!ARG:n\n2\n", "", "n"),
        ("A:a:gone\n", "", "gone"),
        ("A:a\n", "x", "x"),
        # the other one is there
        ("A:a\n", "a,x", "x"),
    ],
)
def test_a_lens_of_a_call_that_does_not_run_goes_to_the_obstacle(
    tmp_path: Path, begins: str, needs: str, marked: str
) -> None:
    editor = Editor(tmp_path, window={"showDocument": {"support": True}})
    text = call("y") + call("z", "y") + f"{START}{begins}{END}" + (call("b", needs) if needs else "")
    editor.open("a", text)
    told = editor.ask("textDocument/codeLens", {"textDocument": {"uri": editor.uri("a")}})
    command = editor.ask("codeLens/resolve", told[-1])["command"]
    assert command["command"] == "llmblocks.showProblem"
    assert editor.ask("workspace/executeCommand", command) is None
    (asked,) = editor.requests("window/showDocument")
    start = asked["params"]["selection"]["start"]
    assert text.split("\n")[start["line"]][start["character"] :] == marked
    # the second of two
    assert start["line"] == max(number for number, line in enumerate(text.split("\n")) if line.endswith(marked))


@pytest.mark.parametrize(
    ("language_id", "text"),
    [("custom-blocks", f"<think>{START}A\n</think>"), ("stf", "@user\nhi\n"), ("gadget", f"{START}A"), ("gadget", "")],
)
def test_what_is_not_a_call_has_none(editor: Editor, language_id: str, text: str) -> None:
    editor.open("a", text, language_id)
    assert editor.ask("textDocument/codeLens", {"textDocument": {"uri": editor.uri("a")}}) == []


@pytest.mark.parametrize("kind", ["order", "parameters"])
def test_each_kind_can_be_switched_off_and_on(editor: Editor, kind: str) -> None:
    words = {"order": "[wave 1]", "parameters": "[parameters]"}
    with_parameters(editor, **{kind: False})
    lines = shown(editor, "a", call("a") + call("b", "a"))
    assert {name for name, word in words.items() if word in lines} == {*words} - {kind}


def test_a_lens_runs_the_command_for_its_call(editor: Editor) -> None:
    with_parameters(editor)
    editor.open("a", f"x {START}A:a\n!!!ARG:a\n1\n{END}{START}B:b:a\n!!!ARG:b\n1\n!!!ARG:b\n1\n")
    told = editor.ask("textDocument/codeLens", {"textDocument": {"uri": editor.uri("a")}})
    commands = [lens.get("command") or editor.ask("codeLens/resolve", lens)["command"] for lens in told]
    results = [editor.ask("workspace/executeCommand", each) for each in commands]
    assert [each["title"] for each in results] == ["a", "A a", "a", "B b"]
    assert results[1]["text"] == '{\n  "a": 1\n}\n'
    assert results[-1]["text"] == "The runtime rejects this call: Duplicate pointer: b"


def test_calls_that_all_begin_at_once_have_no_lens_and_a_hint_says_why_one_does_not_run(tmp_path: Path) -> None:
    editor = Editor(tmp_path, textDocument={"codeLens": {}})
    text = call("a") + f"{START}B:b\n!!!ARG:n\n1\n!!!ARG:n\n2\n{END}" + call("c")
    assert not [line for line in shown(editor, "a", text) if line.startswith("[")]
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 20, "character": 0}}
    hints = editor.ask("textDocument/inlayHint", {"textDocument": {"uri": editor.uri("a")}, "range": everywhere})
    assert [each["label"] for each in hints] == ["rejected: Duplicate pointer: n"]
    # once a call waits for another, the order is reported
    end = len(f"{START}Read:a:")
    editor.replace("a", 0, end, end, "c")
    assert [line for line in above(editor, "a", text) if line.startswith("[")] == [
        "[wave 2]",
        "[rejected: Duplicate pointer: n]",
        "[wave 1]",
    ]


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
