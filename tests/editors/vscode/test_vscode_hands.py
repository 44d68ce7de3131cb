"""What a person types, with VS Code's own default settings: the file holds it, once, and the caret is behind it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from editors.hands import CARET, FAST, PERSON, Deed, Paste, Pick, Press, Step, apart, keys, runs, wrong
from editors.hands_texts import CALLS_OF_SCHEMAS, DEEDS, MOST_KEYS, SCHEMAS, TYPED
from editors.vscode.remote import RemoteError
from editors.vscode.studio import Studio

PAUSE_MS = {FAST: 0, PERSON: 60}
KEYS = {
    "Undo": "Control+z",
    "Redo": "Control+Shift+z",
    "Left": "ArrowLeft",
    "Right": "ArrowRight",
    "Up": "ArrowUp",
    "Down": "ArrowDown",
}
# much longer than it takes, and short enough to see many fail
PATIENCE_MS = 10_000


class Hands:
    """Hands at the keyboard of an editor with one file."""

    def __init__(self, studio: Studio, file: Path, start: str) -> None:
        self._studio = studio
        self.file = str(file)
        # how far from the focused one each item was
        self.places: dict[Step, int] = {}
        text, caret = apart(start)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        studio.probe("open", file=self.file)
        before = text[:caret]
        studio.probe("cursor", file=self.file, position=[before.count("\n"), len(before.rpartition("\n")[2])])
        studio.browser("text", selector=".editor-group-container.active .monaco-editor.focused")

    def do(self, step: Step, pace: str) -> None:
        """Do one step."""
        match step:
            case str():
                self._studio.browser("runs", runs=list(runs(step)), pauseMs=PAUSE_MS[pace])
            case Press(key, times):
                for _ in range(times):
                    self._studio.browser("press", key=KEYS.get(key, key))
            case Paste(text):
                self._studio.browser("paste", text=text)
                # it comes late, and VS Code drops it where the next key is faster
                self._studio.probe("holds", file=self.file, part=text)
            case Pick(label):
                self.places[step] = self._studio.browser("pick", label=label)

    def becomes(self, outcomes: tuple[str, ...]) -> None:
        """Wait until the text and the caret are as expected, and see that they stay so."""
        for _ in range(2):
            try:
                self._studio.probe("stands", file=self.file, outcomes=list(map(apart, outcomes)), timeout=PATIENCE_MS)
            except RemoteError:
                now = self._studio.probe("stands", file=self.file)
                pytest.fail(wrong(outcomes[0], *now), pytrace=False)
            # the server answers in order: what it was asked before has been answered
            self._studio.probe("now", file=self.file, position=[0, 0])


@pytest.fixture
def hands(studio: Studio, folder: Path, deed: Deed) -> Iterator[Hands]:
    """Hands at the start of a deed."""
    studio.probe("running")
    # a folder for each: the settings that one types are in force for none of the others
    yield Hands(studio, folder / "hands" / deed.file.replace(".", "-") / deed.file, deed.start)
    studio.probe("command", name="workbench.action.revertAndCloseActiveEditor")


@pytest.mark.parametrize("deed", TYPED, ids=str)
def test_the_file_holds_what_was_typed_fast(hands: Hands, deed: Deed) -> None:
    for step in deed.steps:
        hands.do(step, FAST)
    hands.becomes(deed.outcomes(FAST))


@pytest.mark.parametrize("deed", DEEDS, ids=str)
def test_the_file_holds_what_a_person_typed_and_undo_takes_all_back(studio: Studio, hands: Hands, deed: Deed) -> None:
    for step in deed.steps:
        hands.do(step, PERSON)
    hands.becomes(deed.outcomes(PERSON))
    assert studio.probe("undone", file=hands.file, text=apart(deed.start)[0]) == []


TAB = Press("Tab")
FLOW = (
    *("!", Pick("!!!GADGET_START:ReadFile"), TAB, "a.txt", TAB),
    *("\n!", Pick("!!!GADGET_START:WriteFile"), Press("Right"), ":", Pick("r1"), TAB, "b.txt"),
    *("\n!", Pick("!!!ARG:createFolders"), Pick("true"), TAB, "hello", TAB, Pick("overwrite")),
)
CHAT = Deed(
    "a chat",
    "flow.stf",
    (
        "@",
        Pick("system"),
        "\nBe brief.\n@",
        Pick("user"),
        " ",
        Pick("name"),
        "Ada",
        Press("End"),
        "\nHi\n@",
        Pick("assistant"),
        "\nHello",
    ),
    '@system\nBe brief.\n@user name="Ada"\nHi\n@assistant\nHello$0',
)
BLOCK = Deed(
    "a block",
    "flow.blocks",
    ("Hm. <", Pick("think"), "So.</", Pick("think>"), " Yes."),
    "Hm. <think>So.</think> Yes.$0",
)


def typed(hands: Hands, deed: Deed) -> float:
    """Type with completion; gives the part of the keys that it takes."""
    for step in deed.steps:
        hands.do(step, FAST)
    hands.becomes((deed.expected,))
    return (keys(deed.steps) + sum(hands.places.values())) / len(apart(deed.expected)[0])


def test_calls_are_written_with_completion_where_each_step_opens_the_next_list(
    studio: Studio, folder: Path, figures: Callable[..., None]
) -> None:
    home = folder / "hands" / "flow"
    home.mkdir(parents=True)
    (home / "gadgets.json").write_text(json.dumps(SCHEMAS))
    (home / "llmblocks.toml").write_text('[gadget]\nschemas."**" = ["gadgets.json"]\n')
    deed = Deed("calls", "flow.gadget", FLOW, f"{CALLS_OF_SCHEMAS}{CARET}")
    part = typed(Hands(studio, home / deed.file, deed.start), deed)
    figures(part_of_keys_for_calls=round(part, 2))
    assert part <= MOST_KEYS
    studio.screenshot("flow")
    studio.probe("command", name="workbench.action.revertAndCloseActiveEditor")


@pytest.mark.parametrize("deed", [CHAT, BLOCK], ids=str)
def test_chats_and_blocks_are_written_with_completion(hands: Hands, deed: Deed, figures: Callable[..., None]) -> None:
    part = typed(hands, deed)
    figures(**{f"part_of_keys_for_{deed.name.replace(' ', '_')}": round(part, 2)})
    assert part < 1


def test_enter_accepts_only_what_was_chosen_with_the_arrows(studio: Studio, folder: Path) -> None:
    hands = Hands(studio, folder / "hands" / "enter" / "enter.stf", CARET)
    studio.browser("type", text="@s")
    studio.browser("text", selector=".suggest-widget.visible .monaco-list-row.focused:has-text('system')")
    studio.browser("press", key="ArrowDown")
    studio.browser("text", selector=".suggest-widget.visible .monaco-list-row.focused:has-text('sys')")
    studio.browser("press", key="ArrowUp")
    studio.browser("text", selector=".suggest-widget.visible .monaco-list-row.focused:has-text('system')")
    studio.browser("press", key="Enter")
    hands.becomes((f"@system{CARET}",))
    studio.browser("type", text="\n@us")
    studio.browser("text", selector=".suggest-widget.visible .monaco-list-row.focused:has-text('user')")
    studio.browser("press", key="Enter")
    hands.becomes((f"@system\n@us\n{CARET}",))
    studio.probe("command", name="workbench.action.revertAndCloseActiveEditor")


def test_several_carets_type_the_same(studio: Studio, folder: Path) -> None:
    hands = Hands(studio, folder / "hands" / "carets" / "carets.blocks", f"{CARET}one\ntwo\n")
    studio.probe("command", name="editor.action.insertCursorBelow")
    hands.do("<b>so</b> ", PERSON)
    hands.becomes((f"<b>so</b> {CARET}one\n<b>so</b> two\n",))
    studio.probe("command", name="workbench.action.revertAndCloseActiveEditor")
