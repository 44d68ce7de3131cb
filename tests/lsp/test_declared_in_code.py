"""Code actions and a command that bring the tags and gadgets of TypeScript into the settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor

pytest.importorskip("tree_sitter_typescript", reason="llmblocks[code] is not installed")
CODE = """\
// é🎉
createAdapter({
  customBlocks: {
    citation: { description: "A quotation." },
    done: {},
  },
});
createGadget({ name: "Read", schema: z.object({ path: z.string() }) });
"""
TEXT_DOCUMENT: Any = {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}}


def opened(folder: Path, *, versions: bool = True) -> Editor:
    editor = Editor(folder, workspace=True, versions=versions, textDocument=TEXT_DOCUMENT)
    editor.write("src/a.ts", CODE)
    editor.write("a.gadget", "<Citation>x</Citation>\n!!!GADGET_START:Read:r\n!!!GADGET_END\n")
    editor.open("src/a.ts", language_id="typescript")
    editor.open("a.gadget")
    assert editor.codes("a.gadget") == []
    return editor


def actions(editor: Editor, line: int, **context: Any) -> dict[str, Any]:
    place = {"line": line, "character": 0}
    params = {"textDocument": {"uri": editor.uri("src/a.ts")}, "range": {"start": place, "end": place}}
    found = editor.ask("textDocument/codeAction", params | {"context": {"diagnostics": [], **context}})
    return {each["title"]: each["edit"] for each in found}


def test_an_action_registers_the_tags_of_the_code_at_the_cursor(tmp_path: Path) -> None:
    editor = opened(tmp_path)
    assert actions(editor, 0) == {}
    assert actions(editor, 3, only=["refactor"]) == {}
    assert [*actions(editor, 4)] == ["Register <citation>, <done> in llmblocks.toml"]
    (edit,) = actions(editor, 3).values()
    (create, change) = edit["documentChanges"]
    assert create["kind"] == "create"
    (inserted,) = change["edits"]
    (tmp_path / "llmblocks.toml").write_text(inserted["newText"], "utf-8")
    editor.touch("llmblocks.toml", kind=1)
    assert editor.codes("a.gadget") == ["T004"]
    assert actions(editor, 3) == {}


def test_an_action_names_the_code_as_the_source_of_gadgets(tmp_path: Path) -> None:
    (tmp_path / "llmblocks.toml").write_text("[gadget.schemas]\n", "utf-8")
    editor = opened(tmp_path, versions=False)
    (title,) = actions(editor, 7)
    assert title == "Check calls of Read against this file, in llmblocks.toml"
    ((_, (change,)),) = actions(editor, 7)[title]["changes"].items()
    (tmp_path / "llmblocks.toml").write_text("[gadget.schemas]\n" + change["newText"], "utf-8")
    editor.touch("llmblocks.toml")
    assert editor.codes("a.gadget") == ["G203"]
    assert actions(editor, 7) == {}
    # the code is the schema: what changes there counts at once
    editor.write("src/a.ts", CODE.replace("path: z.string()", ""))
    editor.touch("src/a.ts")
    assert editor.codes("a.gadget") == []


def test_a_command_shows_all_that_the_code_declares(tmp_path: Path) -> None:
    editor = opened(tmp_path)
    params = {"command": "llmblocks.showDeclared", "arguments": [{"textDocument": {"uri": editor.uri("a.gadget")}}]}
    shown = editor.ask("workspace/executeCommand", params)
    assert shown["languageId"] == "toml"
    assert '[tags.declared.citation]  # src/a.ts:4\ndescription = "A quotation."\n' in shown["text"]
    assert '"**" = ["src/a.ts"]' in shown["text"]
    (tmp_path / "llmblocks.toml").write_text(shown["text"], "utf-8")
    editor.touch("llmblocks.toml", kind=1)
    assert editor.codes("a.gadget") == ["T004", "G203"]
    assert editor.ask("workspace/executeCommand", params)["kind"] == "message"
