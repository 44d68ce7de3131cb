"""The server's features in the real VS Code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from editors.vscode.remote import RemoteError
from editors.vscode.samples import text_at
from editors.vscode.studio import Studio

CALLS = """\
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
CHAT = """\
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
def calls(studio: Studio, folder: Path) -> Iterator[str]:
    """The calls, open."""
    yield from opened(studio, folder / "feature.gadget", CALLS)


@pytest.fixture
def chat(studio: Studio, folder: Path) -> Iterator[str]:
    """The chat, open."""
    (folder / "picture.png").touch()
    yield from opened(studio, folder / "feature.stf", CHAT)


@pytest.fixture
def begun(studio: Studio, folder: Path) -> Iterator[str]:
    """A call that is being written, of a gadget with a schema."""
    schema = folder / "count.json"
    properties = {"number": {"type": "integer"}, "unit": {"type": "string"}}
    schema.write_text(json.dumps({"name": "Count", "parameters": {"type": "object", "properties": properties}}))
    studio.probe("configure", section="llmblocks.gadget.schemas", value={"**": [str(schema)]})
    yield from opened(studio, folder / "begun.gadget", "!!!GADGET_START:Count\n!!!ARG:colour\nred\n!!!ARG:")
    studio.probe("configure", section="llmblocks.gadget.schemas", value=None)


def opened(studio: Studio, path: Path, text: str) -> Iterator[str]:
    path.write_text(text, newline="")
    studio.probe("open", file=str(path))
    try:
        yield str(path)
    finally:
        studio.probe("command", name="workbench.action.revertAndCloseActiveEditor")
        path.unlink()


def focused(studio: Studio, file: str, position: tuple[int, int]) -> None:
    """Put the cursor somewhere, and wait until the keys go there: a list that opens before would close at once."""
    studio.probe("cursor", file=file, position=position)
    studio.browser("text", selector=".editor-group-container.active .monaco-editor.focused")


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


def becomes(studio: Studio, file: str, text: str) -> None:
    studio.probe("textBecomes", file=file, text=text)


def choose_fix(studio: Studio, title: str, file: str, text: str) -> None:
    """Choose a quick fix with the keys, which makes a text."""
    for _ in range(3):
        offered_fix(studio, title)
        studio.browser("press", key="Enter")
        with suppress(RemoteError):
            studio.probe("textBecomes", file=file, text=text, timeout=20_000)
            return
        studio.browser("press", key="Escape")
    becomes(studio, file, text)


def test_the_outline_and_the_breadcrumbs_name_calls_and_arguments(studio: Studio, calls: str) -> None:
    studio.probe("cursor", file=calls, position=text_at(CALLS, "tags/2"))
    studio.browser("text", selector=".breadcrumbs-below-tabs .monaco-breadcrumb-item:has-text('Write')")
    studio.browser("text", selector=".breadcrumbs-below-tabs .monaco-breadcrumb-item:has-text('tags/2')")
    studio.probe("command", name="outline.focus")
    studio.browser("text", selector=".outline-pane .monaco-list-row:has-text('Write')")
    studio.probe("command", name="workbench.action.focusActiveEditorGroup")


def test_a_quick_fix_is_chosen_with_the_keys(studio: Studio, calls: str) -> None:
    studio.probe("diagnostics", file=calls, codes=["G102"])
    focused(studio, calls, text_at(CALLS, "2\nold"))
    choose_fix(studio, "Change this index to 1", calls, CALLS.replace("tags/2", "tags/1"))
    studio.probe("diagnostics", file=calls, codes=[])


def test_a_fix_ends_the_lines_of_a_document_with_lf(studio: Studio, folder: Path) -> None:
    for file in opened(studio, folder / "ends.stf", ENDS):
        studio.probe("diagnostics", file=file, codes=["S301"])
        focused(studio, file, text_at(ENDS, "\r"))
        # an edit alone would be written with the ends that the document has
        choose_fix(studio, "End all lines with LF", file, ENDS.replace("\r\n", "\n"))
        studio.probe("diagnostics", file=file, codes=[])


def test_an_id_is_renamed_wherever_it_is_named(studio: Studio, calls: str) -> None:
    focused(studio, calls, text_at(CALLS, "one"))
    studio.probe("begin", name="editor.action.rename")
    studio.browser("text", selector=".rename-box input:focus")
    studio.browser("type", text="first")
    studio.browser("press", key="Enter")
    becomes(studio, calls, CALLS.replace("one", "first"))


def test_a_dependency_leads_to_its_call(studio: Studio, calls: str) -> None:
    definition = text_at(CALLS, "one")
    line, col = text_at(CALLS, "one", 1)
    studio.probe("cursor", file=calls, position=(line, col + 1))
    studio.probe("command", name="editor.action.revealDefinition")
    studio.probe("cursorBecomes", position=definition)


def test_a_call_of_another_file_is_found_by_its_name(studio: Studio, folder: Path, calls: str) -> None:
    other = str(folder / "examples" / "session.gadget")
    studio.probe("open", file=other)
    studio.probe("anyDiagnostics", file=other)
    studio.probe("open", file=calls)
    studio.probe("begin", name="workbench.action.showAllSymbols")
    studio.browser("text", selector=".quick-input-widget input:focus")
    studio.browser("type", text="find_callers")
    studio.browser("text", selector=".quick-input-list .monaco-list-row:has-text('find_callers')")
    studio.browser("press", key="Escape")


def test_hints_and_lenses_say_what_the_runtime_makes_of_a_call(studio: Studio, calls: str) -> None:
    studio.browser("text", selector=".codelens-decoration a:has-text('wave 1')")
    studio.browser("text", selector=".codelens-decoration a:has-text('rejected: Array index gap')")
    studio.browser("text", selector=".view-lines :text('number 7')")


def test_what_is_safe_is_fixed_on_save(studio: Studio, chat: str) -> None:
    studio.probe("diagnostics", file=chat, codes=["S001"])
    studio.probe("configure", section="editor.codeActionsOnSave", value={"source.fixAll.llmblocks": "explicit"})
    studio.probe("cursor", file=chat, position=(1, 0))
    studio.browser("type", text="x")
    studio.probe("command", name="workbench.action.files.save")
    assert Path(chat).read_text() == CHAT.replace("hi", "xhi").replace("@*/\n", "")
    studio.probe("configure", section="editor.codeActionsOnSave", value=None)


def test_a_file_is_formatted_on_save_where_its_user_wants_that(studio: Studio, chat: str) -> None:
    studio.probe("configure", section="editor.formatOnSave", value=True)
    studio.probe("cursor", file=chat, position=(1, 0))
    studio.browser("type", text="x")
    studio.probe("command", name="workbench.action.files.save")
    assert Path(chat).read_text() == CHAT.replace("hi", "xhi").replace("@user  name='Ada'", '@user name="Ada"')
    studio.probe("configure", section="editor.formatOnSave", value=None)


def test_the_parameters_of_a_gadget_are_shown_while_its_call_is_written(studio: Studio, begun: str) -> None:
    # the schema is in force
    studio.probe("diagnostics", file=begun, codes=["G008", "G106", "G202"])
    focused(studio, begun, (3, len("!!!ARG:")))
    studio.probe("begin", name="editor.action.triggerParameterHints")
    studio.browser("text", selector=".parameter-hints-widget.visible:has-text('number'):has-text('unit')")
    studio.browser("press", key="Escape")


COMPLETED = (("gadget", ""), ("gadget", "!!!"), ("stf", ""), ("stf", "u"), ("stf", "@"), ("custom-blocks", "<"))


@pytest.mark.parametrize(("language", "text"), COMPLETED, ids=[f"{each} {text!r}" for each, text in COMPLETED])
def test_completion_offers_each_thing_once(studio: Studio, language: str, text: str) -> None:
    uri = studio.probe("untitled", language=language, text=f"{text}\n")
    studio.probe("running")
    labels = studio.probe("now", file=uri, position=(0, len(text)))
    bare = [label.lstrip("@<!") for label in labels]
    assert all(bare)
    assert sorted(bare) == sorted(set(bare))
    studio.probe("command", name="workbench.action.revertAndCloseActiveEditor")
