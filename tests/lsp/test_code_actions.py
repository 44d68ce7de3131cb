"""Code actions, as editors ask for them: fixes, refactorings, and edits of the settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import ACTIONS, TWICE, Editor, applied, span

Json = Any
CHAT = "@user\r\n\U0001f600\r\n@*/\r\n@ai\r\n!!!GADGET_START:G\r\n!!!ARG:\U0001f600\r\n1\r\n!!!ARG:\U0001f600\r\n2\r\n"
FIXED = CHAT.replace("@*/\r\n", "")
ACTION: Json = {
    "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}},
    "isPreferredSupport": True,
    "dataSupport": True,
    "resolveSupport": {"properties": ["edit"]},
}
OLD: Json = ACTIONS["codeAction"]
NAME = "a.stf"


def opened(folder: Path, text: str, action: Json = ACTION, **more: Json) -> Editor:
    editor = Editor(folder, versions="dataSupport" in action, textDocument={"codeAction": action}, **more)
    editor.open(NAME, text, "stf")
    return editor


def ask(editor: Editor, line: int, *only: str, start: int = 0, end: int = 99, diagnostics: Any = ()) -> Json:
    return editor.actions(NAME, span(line, start, end), *only, diagnostics=diagnostics)


def edits(action: Json) -> Json:
    """Return the edits of an action for one version of the document."""
    (change,) = action["edit"]["documentChanges"]
    return change["edits"]


def version(action: Json) -> int:
    found: int = action["edit"]["documentChanges"][0]["textDocument"]["version"]
    return found


def fixes(actions: Json) -> Json:
    """Return the actions that fix something: without those that silence a finding, and without refactorings."""
    return [each for each in actions if each["kind"] == "quickfix" and not each["title"].startswith("Ignore ")]


def test_a_quick_fix_is_an_edit_of_this_version_and_names_its_diagnostic(tmp_path: Path) -> None:
    editor = opened(tmp_path, CHAT)
    kinds = ["quickfix", "refactor.rewrite", "source.fixAll.llmblocks"]
    assert editor.capabilities["codeActionProvider"] == {"codeActionKinds": kinds}
    editor.rewrite(NAME, CHAT, version=7)
    ours = {"code": "S001", "range": span(2, 0, 3), "source": "llmblocks", "message": "as it was"}
    others = [{**ours, "code": "x"}, {**ours, "range": span(1, 0, 2)}]
    (action,) = fixes(ask(editor, 2, diagnostics=[ours, *others]))
    assert (action["kind"], action["isPreferred"], action["diagnostics"]) == ("quickfix", True, [ours])
    assert action["edit"]["documentChanges"][0]["textDocument"] == {"uri": editor.uri(NAME), "version": 7}
    assert applied(CHAT, edits(action)) == FIXED
    (removal, *_) = fixes(ask(editor, 7, "quickfix"))
    assert applied(CHAT, edits(removal)) == CHAT.removesuffix("!!!ARG:\U0001f600\r\n2\r\n")


def test_all_fixes_at_once_are_of_the_version_at_which_they_are_asked_for(tmp_path: Path) -> None:
    editor = opened(tmp_path, CHAT)
    editor.replace(NAME, 0, 0, 0, "@*/\r\n", version=2)
    (action,) = ask(editor, 0, "source.fixAll")
    assert (action["kind"], version(action)) == ("source.fixAll.llmblocks", 2)
    assert applied("@*/\r\n" + CHAT, edits(action)) == FIXED
    assert ask(editor, 0, "refactor.move") == ask(editor, 2, "quickfix") == []
    editor.rewrite(NAME, "@user\n", version=3)
    assert ask(editor, 0, "source") == []


@pytest.mark.parametrize(
    ("values", "titles"), [("111", ["Fix 2 problems safely"]), ("11", ["Fix 1 problem safely"]), ("12", [])]
)
def test_all_fixes_at_once_are_offered_where_there_are_some_with_their_number(
    tmp_path: Path, values: str, titles: list[str]
) -> None:
    arguments = "".join(f"!!!ARG:a\n{value}\n" for value in values)
    editor = opened(tmp_path, f"@ai\n!!!GADGET_START:A:a\n{arguments}!!!GADGET_END\n")
    assert [each["title"] for each in ask(editor, 0, "source.fixAll")] == titles


def test_a_client_of_few_words_gets_plain_edits_at_once(tmp_path: Path) -> None:
    editor = opened(tmp_path, CHAT, OLD)
    (action,) = ask(editor, 0, "source.fixAll.llmblocks")
    assert applied(CHAT, action["edit"]["changes"][editor.uri(NAME)]) == FIXED
    assert fixes(editor.of("codeAction", NAME, range=span(2, 0, 99), context=None)) == fixes(ask(editor, 2)) != []


def test_refactorings_are_of_the_kinds_that_are_wanted(tmp_path: Path) -> None:
    text = '@ai\n!!!GADGET_START:G\n{"\U0001f600": 1}\n!!!GADGET_END\n'
    editor = opened(tmp_path, text)
    found = ask(editor, 2, "refactor.rewrite", start=3, end=3)
    assert [(each["kind"], each["title"]) for each in found] == [("refactor.rewrite", "Write this JSON as arguments")]
    assert version(found[0]) == 0
    assert applied(text, edits(found[0])) == "@ai\n!!!GADGET_START:G\n!!!ARG:\U0001f600\n1\n!!!GADGET_END\n"
    assert ask(editor, 2, "refactor", start=3, end=3) == found
    assert {each["kind"] for each in ask(editor, 2, "quickfix", start=3, end=3)} == {"quickfix"}
    # only whole words of a kind count
    assert ask(editor, 2, "refactor.re", start=3, end=3) == []


def test_a_refused_refactoring_is_reported_to_clients_that_show_why(tmp_path: Path) -> None:
    reason = "the '@' dialect has no place for metadata"
    for action, reasons in (({**ACTION, "disabledSupport": True}, [reason]), (ACTION, [])):
        editor = opened(tmp_path, ";meta\n{}\n;end\n;user\nx", action)
        assert [each["disabled"]["reason"] for each in ask(editor, 0, start=1, end=1)] == reasons


def test_line_ends_are_replaced_whole(tmp_path: Path) -> None:
    editor, title = opened(tmp_path, CHAT), "End all lines with LF"
    [action] = [each for each in fixes(ask(editor, 0)) if each["title"] == title]
    assert applied(CHAT, edits(action)) == CHAT.replace("\r\n", "\n")
    assert "command" not in action
    editor = opened(tmp_path, CHAT, options={"commands": ["llmblocks.endWithLf"]})
    commands = {each["title"]: each.get("command") for each in ask(editor, 0)}
    command = {"title": title, "command": "llmblocks.endWithLf", "arguments": [editor.uri(NAME)]}
    assert commands.pop(title) == command
    assert {*commands.values()} == {None}


TOML = "llmblocks.toml"
FILE = "x/a b.gadget"


def ignoring(folder: Path, *, workspace: bool = True, versions: bool = False) -> Editor:
    editor = Editor(folder, workspace=workspace, versions=versions, textDocument=ACTIONS)
    editor.open(FILE, TWICE)
    assert editor.codes(FILE) == ["G101"]
    return editor


def of_settings(editor: Editor, name: str = FILE, line: int = 3, character: int = 0, **context: Any) -> dict[str, Any]:
    """Return the edits of the actions that change settings, by title."""
    place = span(line, character, character)
    found = editor.of("codeAction", name, range=place, context={"diagnostics": [], **context})
    return {each["title"]: each["edit"] for each in found if "settings" in each["title"] or ".toml" in each["title"]}


def one_change(actions: dict[str, Any]) -> tuple[str, Any]:
    """Return the file and the edit of the one edit of the one action."""
    (edit,) = actions.values()
    ((uri, (change,)),) = edit["changes"].items()
    return uri, change


@pytest.mark.parametrize(("name", "before"), [(TOML, "[stf]\n"), ("pyproject.toml", "[tool.llmblocks]\n")])
def test_a_rule_is_ignored_in_a_settings_file_and_the_finding_goes(tmp_path: Path, name: str, before: str) -> None:
    (tmp_path / name).write_text(before, "utf-8")
    editor = ignoring(tmp_path)
    uri, change = one_change(of_settings(editor))
    assert (uri, change["range"]) == (editor.uri(name), span(1, 0, 0))
    editor.save(name, before + change["newText"])
    assert editor.codes(FILE) == []
    assert of_settings(editor) == {}


def test_a_settings_file_is_created_where_the_client_can(tmp_path: Path) -> None:
    editor = ignoring(tmp_path, versions=True)
    (edit,) = of_settings(editor).values()
    create, change = edit["documentChanges"]
    uri = editor.uri(TOML)
    assert create == {"kind": "create", "uri": uri, "options": {"ignoreIfExists": True}}
    assert change["textDocument"] == {"uri": uri, "version": None}
    (inserted,) = change["edits"]
    editor.save(TOML, inserted["newText"])
    assert editor.codes(FILE) == []


@pytest.mark.parametrize(
    ("text", "workspace"),
    [(b"[stf]\n", False), *((each, True) for each in (None, b"no TOML", b"rules = {}\n", b"\0", b"\xff\xfe"))],
)
def test_no_rule_is_ignored_in_settings_that_cannot_be_edited(
    tmp_path: Path, text: bytes | None, workspace: bool
) -> None:
    if text is not None:
        (tmp_path / TOML).write_bytes(text)
    assert of_settings(ignoring(tmp_path, workspace=workspace)) == {}


def test_an_action_is_in_force_at_once_in_a_settings_file_that_is_not_saved(tmp_path: Path) -> None:
    (tmp_path / TOML).write_text("[stf]\n", "utf-8")
    editor = ignoring(tmp_path)
    editor.open("y.gadget", TWICE)
    editor.open(TOML)
    texts = ["[stf]\n"]

    def edited(text: str) -> list[list[str]]:
        editor.rewrite(TOML, text, version=2)
        return [editor.codes(name) for name in (FILE, "y.gadget")]

    for name, codes in ((FILE, [[], ["G101"]]), ("y.gadget", [[], []])):
        _, change = one_change(of_settings(editor, name))
        texts.append(applied(texts[-1], [change]))
        assert edited(texts[-1]) == codes
    # undone, or closed without being saved, it is over
    assert edited(texts[1]) == [[], ["G101"]]
    assert edited(texts[0]) == [["G101"], ["G101"]]
    assert edited(texts[1]) == [[], ["G101"]]
    editor.close(TOML)
    assert editor.codes(FILE) == ["G101"]


def test_an_unregistered_tag_is_registered(tmp_path: Path) -> None:
    (tmp_path / TOML).write_text("[stf]\n", "utf-8")
    editor = Editor(tmp_path, workspace=True, textDocument=ACTIONS)
    editor.open("a.blocks", "See <citation>x</citation>, <b> and <think>y</think>.\n", "custom-blocks")
    for character in (0, 29, 45):
        assert of_settings(editor, "a.blocks", 0, character) == {}
    title = "Register <citation> in llmblocks.toml"
    assert [*of_settings(editor, "a.blocks", 0, 17)] == [title]
    _, change = one_change(of_settings(editor, "a.blocks", 0, 6))
    editor.save(TOML, "[stf]\n" + change["newText"])
    assert of_settings(editor, "a.blocks", 0, 6) == {}


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


def declaring(folder: Path, *, versions: bool = True) -> Editor:
    pytest.importorskip("tree_sitter_typescript", reason="llmblocks[code] is not installed")
    editor = Editor(folder, workspace=True, versions=versions, textDocument=ACTIONS)
    editor.write("src/a.ts", CODE)
    editor.open("src/a.ts", language_id="typescript")
    editor.open("a.gadget", "<Citation>x</Citation>\n!!!GADGET_START:Read:r\n!!!GADGET_END\n")
    assert editor.codes("a.gadget") == []
    return editor


def test_an_action_registers_the_tags_of_the_code_at_the_cursor(tmp_path: Path) -> None:
    editor = declaring(tmp_path)
    assert of_settings(editor, "src/a.ts", 0) == of_settings(editor, "src/a.ts", only=["refactor"]) == {}
    assert [*of_settings(editor, "src/a.ts", 4)] == ["Register <citation>, <done> in llmblocks.toml"]
    (edit,) = of_settings(editor, "src/a.ts").values()
    (create, change) = edit["documentChanges"]
    assert create["kind"] == "create"
    editor.save(TOML, change["edits"][0]["newText"])
    assert editor.codes("a.gadget") == ["T004"]
    assert of_settings(editor, "src/a.ts") == {}


def test_an_action_names_the_code_as_the_source_of_gadgets(tmp_path: Path) -> None:
    (tmp_path / TOML).write_text("[gadget.schemas]\n", "utf-8")
    editor = declaring(tmp_path, versions=False)
    actions = of_settings(editor, "src/a.ts", 7)
    assert [*actions] == ["Check calls of Read against this file, in llmblocks.toml"]
    editor.save(TOML, "[gadget.schemas]\n" + one_change(actions)[1]["newText"])
    assert editor.codes("a.gadget") == ["G203"]
    assert of_settings(editor, "src/a.ts", 7) == {}
    # the code is the schema: what changes there counts at once
    editor.save("src/a.ts", CODE.replace("path: z.string()", ""))
    assert editor.codes("a.gadget") == []


def test_a_command_shows_all_that_the_code_declares(tmp_path: Path) -> None:
    editor = declaring(tmp_path)
    shown = editor.run("showDeclared", "a.gadget")
    assert shown["languageId"] == "toml"
    assert '[tags.declared.citation]  # src/a.ts:4\ndescription = "A quotation."\n' in shown["text"]
    assert '"**" = ["src/a.ts"]' in shown["text"]
    editor.save(TOML, shown["text"])
    assert editor.codes("a.gadget") == ["T004", "G203"]
    assert editor.run("showDeclared", "a.gadget")["kind"] == "message"
