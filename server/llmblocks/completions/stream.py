"""The values of a raw completion while it arrives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from llmblocks.completions.content import Malformed
from llmblocks.completions.machine import OUTSIDE, machine_of
from llmblocks.completions.output import MessageValues, tools_of
from llmblocks.completions.template import Template, TemplateField
from llmblocks.core.chunks import expect_text, join_halves, not_text


class RegionOpened(NamedTuple):
    """A region begins. Its delimiter is from `start` to `end`."""

    field: str
    start: int
    end: int


class RegionChunk(NamedTuple):
    """Text of the open region. If `dirty`, only the whole region has a value."""

    field: str
    text: str
    dirty: bool
    start: int


class RegionClosed(NamedTuple):
    """A region with a value is complete. Its closing delimiter is from `start` to `end`."""

    field: str
    value: Any
    start: int
    end: int


class RegionMalformed(NamedTuple):
    """A region is complete and has no value. Places in `reason` count from `start`, where its `text` begins."""

    field: str
    text: str
    reason: Malformed
    start: int
    end: int


Event = RegionOpened | RegionChunk | RegionClosed | RegionMalformed
_new = tuple.__new__
_HALF: Final = re.compile("[\ud800-\udfff]").search


class CompletionStream:
    """Reads a completion by a response template, chunk by chunk.

    Never raises for any text, but for `feed` after `close`.

    `message` is complete after `close`, and has everything that could be read. Places are code points from the start of
    the completion; those in the prefix are negative.

    Args:
        prefix: The prompt. Its part of the answer is read first; `initial_events` are its events.
        tools: Give arguments their types.
    """

    def __init__(self, template: Template, prefix: str = "", tools: Iterable[Mapping[str, Any]] = ()) -> None:
        expect_text(prefix, "prefix")
        self._machine: Final = machine_of(template)
        self._output: Final = MessageValues(template, tools_of(tools))
        self._implicit: Final = template.implicit
        self._held = self._half = ""
        self._body: list[str] = []
        self._dirty = False
        self._plain: Callable[[str], object] | None = None
        self._captures: Mapping[str, str] = {}
        self._number = OUTSIDE
        self._fresh = True
        self._closed = False
        self._field: TemplateField | None = None
        """The field of the open region; None before any text of it."""
        given = template.response_of(prefix)
        self._at = -len(given)
        self._name = ""
        self._ready()
        self.initial_events: Final = tuple(self.feed(given))

    @property
    def held(self) -> str:
        """The text held back: it may be the beginning of a delimiter."""
        return self._held + self._half

    @property
    def held_size(self) -> int:
        """The length of the text held back."""
        return len(self._held) + len(self._half)

    @property
    def message(self) -> dict[str, Any]:
        """Return the values of all complete regions."""
        return self._output.message()

    @property
    def missing(self) -> list[str]:
        """Return the required fields without a value."""
        return self._output.missing()

    def feed(self, chunk: str) -> list[Event]:
        """Read a chunk, and return the events that it completes."""
        plain = self._plain
        try:
            if plain is not None and plain(chunk) is None and chunk:
                self._keep(chunk)
                self._at = (at := self._at) + len(chunk)
                return [_new(RegionChunk, (self._name, chunk, self._dirty, at))]
            chunk, self._half = join_halves(self._half + chunk)
        except TypeError:
            raise not_text(chunk) from None
        if self._closed:
            raise ValueError("the stream is closed")
        events = self._read(chunk, False) if chunk else []
        self._ready()
        return events

    def close(self) -> list[Event]:
        """End the text, and return the rest of the events."""
        if self._closed:
            return []
        last, self._half = self._half, ""
        events = self._read(last, True)
        self._close(events, self._at, self._at)
        self._closed = True
        self._ready()
        return events

    def _ready(self) -> None:
        """Prepare for the next chunk: a search that finds nothing in plain text of the open region."""
        self._plain = None
        if self._field is not None and not self._held and not self._half and not self._closed:
            watch = self._machine.watch(self._number)
            self._plain = _HALF if watch is None else watch.plain
            self._keep = self._body.append

    def _read(self, chunk: str, final: bool) -> list[Event]:
        text, self._held = self._held + chunk, ""
        events: list[Event] = []
        base, number = self._at, self._number
        for kind, start, end, field, match in self._machine.steps(text, 0, len(text), number, final, self._fresh):
            if kind == "hold":
                self._held = text[start:]
                break
            self._fresh = False
            if kind == "text":
                self._text(events, text[start:end], base + start)
            else:
                self._close(events, base + start, base + (start if kind == "open" else end))
                self._number = field if kind == "open" else OUTSIDE
            if kind == "open":
                self._open(events, base + start, base + end)
                if match is not None and match.re.groupindex:
                    self._captures = {name: each for name, each in match.groupdict().items() if each is not None}
            self._at = base + end
        return events

    def _open(self, events: list[Event], start: int, end: int) -> None:
        field = self._implicit if self._number == OUTSIDE else self._machine.template.fields[self._number]
        if field is not None:
            self._field, self._name, self._dirty = field, field.name, field.is_structured
            self._body, self._captures = [], {}
            events.append(RegionOpened(field.name, start, end))

    def _text(self, events: list[Event], text: str, start: int) -> None:
        if self._field is None:
            self._open(events, start, start)
            if self._field is None:
                return
        self._body.append(text)
        events.append(RegionChunk(self._name, text, self._dirty, start))

    def _close(self, events: list[Event], start: int, end: int) -> None:
        field = self._field
        if field is None:
            return
        text = "".join(self._body)
        value, malformed = self._output.add(field, text, self._captures)
        if malformed is None:
            events.append(RegionClosed(field.name, value, start, end))
        else:
            events.append(RegionMalformed(field.name, text, malformed, start - len(text), end))
        self._name, self._field = "", None
