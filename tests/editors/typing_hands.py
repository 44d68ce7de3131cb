"""Hands at a terminal: the steps of deeds as the bytes that a keyboard sends."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol, Self

from editors.hands import PACES, PERSON, Deed, Paste, Pick, Press, Step, runs
from editors.hands_texts import DEEDS
from editors.terminal import Terminal

KEYS = {
    "Backspace": "\x7f",
    "Escape": "\x1b",
    "Tab": "\t",
    "Enter": "\r",
    "Next": "\x0e",
    "Accept": "\x19",
    "Left": "\x1b[D",
    "Right": "\x1b[C",
    "Up": "\x1b[A",
    "Down": "\x1b[B",
    "Home": "\x1b[H",
    "End": "\x1b[F",
}
QUIET_S = 0.05
"""How long a person waits to see that nothing more is drawn."""
LOOK_S = 0.15
"""How long a person looks at a list before choosing."""


def act(terminal: Terminal, steps: Sequence[Step], pace: str) -> None:
    """Take steps. A person looks at what is drawn in front of each key that a list could take for its own."""
    for step in steps:
        match step:
            case str():
                for run in runs(step) if pace == PERSON else (step,):
                    terminal.press(run.replace("\n", "\r"))
                    if pace == PERSON:
                        terminal.rests(QUIET_S)
            case Press():
                terminal.press(KEYS[step.key] * step.times)
            case Paste():
                terminal.press(f"\x1b[200~{step.text}\x1b[201~")
                # no hand is as quick after it as the bytes of a script
                terminal.rests(QUIET_S)
            case Pick():
                raise NotImplementedError(step)


def follow(terminal: Terminal, keys: Sequence[str]) -> int:
    """Press keys, each when what the one before has opened is drawn; texts are typed. Gives their number."""
    for key in keys:
        terminal.rests(LOOK_S)
        terminal.press(KEYS.get(key, key))
    terminal.rests(LOOK_S)
    return sum(1 if key in KEYS else len(key) for key in keys)


OPEN, TELL = "\x1b[23~", "\x1b[24~"
"""F11 opens the file that `asked` names, F12 tells what is in it: the editor has them from a file of these tests."""


def ask(terminal: Terminal, home: Path, key: str, **asked: object) -> dict[str, Any]:
    """What an editor tells when a key is pressed, through two files in its home."""
    (home / "asked").write_text(json.dumps(asked), encoding="utf-8")
    told = home / "told"
    told.unlink(missing_ok=True)
    terminal.press(key)
    terminal.until(told.exists)
    found: dict[str, Any] = json.loads(told.read_text(encoding="utf-8"))
    return found


class Person(Protocol):
    """A session of an editor for many deeds, as a context manager."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def do(self, deed: Deed, pace: str) -> tuple[str, str]:
        """The text before the caret, and behind it, when all is done."""
        ...


Done = Mapping[tuple[Deed, str], Future[tuple[str, str]]]


@contextmanager
def all_done(people: Sequence[Person]) -> Iterator[Done]:
    """All deeds at all paces, shared among people who type at the same time: most of it is waiting."""
    free: SimpleQueue[Person] = SimpleQueue()

    def do(deed: Deed, pace: str) -> tuple[str, str]:
        person = free.get()
        try:
            return person.do(deed, pace)
        finally:
            free.put(person)

    asked = [(deed, pace) for pace in (PERSON, *PACES) for deed in DEEDS]
    with ExitStack() as stack, ThreadPoolExecutor(len(people)) as pool:
        for person in people:
            free.put(stack.enter_context(person))
        yield {(deed, pace): pool.submit(do, deed, pace) for deed, pace in dict.fromkeys(asked)}
