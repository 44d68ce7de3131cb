"""The extension in real VS Code: what a user sees and does, features of the server, and files of settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from editors.embedded_texts import NOTES
from editors.vscode.samples import CALLS, CHAT, RAW, semantic_tokens, text_at
from editors.vscode.studio import RemoteError, Studio
from folders import written


def test_squiggles_are_under_the_right_text_with_the_right_message(studio: Studio, folder: Path) -> None:
    file = str(folder / "calls.gadget")
    studio.probe("open", file=file)
    duplicate, gap = sorted(studio.probe("diagnostics", file=file, codes=["G101", "G102"]), key=lambda one: one["code"])
    assert duplicate["text"] == "filePath"
    assert duplicate["range"][0] == text_at(CALLS, "filePath", 1)[0]
    assert duplicate["message"].startswith("Duplicate pointer: filePath")
    assert duplicate["severity"] == "Error"
    assert duplicate["source"] == "llmblocks"
    assert [other["range"][0] for other in duplicate["related"]] == [text_at(CALLS, "filePath")[0]]
    assert gap["text"] == "2"
    assert gap["message"].startswith("Array index gap: expected 1, got 2")
    studio.browser("text", selector=".view-overlays .squiggly-error")


FILES: tuple[tuple[str, str, str, list[str]], ...] = (
    ("main/.llmist/logs/brave-otter/0001.response", CALLS, "gadget", ["G101", "G102"]),
    ("main/.llmist/logs/brave-otter/0001.request", "=== USER ===\nhello\n", "request", []),
    ("other/second.gadget", CALLS, "gadget", ["G101", "G102"]),
    ("main/answer.completion", RAW, "completion", ["M005"]),
)


@pytest.mark.parametrize(("name", "text", "language", "codes"), FILES, ids=[each[0] for each in FILES])
def test_a_file_of_any_folder_has_its_language_and_is_checked(
    studio: Studio, folder: Path, name: str, text: str, language: str, codes: list[str]
) -> None:
    file = str(written(folder.parent / name, text))
    assert studio.probe("open", file=file)["language"] == language
    studio.probe("diagnostics", file=file, codes=codes)


SCOPES = (
    ("calls.gadget", CALLS, "!!!GADGET_START:", "keyword.control.start.gadget"),
    ("calls.gadget", CALLS, "const", "storage.type.ts"),
    ("calls.gadget", CALLS, "think", "entity.name.tag.custom-blocks"),
    ("chat.stf", CHAT, "system", "keyword.control.message.stf"),
    ("chat.stf", CHAT, "role", "support.type.property-name.json.json5"),
    ("answer.completion", RAW, "<tool_call>", "keyword.control.delimiter.completion"),
    ("notes.md", NOTES, "Read", "entity.name.function.gadget"),
    ("notes.md", NOTES, "Notes", "markup.heading.markdown"),
)


@pytest.mark.parametrize(("name", "text", "part", "scope"), SCOPES, ids=[each[2] for each in SCOPES])
def test_a_token_has_its_scope(studio: Studio, folder: Path, name: str, text: str, part: str, scope: str) -> None:
    file = folder / name
    studio.probe("open", file=str(file))
    line, col = text_at(text, part)
    assert scope in studio.inspect(file, (line, col + 1))


def test_a_setting_reaches_the_server_and_leaves_again(studio: Studio, folder: Path) -> None:
    file = str(folder / "calls.gadget")
    studio.probe("open", file=file)
    studio.probe("diagnostics", file=file, codes=["G101", "G102"])
    studio.probe("configure", section="llmblocks.rules.ignore", value=["G102"])
    studio.probe("diagnostics", file=file, codes=["G101"])
    studio.probe("configure", section="llmblocks.rules.ignore", value=None)
    studio.probe("diagnostics", file=file, codes=["G101", "G102"])


TWO_CALLS = """\
!!!GADGET_START:Read:one
!!!ARG:path
a.txt
!!!GADGET_END

!!!GADGET_START:Write:two:one
!!!ARG:count
007
!!!ARG:tags/0
new
!!!ARG:tags/2
old
!!!GADGET_END
"""
MISTYPED = """\
@user  name='Ada'
hi
@embed type=image mime=image/png
picture.png
@ai
there
@*/
"""
ENDS = "@user\r\nHello\r\n@ai\r\nHi\r\n"


@pytest.fixture
def chat(studio: Studio, folder: Path) -> str:
    """The chat, open."""
    (folder / "picture.png").touch()
    return studio.opened(folder / "feature.stf", MISTYPED)


def offered_fix(studio: Studio, title: str) -> None:
    """Open the menu of quick fixes. VS Code closes it where the focus moves: a person presses the keys again."""
    row = f".action-widget .monaco-list-row.focused:has-text('{title}')"
    for _ in range(5):
        studio.probe("begin", name="editor.action.quickFix")
        try:
            studio.browser("text", selector=row, timeout=15_000)
            return
        except RemoteError:
            studio.browser("press", key="Escape")
    studio.browser("text", selector=row)


def choose_fix(studio: Studio, title: str, file: str, text: str) -> None:
    """Choose a quick fix with the keys, which makes a text."""
    for _ in range(3):
        offered_fix(studio, title)
        studio.browser("press", key="Enter")
        with suppress(RemoteError):
            studio.probe("textBecomes", file=file, text=text, timeout=20_000)
            return
        studio.browser("press", key="Escape")
    studio.becomes(file, text)


def test_a_quick_fix_is_chosen_with_the_keys(studio: Studio, folder: Path) -> None:
    calls = studio.opened(folder / "feature.gadget", TWO_CALLS)
    studio.probe("diagnostics", file=calls, codes=["G102"])
    studio.focus(calls, text_at(TWO_CALLS, "2\nold"))
    choose_fix(studio, "Change this index to 1", calls, TWO_CALLS.replace("tags/2", "tags/1"))
    studio.probe("diagnostics", file=calls, codes=[])


def test_a_fix_ends_the_lines_of_a_document_with_lf(studio: Studio, folder: Path) -> None:
    file = studio.opened(folder / "ends.stf", ENDS)
    studio.probe("diagnostics", file=file, codes=["S301"])
    studio.focus(file, text_at(ENDS, "\r"))
    # an edit alone would be written with the ends that the document has
    choose_fix(studio, "End all lines with LF", file, ENDS.replace("\r\n", "\n"))
    studio.probe("diagnostics", file=file, codes=[])


SAVED = (
    ("codeActionsOnSave", {"source.fixAll.llmblocks": "explicit"}, ("@*/\n", "")),
    ("formatOnSave", True, ("@user  name='Ada'", '@user name="Ada"')),
)


@pytest.mark.parametrize(("setting", "value", "change"), SAVED, ids=["fixed", "formatted"])
def test_a_file_is_fixed_and_formatted_on_save_where_its_user_wants_that(
    studio: Studio, chat: str, setting: str, value: object, change: tuple[str, str]
) -> None:
    studio.probe("diagnostics", file=chat, codes=["S001"])
    studio.probe("configure", section=f"editor.{setting}", value=value)
    studio.focus(chat, (1, 0))
    studio.browser("type", text="x")
    studio.probe("command", name="workbench.action.files.save")
    assert Path(chat).read_text() == MISTYPED.replace("hi", "xhi").replace(*change)


COMPLETED = (("gadget", ""), ("gadget", "!!!"), ("stf", ""), ("stf", "u"), ("stf", "@"), ("custom-blocks", "<"))


@pytest.mark.parametrize(("language", "text"), COMPLETED, ids=[f"{each} {text!r}" for each, text in COMPLETED])
def test_completion_offers_each_thing_once(studio: Studio, language: str, text: str) -> None:
    uri = studio.probe("untitled", language=language, text=f"{text}\n")
    studio.probe("running")
    labels = studio.probe("now", file=uri, position=(0, len(text)))
    bare = [label.lstrip("@<!") for label in labels]
    assert all(bare)
    assert sorted(bare) == sorted(set(bare))


TOML = """\
[stf]
dialect = ";"

[rules]
ignore = ["G102", ]

# [rules] is above
[diagnostics]
maxPerDocument = 5000

"""
PYPROJECT = """\
[project]
name = "x"

[tool.llmblocks.gadget]

"""


@pytest.fixture
def project(request: pytest.FixtureRequest, studio: Studio, folder: Path) -> Iterator[Path]:
    """A settings file in the workspace, only while it is tested, and of another folder each time.

    VS Code keeps the text of a file for a while after it was closed.
    """
    path = folder.parent / "other" / request.node.name / "llmblocks.toml"
    studio.opened(path, TOML)
    yield path
    path.unlink()


def test_a_key_that_is_chosen_is_typed_with_its_value(studio: Studio, project: Path) -> None:
    studio.focus(project, (TOML.count("\n"), 0))
    studio.browser("type", text="deli")
    studio.browser("text", selector=".suggest-widget.visible .monaco-list-row.focused")
    studio.browser("press", key="Tab")
    # the values come by themselves
    studio.browser("text", selector=".suggest-widget.visible .monaco-list-row:has-text('push')")
    studio.browser("type", text="push")
    studio.browser("press", key="Tab")
    studio.becomes(project, f'{TOML}delivery = "push"')


def test_the_table_of_pyproject_is_completed_and_no_other(studio: Studio, folder: Path) -> None:
    file = studio.opened(folder / "pyproject.toml", PYPROJECT)
    offered = studio.probe("completions", file=file, position=(PYPROJECT.count("\n"), 0))
    assert {*offered} >= {"markers", "markersFrom", "schemas"}
    assert "[tool.llmblocks.rules]" in studio.probe("completions", file=file, position=(3, 1))
    assert studio.probe("now", file=file, position=(2, 0)) == []
    studio.probe("closeAll")
    Path(file).unlink()


def test_settings_are_coloured(studio: Studio, project: Path) -> None:
    # the server has them, as VS Code has no grammar for TOML
    assert semantic_tokens(studio.probe("semanticTokens", file=str(project)))
    assert "semantic token type\tproperty" in studio.inspect(project, text_at(TOML, "maxPerDocument"))


def test_a_wrong_setting_gets_a_squiggle_as_it_is_typed(studio: Studio, project: Path) -> None:
    studio.probe("cursor", file=str(project), position=(TOML.count("\n"), 0))
    studio.browser("type", text="maxPerDokument = 3\n")
    studio.browser("press", key="Escape")
    [finding] = studio.probe("diagnostics", file=str(project), codes=["C002"])
    assert finding["text"] == "maxPerDokument"
    assert "maxPerDocument" in finding["message"]
