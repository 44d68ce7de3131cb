"""Texts that look like ours and that nothing reads; and what was read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from llmblocks import Settings, check, fix
from llmblocks.gadget.syntax.markers import Markers
from lsp.log_editor import Editor

CALL = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!GADGET_END\n"
TWICE = CALL.replace("!!!GADGET_END", "!!!ARG:path\nb\n!!!GADGET_END")
MARKED = {
    "unnamed": ("markdown", f"```\n{CALL}```\n", f"```gadget\n{CALL}```\n"),
    "named": ("markdown", f"- ~~~ ts title=x\n  {CALL}  ~~~\n", f"- ~~~ gadget title=x\n  {CALL}  ~~~\n"),
    "quoted": (
        "markdown",
        "> ```\n> \n> !!!GADGET_START:A\n> !!!GADGET_END\n",
        "> ```gadget\n> \n> !!!GADGET_START:A\n> !!!GADGET_END\n",
    ),
    "python": ("python", f'X = [\n    """{CALL}""",\n]\n', f'X = [\n    # llmblocks: gadget\n    """{CALL}""",\n]\n'),
    "template": ("typescript", f"say(`{CALL}${{x}}`);\n", f"say(/* gadget */ `{CALL}${{x}}`);\n"),
    "raw": ("javascript", f"say(String.raw`\n{CALL}`);\n", f"say(String.raw/* gadget */ `\n{CALL}`);\n"),
}


def codes(text: str, language_id: str, **settings: Any) -> list[str]:
    return [each.code for each in check(text, language_id, Settings(**settings))]


@pytest.mark.parametrize("name", MARKED)
def test_a_text_that_nothing_reads_is_a_hint_with_a_fix(name: str) -> None:
    language_id, text, marked = MARKED[name]
    if language_id != "markdown":
        pytest.importorskip("tree_sitter_typescript", reason="llmblocks[code] is not installed")
    assert codes(text, language_id) == ["D004"]
    assert fix(text, language_id).text == text
    fixed = fix(text, language_id, unsafe=True, select=("D004",))
    assert (fixed.text, [each.finding.code for each in fixed.applied]) == (marked, ["D004"])
    assert "D004" not in codes(marked, language_id)
    for ignored in ("D004", "unread-text"):
        assert codes(text, language_id, ignore=(ignored,)) == []
        assert fix(text, language_id, unsafe=True, settings=Settings(ignore=(ignored,))).text == text


@pytest.mark.parametrize(
    ("language_id", "text"),
    [
        ("markdown", f"```\nNot {CALL}```\n"),
        ("markdown", "```\n!!!GADGET_START:\n```\n"),
        ("markdown", f"{CALL}\n    {CALL}"),
        ("markdown", f"```gadget\n{CALL}```\n"),
        ("markdown", f"```llmblocks gadget\n{CALL}```\n"),
        ("python", 'START = "!!!GADGET_START:"\nHEAD = "!!!GADGET_START:Read\\n"\n'),
        ("python", f"X = {CALL!r}\n"),
        ("typescript", f"say({json.dumps(CALL)});\n"),
        ("python", f"# {CALL.replace(chr(10), chr(10) + '# ')}\n"),
    ],
)
def test_what_does_not_look_like_a_call_is_not_a_hint(language_id: str, text: str) -> None:
    assert codes(text, language_id) == []


def test_settings_decide_which_fences_are_read() -> None:
    markers = Markers(start="<<CALL ", arg="<<ARG ", end="<<END")
    assert codes("```\n<<CALL Read\n<<END\n```\n", "markdown", markers=markers) == ["D004"]
    assert codes(f"```\n{CALL}```\n", "markdown", markers=markers) == []
    text = f"```\n{TWICE}```\n\n```ts\n{TWICE}```\n\n```\nprose\n```\n"
    assert codes(text, "markdown", unnamed_fences=True) == ["G101", "D004"]


@pytest.mark.parametrize("pulls", [False, True])
def test_an_editor_marks_a_fence(tmp_path: Path, pulls: bool) -> None:
    editor = Editor(tmp_path, workspace=True, pulls=pulls)
    editor.open("a.md", f"Text\n\n```\n{TWICE}```\n", "markdown")
    read = editor.pull if pulls else editor.codes
    assert read("a.md") == ["D004"]
    place = {"line": 2, "character": 1}
    where = {"textDocument": {"uri": editor.uri("a.md")}, "range": {"start": place, "end": place}}
    (action,) = editor.ask("textDocument/codeAction", where | {"context": {"diagnostics": []}})
    (edit,) = action["edit"]["changes"][editor.uri("a.md")]
    assert (action["title"], edit["newText"]) == ("Name the fence gadget", "gadget")
    span = edit["range"]
    editor.replace("a.md", span["start"]["line"], span["start"]["character"], span["end"]["character"], edit["newText"])
    assert read("a.md") == ["G101"]
    assert editor.ask("textDocument/codeAction", where | {"context": {"diagnostics": []}}) == []
