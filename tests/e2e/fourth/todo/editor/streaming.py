"""The tasks of a list as a program reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from llmblocks.contract.streaming import Event, Held, Streaming, TerminalEvent, plain
from llmblocks.core.chunks import ScannedChunks

from ..scanner import COMMENT, DONE, OPEN, TITLE, TodoScanner  # noqa: TID252 - the folder joins a package


@dataclass(slots=True)
class Title:
    """A list begins."""

    title: str


@dataclass(slots=True)
class Task:
    """A task; its words, which are free text, follow."""

    done: bool


class TodoStream:
    """Turns the scanner's tokens into events."""

    def __init__(self) -> None:
        self._chunks = ScannedChunks(TodoScanner())
        self._title = ""
        """The beginning of a title whose line is not complete."""

    @property
    def held(self) -> str:
        """The text held back."""
        return self._title + self._chunks.held

    @property
    def held_size(self) -> int:
        """The length of the text held back."""
        return len(self.held)

    def feed(self, text: str) -> list[str | Title | Task]:
        """Read a chunk."""
        return [*self._events(text, final=False)]

    def close(self) -> list[str | Title | Task]:
        """End the text."""
        return [*self._events("", final=True)]

    def _events(self, text: str, *, final: bool) -> Iterator[str | Title | Task]:
        for kind, part in self._chunks.take(text, final):
            if kind is TITLE:
                *lines, self._title = (self._title + part).split("\n")
                yield from map(_title, lines)
            elif kind in (OPEN, DONE):
                yield Task(kind is DONE)
            elif kind is not COMMENT:
                yield part
        if final and self._title:
            yield _title(self._title)
            self._title = ""


def _title(line: str) -> Title:
    return Title(line[2:].strip())


def _item(event: Title | Task) -> Event:
    return {"type": "task", "done": event.done} if isinstance(event, Task) else {"type": "list", "title": event.title}


def _shown(event: Title | Task) -> TerminalEvent:
    return TerminalEvent(event.title, "bold", own_line=True) if isinstance(event, Title) else TerminalEvent("* ")


def _why(held: Held, _: object) -> str:
    return f"the line {held.begin.split(' ')[0]} is not complete"


STREAMING: Final[Streaming[object]] = Streaming(
    open=lambda _: TodoStream(),
    free=lambda event: event if isinstance(event, str) else None,
    event=plain,
    item=_item,
    why=_why,
    shown=_shown,
)
