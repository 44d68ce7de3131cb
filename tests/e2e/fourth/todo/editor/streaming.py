"""The tasks of a list as a program reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from llmblocks.contract.streaming import Event, Held, Streaming, TerminalEvent, plain

_SIGNS: Final = {"- [ ] ": False, "- [x] ": True}


@dataclass(slots=True)
class Title:
    """A list begins."""

    title: str


@dataclass(slots=True)
class Task:
    """A task; its words, which are free text, follow."""

    done: bool


class TodoStream:
    """Reads whole lines."""

    def __init__(self) -> None:
        self.held = ""

    @property
    def held_size(self) -> int:
        """The length of the text held back."""
        return len(self.held)

    def feed(self, text: str) -> list[str | Title | Task]:
        """Read a chunk."""
        *lines, self.held = (self.held + text).split("\n")
        return [event for line in lines for event in _line(f"{line}\n")]

    def close(self) -> list[str | Title | Task]:
        """End the text."""
        rest, self.held = self.held, ""
        return _line(rest)


def _line(line: str) -> list[str | Title | Task]:
    if line[:6] in _SIGNS:
        return [Task(_SIGNS[line[:6]]), line[6:]]
    if line.startswith("# "):
        return [Title(line[2:].strip())]
    return [] if line.startswith("//") or not line else [line]


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
