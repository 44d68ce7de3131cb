"""The server's features in the real VS Code."""

from __future__ import annotations

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
def chat(studio: Studio, folder: Path) -> str:
    """The chat, open."""
    (folder / "picture.png").touch()
    return studio.opened(folder / "feature.stf", CHAT)


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


def test_a_quick_fix_is_chosen_with_the_keys(studio: Studio, folder: Path) -> None:
    calls = studio.opened(folder / "feature.gadget", CALLS)
    studio.probe("diagnostics", file=calls, codes=["G102"])
    focused(studio, calls, text_at(CALLS, "2\nold"))
    choose_fix(studio, "Change this index to 1", calls, CALLS.replace("tags/2", "tags/1"))
    studio.probe("diagnostics", file=calls, codes=[])


def test_a_fix_ends_the_lines_of_a_document_with_lf(studio: Studio, folder: Path) -> None:
    file = studio.opened(folder / "ends.stf", ENDS)
    studio.probe("diagnostics", file=file, codes=["S301"])
    focused(studio, file, text_at(ENDS, "\r"))
    # an edit alone would be written with the ends that the document has
    choose_fix(studio, "End all lines with LF", file, ENDS.replace("\r\n", "\n"))
    studio.probe("diagnostics", file=file, codes=[])


def test_what_is_safe_is_fixed_on_save(studio: Studio, chat: str) -> None:
    studio.probe("diagnostics", file=chat, codes=["S001"])
    studio.probe("configure", section="editor.codeActionsOnSave", value={"source.fixAll.llmblocks": "explicit"})
    studio.probe("cursor", file=chat, position=(1, 0))
    studio.browser("type", text="x")
    studio.probe("command", name="workbench.action.files.save")
    assert Path(chat).read_text() == CHAT.replace("hi", "xhi").replace("@*/\n", "")


def test_a_file_is_formatted_on_save_where_its_user_wants_that(studio: Studio, chat: str) -> None:
    studio.probe("configure", section="editor.formatOnSave", value=True)
    studio.probe("cursor", file=chat, position=(1, 0))
    studio.browser("type", text="x")
    studio.probe("command", name="workbench.action.files.save")
    assert Path(chat).read_text() == CHAT.replace("hi", "xhi").replace("@user  name='Ada'", '@user name="Ada"')


COMPLETED = (("gadget", ""), ("gadget", "!!!"), ("stf", ""), ("stf", "u"), ("stf", "@"), ("custom-blocks", "<"))


@pytest.mark.parametrize(("language", "text"), COMPLETED, ids=[f"{each} {text!r}" for each, text in COMPLETED])
def test_completion_offers_each_thing_once(studio: Studio, language: str, text: str) -> None:
    uri = studio.probe("untitled", language=language, text=f"{text}\n")
    studio.probe("running")
    labels = studio.probe("now", file=uri, position=(0, len(text)))
    bare = [label.lstrip("@<!") for label in labels]
    assert all(bare)
    assert sorted(bare) == sorted(set(bare))
