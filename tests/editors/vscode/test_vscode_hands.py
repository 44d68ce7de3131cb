"""With VS Code's default settings, typed text is in the file once, and the caret is after it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from editors import flow
from editors import hands as typed
from editors.hands import CALM, CARET, FAST, IN_TWO_LINES, PERSON, RACES, Deed, Paste, Pick, Press, Step, apart, runs
from editors.vscode.studio import RemoteError, Studio

PAUSE_MS = {FAST: 0, PERSON: 40}
ENDED = re.compile(r"[^\n>]*[\n>]|[^\n>]+")
"""A text up to what the server may insert an end behind."""
# much longer than it takes, and short enough to see many fail
PATIENCE_MS = 30_000


TAB, END = Press("Tab"), Press("End")
SELECT = Press("Control+Shift+ArrowLeft")
NAMED = "!!!GADGET_START:{}:id\n!!!GADGET_END\n"
FOUND = f"I read it.\n!!!GADGET_START:ReadFile:r1\n!!!ARG:filePath\na.txt{CARET}\n!!!GADGET_END"
LISTED = (
    Deed(
        "where a key is taken back",
        "back.stf",
        (Press("Backspace", 4), "d", Pick("developer")),
        f"@developer{CARET}\nHi\n",
        f"@user{CARET}\nHi\n",
    ),
    Deed(
        "where a letter replaces a selected name",
        "over.gadget",
        (SELECT, "R", Pick("ReadFile")),
        NAMED.format(f"ReadFile{CARET}"),
        NAMED.format(f"Name{CARET}"),
    ),
    Deed(
        "for the name of a gadget",
        "named.gadget",
        ("I read it.\n!re", Pick("!!!GADGET_START:ReadFile"), TAB, "a.txt"),
        FOUND,
    ),
)
"""Lists of completions that open by themselves."""


class Hands:
    """Hands at the keyboard of an editor with one file."""

    def __init__(self, studio: Studio, file: Path, start: str) -> None:
        self._studio = studio
        self.file = str(file)
        # how often an arrow was pressed to get to what was picked
        self.arrows = 0
        text, caret = apart(start)
        studio.opened(file, text)
        before = text[:caret]
        studio.focus(file, (before.count("\n"), len(before.rpartition("\n")[2])))

    def do(self, step: Step, pace: str) -> None:
        """Do one step."""
        match step:
            case str():
                for line in ENDED.findall(step) if pace == PERSON else [step]:
                    # with a pause in front, too
                    self._studio.browser("runs", runs=["", *runs(line)], pauseMs=PAUSE_MS[pace])
                    if pace == PERSON:
                        # on a slow machine, too, a person sees an end that is inserted; the server answers in order
                        self._studio.probe("now", file=self.file, position=[0, 0])
            case Press(key, times):
                for _ in range(times):
                    self._studio.browser("press", key=key)
            case Paste(text):
                self._studio.browser("paste", text=text)
                # it comes late, and VS Code drops it where the next key is faster
                self._studio.probe("holds", file=self.file, part=text)
            case Pick(label):
                self.arrows += self._studio.browser("pick", label=label)

    def becomes(self, outcomes: tuple[str, ...]) -> None:
        """Wait until the text and the caret are as expected, and see that they stay so."""
        for _ in range(2):
            try:
                self._studio.probe("stands", file=self.file, outcomes=list(map(apart, outcomes)), timeout=PATIENCE_MS)
            except RemoteError:
                now = self._studio.probe("stands", file=self.file)
                pytest.fail(typed.wrong(outcomes[0], *now), pytrace=False)
            # the server answers in order: what it was asked before has been answered
            self._studio.probe("now", file=self.file, position=[0, 0])


@pytest.fixture
def hands(studio: Studio, folder: Path, deed: Deed) -> Hands:
    """Hands at the start of a deed."""
    studio.probe("running")
    # a folder for each: the settings that one types are in force for none of the others
    home = folder / "hands" / deed.name.replace(" ", "-")
    home.mkdir(parents=True)
    if deed in LISTED:
        flow.prepare(home)
    return Hands(studio, home / deed.file, deed.start)


@pytest.mark.parametrize("deed", RACES, ids=str)
def test_the_file_holds_what_was_typed_fast(hands: Hands, deed: Deed) -> None:
    for step in deed.steps:
        hands.do(step, FAST)
    hands.becomes(deed.outcomes(FAST))


@pytest.mark.parametrize("deed", CALM, ids=str)
def test_the_file_holds_what_a_person_typed_and_undo_takes_all_back(studio: Studio, hands: Hands, deed: Deed) -> None:
    for step in deed.steps:
        hands.do(step, PERSON)
    hands.becomes(deed.outcomes(PERSON))
    assert studio.probe("undone", file=hands.file, text=apart(deed.start)[0]) == []


FLOWS = (
    (
        flow.CALLS,
        (
            *("!", Pick("!!!GADGET_START:SearchCode"), TAB, "send", TAB, Pick("regex")),
            *("\n!", Pick("!!!ARG:caseSensitive"), Pick("true"), "\n!", Pick("!!!ARG:maxResults"), "20", TAB),
            *("\n!", Pick("!!!GADGET_START:ReadFile"), Press("ArrowRight"), ":", Pick("s1"), TAB, "a.txt", TAB),
        ),
    ),
    (
        flow.CHAT,
        (
            *("@", Pick("system"), "\nBe brief.\n@", Pick("user"), " ", Pick("name"), "Ada", TAB, "\nHi\n@"),
            *(Pick("assistant"), "\n@c", Pick("call"), "find", TAB, TAB, '"limit": 20', Press("ArrowDown")),
            *("\n@", Pick("tool"), "Nothing.\n@r", Pick("raw"), Pick("assistant"), "Sorry.", TAB),
            *("@", Pick("user"), " ", Pick("name"), Pick("Ada"), "\nThanks\n"),
        ),
    ),
    (
        flow.BLOCKS,
        (
            *("<", Pick("think"), Pick("high"), "Hm.", END, "\nSo: <", Pick("answer"), "a", END),
            *("\n<", Pick("think"), Pick("low"), "Done.", END, "\n"),
        ),
    ),
)


@pytest.mark.parametrize(("written", "steps"), FLOWS, ids=[each.file for each, _ in FLOWS])
def test_calls_chats_and_blocks_are_written_with_completion_where_each_step_opens_the_next_list(
    studio: Studio, folder: Path, written: flow.Flow, steps: tuple[Step, ...]
) -> None:
    studio.probe("running")
    hands = Hands(studio, flow.prepare(folder / "hands" / "flow", written), CARET)
    for step in steps:
        hands.do(step, FAST)
    hands.becomes((f"{written.text}{CARET}",))
    assert flow.share(typed.keys(steps) + hands.arrows, written) <= flow.MOST


ROW = ".suggest-widget.visible .monaco-list-row"


def test_enter_accepts_only_what_was_chosen_with_the_arrows(studio: Studio, folder: Path) -> None:
    hands = Hands(studio, folder / "hands" / "enter" / "enter.stf", CARET)
    # a list that opened again would forget that an arrow was pressed
    hands.do("@s", PERSON)
    # the arrows twice: on a slow machine the list may open again after the first
    arrows = ("ArrowDown", "[data-index='1']"), ("ArrowUp", "[data-index='0']")
    for key, row in (("", ":has-text('system')"), *arrows, *arrows):
        if key:
            studio.browser("press", key=key)
        studio.browser("text", selector=f"{ROW}.focused{row}")
    studio.browser("press", key="Enter")
    hands.becomes((f"@system{CARET}",))
    studio.browser("type", text="\n@us")
    studio.browser("text", selector=f"{ROW}.focused:has-text('user')")
    studio.browser("press", key="Enter")
    hands.becomes((f"@system\n@us\n{CARET}",))


def test_a_marker_that_is_typed_before_the_server_runs_opens_its_list_then(studio: Studio, folder: Path) -> None:
    Hands(studio, folder / "hands" / "early" / "early.gadget", CARET)
    earlier = studio.probe("running")["pid"]
    studio.probe("begin", name="llmblocks.restartServer")
    studio.browser("type", text="!")
    studio.browser("text", selector=f"{ROW}:has-text('!!!GADGET_START:')")
    studio.probe("running", unlike=earlier)


@pytest.mark.parametrize("deed", LISTED, ids=str)
def test_a_list_opens(hands: Hands, deed: Deed) -> None:
    for step in deed.steps:
        hands.do(step, FAST)
    hands.becomes((deed.expected,))


def test_no_list_stays_open_after_a_closing_tag(studio: Studio, folder: Path) -> None:
    ended = f"So: <answer>\n42\n</answer>{CARET}"
    hands = Hands(studio, folder / "hands" / "closed" / "closed.blocks", f"So: <answer>\n42\n{CARET}</answer>")
    for step in ("</", Pick("answer>")):
        hands.do(step, FAST)
    hands.becomes((ended,))
    for _ in range(len("</answer>")):
        studio.browser("press", key="Backspace")
    hands.do("</answer>", PERSON)
    hands.becomes((ended,))
    studio.browser("gone", selector=".suggest-widget.visible")


def test_several_carets_type_the_same(studio: Studio, folder: Path) -> None:
    hands = Hands(studio, folder / "hands" / "carets" / IN_TWO_LINES.file, IN_TWO_LINES.start)
    studio.probe("command", name="editor.action.insertCursorBelow")
    for step in IN_TWO_LINES.steps:
        hands.do(step, PERSON)
    hands.becomes((IN_TWO_LINES.expected,))
