"""A person's keys in a simulated editor: the text is what was typed, and completion saves most keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.plain_editor import Editor, Kind
from editors import flow
from editors.hands import Deed, Pick, Press, Step, apart
from editors.hands_texts import DEEDS
from wire import Wire

KINDS = (
    Kind("accepts by Tab"),
    # the defaults of VS Code, with none of the settings that its extension brings
    Kind("accepts by Enter, and guesses", enter=True, guesses=True, snippets=True),
)
MOVES = Kind("moves the caret behind what is inserted", keeps=False)
# the server is not reported of a paste; the settings are not document of its
DONE = [each for each in DEEDS if each.name != "a pasted end" and not each.file.endswith(".toml")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hands")
    flow.prepare(folder)
    return folder


@pytest.fixture(scope="module", params=KINDS, ids=str)
def editor(request: pytest.FixtureRequest, folder: Path) -> Iterator[Editor]:
    with Wire() as wire:
        yield Editor.started(wire, request.param, folder)
        assert wire.end() == 0


@pytest.fixture(scope="module")
def moving(folder: Path) -> Iterator[Editor]:
    with Wire() as wire:
        yield Editor.started(wire, MOVES, folder)
        assert wire.end() == 0


@pytest.mark.parametrize("deed", DONE, ids=str)
def test_the_text_is_what_was_typed(editor: Editor, deed: Deed) -> None:
    assert editor.do(deed) == deed.expected


@pytest.mark.parametrize("deed", DONE, ids=str)
def test_what_was_typed_stays_together_where_the_caret_moves(moving: Editor, deed: Deed) -> None:
    moving.do(deed)
    text, caret = apart(deed.expected)
    assert moving.text[: moving.caret] == text[:caret]


NEXT, OPEN, RIGHT = Press("Tab"), Press("Suggest"), Press("Right")
SEARCH, READ, END = "!!!GADGET_START:SearchCode", "!!!GADGET_START:ReadFile", "!!!GADGET_END"
# with places to fill in, and without
FLOWS: tuple[tuple[flow.Flow, tuple[Step, ...], tuple[Step, ...]], ...] = (
    (
        flow.CALLS,
        (
            *("!", Pick(SEARCH), NEXT, "send", NEXT, Pick("regex"), "\n!", Pick("!!!ARG:caseSensitive")),
            *(
                Pick("true"),
                "\n!",
                Pick("!!!ARG:maxResults"),
                "20",
                NEXT,
                NEXT,
                "\n!",
                Pick(READ),
                RIGHT,
                ":",
                Pick("s1"),
            ),
            *(NEXT, "a.txt", NEXT),
        ),
        (
            *("!", Pick(SEARCH), "send\n!", Pick("!!!ARG:mode"), OPEN, Pick("regex"), "\n!"),
            *(Pick("!!!ARG:caseSensitive"), OPEN, Pick("true"), "\n!", Pick("!!!ARG:maxResults"), "20\n!", Pick(END)),
            *("\n!", Pick(READ), Press("Up", 2), Press("End"), ":", Pick("s1"), Press("Down", 2)),
            *("a.txt\n!", Pick(END)),
        ),
    ),
    (
        flow.CHAT,
        (
            *("@s", Pick("system"), "\nBe brief.\n@", Pick("user"), " ", Pick("name"), "Ada", NEXT, "\nHi\n@"),
            *(Pick("assistant"), "\n@c", Pick("call"), "find", NEXT, NEXT),
            *('"limit": 20', Press("Down"), "\n@", Pick("tool"), "Nothing.\n@r", Pick("raw")),
            *(
                Pick("assistant"),
                NEXT,
                "Sorry.",
                NEXT,
                "@",
                Pick("user"),
                " ",
                Pick("name"),
                Pick("Ada"),
                NEXT,
                "\nThanks\n",
            ),
        ),
        (
            *("@s", Pick("system"), "\nBe brief.\n@", Pick("user"), " ", Pick("name"), '"Ada"\nHi\n@'),
            *(Pick("assistant"), "\n@c", Pick("call"), '"find" ', Pick("id"), "\n"),
            *('{"limit": 20}\n@', Pick("tool"), "Nothing.\n@r"),
            *(Pick("raw"), '"', Pick("assistant"), ", ", Pick("content")),
            *('"Sorry."}\n@', Pick("end"), "\n@", Pick("user"), " ", Pick("name"), '"', Pick("Ada"), "\nThanks\n"),
        ),
    ),
    (
        flow.BLOCKS,
        (
            *("<", Pick("think"), Pick("high"), NEXT, "Hm.", Press("End"), "\nSo: <an", Pick("answer"), "a"),
            *(Press("End"), "\n<", Pick("think"), Pick("low"), NEXT, "Done.", Press("End"), "\n"),
        ),
        (
            *("<", Pick("think"), " ", Pick("effort"), '"', Pick("high"), ">Hm.", Press("End"), "\nSo: <an"),
            *(Pick("answer"), ">a", Press("End"), "\n<", Pick("think"), " ", Pick("effort"), '"', Pick("low")),
            *(">Done.", Press("End"), "\n"),
        ),
    ),
)


@pytest.mark.parametrize(("written", "filled", "plain"), FLOWS, ids=[each.file for each, *_ in FLOWS])
def test_completion_writes_calls_chats_and_blocks_with_less_than_half_of_the_keys(
    editor: Editor, written: flow.Flow, filled: tuple[Step, ...], plain: tuple[Step, ...], folder: Path
) -> None:
    editor.open((folder / written.file).as_uri(), "$0")
    for step in filled if editor.kind.snippets else plain:
        editor.step(step)
    assert editor.text == written.text
    assert flow.share(editor.keys, written, str(editor.kind)) <= flow.MOST
