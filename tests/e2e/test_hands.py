"""A person's keys in a simulated editor: the text is what was typed, and completion saves most keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.plain_editor import Editor, Kind
from editors.hands import Deed, Pick, Press, Step, apart
from editors.hands_texts import DEEDS
from wire import Wire

pytestmark = pytest.mark.plain
KINDS = (
    Kind("accepts by Tab"),
    # the defaults of VS Code, with none of the settings that its extension brings
    Kind("accepts by Enter, and guesses", enter=True, guesses=True, snippets=True),
)
MOVES = Kind("moves the caret behind what is inserted", keeps=False)
MOST_KEYS = 0.45
"""The share of the keys of typing a text out that its completions may take."""
# the server is not told of a paste; the settings are no document of its
DONE = [each for each in DEEDS if each.name != "a pasted end" and not each.file.endswith(".toml")]


def schema(required: list[str], **properties: object) -> object:
    return {"type": "object", "properties": properties, "required": required}


TEXT = {"type": "string"}
GADGETS = [
    {
        "name": "SearchCode",
        "schema": schema(
            ["pattern", "mode"],
            limit={"type": "integer"},
            pattern=TEXT,
            recursive={"type": "boolean"},
            mode={"enum": ["regex", "literal"]},
        ),
    },
    {"name": "ReadFile", "schema": schema(["filePath"], filePath=TEXT)},
]


SETTINGS = """
[gadget.schemas]
"*" = ["gadgets.json"]
[tags.declared.think]
attributes.effort = { required = true, values = ["low", "high"] }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hands")
    (folder / "gadgets.json").write_text(json.dumps(GADGETS), "utf-8")
    (folder / "llmblocks.toml").write_text(SETTINGS, "utf-8")
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


CALLS = """\
!!!GADGET_START:SearchCode:s1
!!!ARG:pattern
client
!!!ARG:mode
regex
!!!ARG:limit
20
!!!ARG:recursive
true
!!!GADGET_END
!!!GADGET_START:ReadFile:r1:s1
!!!ARG:filePath
src/client.ts
!!!GADGET_END
"""
CHAT = """\
@system
Be brief.
@user name="Ada"
Hi
@assistant
@call name="find" id="c1"
{"limit": 20}
@tool call_id="c1"
Nothing.
@raw
{role: "assistant", content: "Sorry."}
@end
@user name="Ada"
Thanks
"""
FREE = ("Be brief.", "Ada", "Hi", "find", '"limit": 20', "Nothing.", "Sorry.", "Thanks")
"""What no editor can know of the chat. The keys for it are counted apart."""
BLOCKS = """\
<think effort="high">Hm.</think>
So: <answer>a</answer>
<think effort="low">Done.</think>
"""
NEXT, OPEN, RIGHT = Press("Tab"), Press("Suggest"), Press("Right")
SEARCH, READ, END = "!!!GADGET_START:SearchCode", "!!!GADGET_START:ReadFile", "!!!GADGET_END"
# with places to fill in, and without
FLOWS: dict[str, tuple[str, tuple[Step, ...], tuple[Step, ...]]] = {
    "calls.gadget": (
        CALLS,
        (
            *("!", Pick(SEARCH), NEXT, "client", NEXT, Pick("regex"), "\n!", Pick("!!!ARG:limit"), "20\n!"),
            *(Pick("!!!ARG:recursive"), Pick("true"), NEXT, "\n!", Pick(READ), RIGHT, ":", Pick("s1"), NEXT),
            *("src/client.ts", NEXT, "\n"),
        ),
        (
            *("!", Pick(SEARCH), "client\n!", Pick("!!!ARG:mode"), OPEN, Pick("regex"), "\n!", Pick("!!!ARG:limit")),
            *("20\n!", Pick("!!!ARG:recursive"), OPEN, Pick("true"), "\n!", Pick(END), "\n!", Pick(READ)),
            *(Press("Up", 2), Press("End"), ":", Pick("s1"), Press("Down", 2), "src/client.ts\n!", Pick(END), "\n"),
        ),
    ),
    "chat.stf": (
        CHAT,
        (
            *("@s", Pick("system"), "\nBe brief.\n@", Pick("user"), " ", Pick("name"), "Ada", NEXT, "\nHi\n@"),
            *(Pick("assistant"), "\n@c", Pick("call"), "find", NEXT, NEXT),
            *('"limit": 20', Press("Down"), "\n@", Pick("tool"), Pick("c1"), NEXT, "Nothing.\n@r", Pick("raw")),
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
            *(Pick("assistant"), "\n@c", Pick("call"), '"find" ', Pick("id"), '"', Pick("c1"), "\n"),
            *('{"limit": 20}\n@', Pick("tool"), '"', Pick("c1"), "\nNothing.\n@r"),
            *(Pick("raw"), '"', Pick("assistant"), ", ", Pick("content")),
            *('"Sorry."}\n@', Pick("end"), "\n@", Pick("user"), " ", Pick("name"), '"', Pick("Ada"), "\nThanks\n"),
        ),
    ),
    "blocks.blocks": (
        BLOCKS,
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
}


@pytest.mark.parametrize("name", FLOWS)
def test_completion_writes_calls_chats_and_blocks_with_less_than_half_of_the_keys(
    editor: Editor, name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, filled, plain = FLOWS[name]
    editor.open((folder / name).as_uri(), "$0")
    for step in filled if editor.kind.snippets else plain:
        editor.step(step)
    assert editor.text == text
    free = sum(map(len, FREE)) if name == "chat.stf" else 0
    share = (editor.keys - free) / (len(text) - free)
    with capsys.disabled():
        print(
            f"\n{name}, {editor.kind}: {editor.keys} keys for {len(text)} characters, {free} of them free: {share:.0%}"
        )
    assert share <= MOST_KEYS
