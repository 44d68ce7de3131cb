"""Hands at a terminal: steps as the bytes of a keyboard, in an editor that stays open; and the tests of each."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from operator import methodcaller
from pathlib import Path
from queue import SimpleQueue
from typing import Any, ClassVar, NamedTuple, Self

import pytest

from editors import hands
from editors.flow import BLOCKS, CALLS, CHAT, MOST, Flow, prepare, share
from editors.hands import CALM, FAST, IN_TWO_LINES, PERSON, RACES, Deed, Paste, Pick, Press, Step, apart, wrong
from editors.terminal import Terminal
from folders import written

KEYS = {"Backspace": "\x7f", "Tab": "\t", "Up": "\x1b[A", "Down": "\x1b[B", "End": "\x1b[F"}
KINDS = re.compile(r"\b(?:keyword|function|field|value|reference|property|class)\b", re.IGNORECASE)
"""How editors name the kinds of completions."""
QUIET_S = 0.05
"""How long a person waits to see that nothing more is drawn."""
LOOK_S = 0.15
"""How long a person looks at a list before choosing."""
OPEN, TELL, UNDO = "\x1b[23~", "\x1b[24~", "\x1b[20~"
"""F11 opens the file that `asked` names, F12 reports its text: keys from a file of these tests."""


class Take(NamedTuple):
    """An item of the list that is open. The number of items `above` it, when `more` is typed."""

    label: str
    above: int = 0
    more: str = ""


Scripts = Mapping[Flow, Sequence[str | Press | Take]]
"""How each text is written with completion."""


class Result(NamedTuple):
    """The text before the caret and after it, the text when all is undone, and the number of keys."""

    before: str
    after: str
    undone: str = ""
    keys: int = 0


class Session(ABC):
    """An editor in a terminal, as a context manager. Everything it keeps is in its home."""

    first: ClassVar[str]
    """Its screen once it has started."""
    next_item: ClassVar[str]
    accept: ClassVar[str]
    """The keys that go to the next item of a list, the first one at first, and accept it."""
    keys: ClassVar[Mapping[str, str]] = KEYS
    two_lines: ClassVar[tuple[str, ...]]
    two_lines_end: ClassVar[str] = ""
    """The keys around a text that is typed in this line and the next one at once."""

    def __init__(self, editor: Any) -> None:
        self.editor, self.home = editor, editor.home
        prepare(self.home)
        self.terminal = self.start()

    @abstractmethod
    def start(self) -> Terminal:
        """Return the editor."""

    def __enter__(self) -> Self:
        self.terminal.__enter__()
        self.terminal.shows(self.first)
        return self

    def __exit__(self, *_: object) -> None:
        self.terminal.__exit__(None, None, None)

    @abstractmethod
    def open(self, file: Path, text: str, caret: int) -> None:
        """Open a file that holds a text, and be ready to type at an offset."""

    @abstractmethod
    def look(self) -> tuple[str, str]:
        """Return the text before the caret, and after it, when the server has answered to all of it."""

    @abstractmethod
    def undone(self) -> str:
        """Return the text after undoing all that was done to it."""

    def listed(self, label: str) -> None:
        """Wait until an item is shown, or the kind of any: a letter that was on its place is not drawn again."""

        def is_open() -> bool:
            return label in self.terminal.drawn or KINDS.search(self.terminal.drawn) is not None

        self.terminal.until(is_open, f"a list with {label}")

    def go_to(self, label: str, above: int) -> None:
        """Go to an item of the list that is open."""
        for _ in range(above + 1):
            self.terminal.press(self.next_item)
            self.terminal.rests(QUIET_S)

    def settle(self) -> None:
        """Wait until all of an accepted item is there."""
        self.terminal.rests(QUIET_S)

    def do(self, deed: Deed, pace: str) -> Result:
        """Do a deed in its own file, and undo it."""
        self._begin(f"{pace}-{deed.file}", deed.start)
        self.type(deed.steps, pace)
        return Result(*self.look(), self.undone())

    def in_two_lines(self, deed: Deed) -> Result:
        """Return the text after a deed in two lines at once."""
        self._begin(deed.file, deed.start)
        for keys in self.two_lines:
            self.terminal.press(keys)
            self.terminal.rests(QUIET_S)
        self.type(deed.steps, PERSON)
        self.terminal.press(self.two_lines_end)
        return Result(*self.look())

    def write(self, flow: Flow, steps: Sequence[str | Press | Take]) -> Result:
        """Write a text with completion. A list that is needed is waited for."""
        self._begin(flow.file, "$0")
        pressed = 0
        for step in steps:
            match step:
                case Take(label, above, more):
                    self.listed(label)
                    self.terminal.rests(LOOK_S)
                    if more:
                        self.type((more,), PERSON)
                    self.go_to(label, above)
                    self.terminal.press(self.accept)
                    self.settle()
                    pressed += len(more) + above + 2
                case _:
                    self.type((step,), PERSON)
                    pressed += len(step) if isinstance(step, str) else step.times
        return Result(*self.look(), keys=pressed)

    def type(self, steps: Sequence[Step], pace: str) -> None:
        """Take steps. A person looks at what is drawn before each key that a list could take for its own."""
        for step in steps:
            match step:
                case str():
                    text = self.spelled(step)
                    for run in hands.runs(text) if pace == PERSON else (text,):
                        self.terminal.press(run.replace("\n", "\r"))
                        if pace == PERSON:
                            self.terminal.rests(QUIET_S)
                case Press():
                    self.terminal.press(self.keys[step.key] * step.times)
                    if pace == PERSON:
                        self.terminal.rests(QUIET_S)
                case Paste():
                    self.terminal.press(f"\x1b[200~{step.text}\x1b[201~")
                    # no hand is as quick after it as the bytes of a script
                    self.terminal.rests(QUIET_S)
                case Pick():
                    raise NotImplementedError(step)

    def spelled(self, text: str) -> str:
        """Return the keys for a text."""
        return text

    def ask(self, key: str, **asked: object) -> dict[str, Any]:
        """The editor's reports at each key, through two files in its home."""
        written(self.home / "asked", json.dumps(asked))
        told = self.home / "told"
        self.terminal.press(key)
        self.terminal.until(told.exists)
        found: dict[str, Any] = json.loads(told.read_text(encoding="utf-8"))
        told.unlink()
        return found

    def _begin(self, name: str, start: str) -> None:
        """Open a new file, in one folder, so that one server serves them all."""
        text, caret = apart(start)
        self.open(written(self.home / name, text), text, caret)


Done = Mapping[Deed | tuple[Deed, str] | Flow, Future[Result]]
"""Everything that is done in an editor: a deed in two lines, others at a pace, and texts with completion."""


@contextmanager
def all_done(sessions: Sequence[Session], scripts: Scripts) -> Iterator[Done]:
    """Everything that is done in an editor, shared among sessions at the same time: most of it is waiting."""
    free: SimpleQueue[Session] = SimpleQueue()
    # the longest first
    asked = [(deed, PERSON) for deed in CALM] + [(deed, FAST) for deed in RACES]
    tasks: dict[Any, Callable[[Session], Result]] = {each: methodcaller("do", *each) for each in asked}
    tasks |= {IN_TWO_LINES: methodcaller("in_two_lines", IN_TWO_LINES)}
    tasks |= {flow: methodcaller("write", flow, steps) for flow, steps in scripts.items()}

    def run(do: Callable[[Session], Result]) -> Result:
        session = free.get()
        try:
            return do(session)
        finally:
            free.put(session)

    with ExitStack() as stack, ThreadPoolExecutor(len(sessions)) as pool:
        for session in sessions:
            free.put(stack.enter_context(session))
        yield {name: pool.submit(run, do) for name, do in tasks.items()}


class TypingTests:
    """Tests of everything that was `done` in an editor, which is a fixture of its module."""

    inserts_ends = False
    """Whether the editor writes the ends of calls and blocks after the caret."""

    @pytest.mark.parametrize("deed", RACES, ids=str)
    def test_what_is_typed_fast_is_there_once(self, done: Done, deed: Deed) -> None:
        self.stands(done[deed, FAST].result(), deed)

    @pytest.mark.parametrize("deed", CALM, ids=str)
    def test_what_a_person_types_is_there_once_and_undo_takes_all_back(self, done: Done, deed: Deed) -> None:
        left = done[deed, PERSON].result()
        self.stands(left, deed)
        assert left.undone == apart(deed.start)[0]

    def stands(self, left: Result, deed: Deed) -> None:
        expected = deed.expected if self.inserts_ends else hands.without_ends(deed)
        assert not (said := wrong(expected, left.before + left.after, len(left.before))), said

    def test_two_lines_take_the_same(self, done: Done) -> None:
        left = done[IN_TWO_LINES].result()
        assert left.before + left.after == apart(IN_TWO_LINES.expected)[0]

    @pytest.mark.parametrize("flow", [CALLS, CHAT, BLOCKS], ids=lambda flow: flow.file)
    def test_completion_writes_markup_with_few_keys(self, done: Done, flow: Flow) -> None:
        found = done[flow].result()
        text = found.before + found.after
        assert not (said := wrong(f"{flow.text}{hands.CARET}", text, len(text))), said
        assert share(found.keys, flow) <= MOST
