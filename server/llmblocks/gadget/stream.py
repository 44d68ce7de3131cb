"""The events of gadget calls, while a response arrives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from typing import Final

from llmblocks.core.chunks import ScannedChunks, is_ascii, not_text, size_of
from llmblocks.core.scan import Kind
from llmblocks.gadget import scanner as states
from llmblocks.gadget.call import GadgetCall
from llmblocks.gadget.kinds import ARG, HEADER, HEADER_END, IGNORED, POINTER, POINTER_END, START, TEXT, VALUE
from llmblocks.gadget.scanner import GadgetScanner
from llmblocks.gadget.syntax.markers import Markers, markers_or_default, split_header
from llmblocks.gadget.syntax.values import SPACE

# Not frozen: creating a frozen dataclass costs twice as much, and a stream creates one for every chunk.


@dataclass(slots=True)
class Text:
    """A piece of the text outside of calls."""

    text: str


@dataclass(slots=True)
class CallStarted:
    """A call's header is complete."""

    name: str
    invocation_id: str
    dependencies: tuple[str, ...]


@dataclass(slots=True)
class ArgStarted:
    """An argument's pointer is complete; its value follows."""

    pointer: str


@dataclass(slots=True)
class ArgDelta:
    """The next piece of an argument's value, never empty."""

    pointer: str
    delta: str


@dataclass(slots=True)
class ArgEnded:
    """An argument's value is complete."""

    pointer: str


@dataclass(slots=True)
class CallEnded:
    """A call is complete: by its end marker, by the next call, or by the end of the stream."""

    call: GadgetCall


Event = Text | CallStarted | ArgStarted | ArgDelta | ArgEnded | CallEnded
"""An event of a `GadgetStream`."""

_PLAIN: Final = {
    states.FRESH: (TEXT, states.OUTSIDE),
    states.OUTSIDE: (TEXT, states.OUTSIDE),
    states.BEFORE_ARGUMENTS: (IGNORED, states.BEFORE_ARGUMENTS),
    states.VALUE: (VALUE, states.VALUE),
}
"""The meaning of a text without markers, and the next state, by the state of the scanner."""
_ON_LINE: Final = {**_PLAIN, states.HEADER: (HEADER, states.HEADER), states.POINTER: (POINTER, states.POINTER)}
"""The meaning of a text without marker and line end, by the state of the scanner."""
_scanner = lru_cache(maxsize=32)(lambda markers: GadgetScanner(markers, sections=False))


class GadgetStream:
    """Reads a response chunk by chunk, and returns events as soon as they are certain.

    `feed(chunk)` and `close()` return lists of events. The stream holds back only text that may become a marker, and a
    newline that may end a value. It keeps the body of a call until the call ends. Never raises for any text.

    Raises:
        ValueError: It is used after `close`.
        TypeError: A chunk is not text.
    """

    def __init__(self, markers: Markers | None = None) -> None:
        self._markers = markers_or_default(markers)
        scanner = _scanner(self._markers)
        self._chunks = ScannedChunks(scanner)
        self._lead, self._may_begin = scanner.lead, scanner.may_begin
        self._is_closed = False
        self._counter = 0
        self._begun = ""  # the marker and the text of an unfinished header or pointer
        self._pieces: list[str] = []
        self._call: CallStarted | None = None
        self._body = StringIO()  # many small pieces would take ten times the memory of their text
        self._pointer = ""  # empty if its value is dropped
        self._newline = ""  # at the end of the value so far

    @property
    def held(self) -> str:
        """The text held back: an unfinished marker, header or pointer, or a newline that may end a value."""
        return "".join((self._begun, *self._pieces, self._newline, self._chunks.held))

    @property
    def held_size(self) -> int:
        """The length of `held`, without a copy of it."""
        return len(self._begun) + size_of(self._pieces) + len(self._newline) + len(self._chunks.held)

    def feed(self, chunk: str) -> list[Event]:
        """Read the next chunk, of any size, and return the events that it completes."""
        if not isinstance(chunk, str):
            raise not_text(chunk)
        return self._read(chunk, False)

    def close(self) -> list[Event]:
        """End the response, and return the events of the text held back and of an open call."""
        events = self._read("", True)
        self._is_closed = True
        if self._begun == self._markers.start:
            events.append(Text("".join((self._begun, *self._pieces))))
        elif self._call is not None:
            self._end_call(events)
        self._begun = ""
        self._pieces = []
        return events

    def _read(self, chunk: str, final: bool) -> list[Event]:
        """Return the events of the tokens that a chunk completes: all events but those of `close`."""
        if self._is_closed:
            raise ValueError("this stream is closed: create a new GadgetStream for the next response")
        chunks, plain = self._chunks, None
        if chunks.held:
            if not final and self._may_begin(chunks.held + chunk, chunks.state):
                chunks.held += chunk
                return []
        elif chunk and self._lead not in chunk and is_ascii(chunk):
            # most chunks contain no beginning of a marker
            plain = (_PLAIN if "\n" in chunk else _ON_LINE).get(chunks.state)
        tokens: Iterable[tuple[Kind, str]] = chunks.take(chunk, final) if plain is None else ((plain[0], chunk),)
        if plain is not None:
            chunks.state = plain[1]
        events: list[Event] = []
        write = self._body.write
        for kind, piece in tokens:
            if kind is VALUE:
                write(piece)
                if self._pointer:
                    value = self._newline + piece
                    self._newline = ""
                    if value[-1] == "\n":
                        self._newline = "\n"
                        value = value[:-1]
                    if value:
                        events.append(ArgDelta(self._pointer, value))
            elif kind is TEXT:
                events.append(Text(piece))
            elif kind is ARG:
                self._end_argument(events)
                write(piece)
                self._begun = piece
            elif kind is POINTER:
                write(piece)
                self._pieces.append(piece)
            elif kind is POINTER_END:
                write(piece)
                self._start_argument(events)
            elif kind is HEADER:
                self._pieces.append(piece)
            elif kind is HEADER_END:
                self._start_call(events)
            elif kind is IGNORED:
                write(piece)
            else:
                if self._call is not None:
                    self._end_call(events)
                    write = self._body.write
                if kind is START:
                    self._begun = piece
        return events

    def _start_call(self, events: list[Event]) -> None:
        name, invocation_id, dependencies = split_header("".join(self._pieces))
        self._begun = ""
        self._pieces = []
        if invocation_id is None:
            self._counter += 1
            invocation_id = f"gadget_{self._counter}"
        self._call = CallStarted(name, invocation_id, dependencies)
        events.append(self._call)

    def _start_argument(self, events: list[Event]) -> None:
        self._pointer = "".join(self._pieces).strip(SPACE)
        self._begun = ""
        self._pieces = []
        if self._pointer:
            events.append(ArgStarted(self._pointer))

    def _end_argument(self, events: list[Event]) -> None:
        if self._begun:
            self._start_argument(events)
        if self._pointer:
            events.append(ArgEnded(self._pointer))
        self._pointer = self._newline = ""

    def _end_call(self, events: list[Event]) -> None:
        assert self._call is not None, "a call is open"
        self._end_argument(events)
        call, body = self._call, self._body.getvalue()
        self._call, self._body = None, StringIO()
        ended = GadgetCall(call.name, call.invocation_id, call.dependencies, body, self._markers.arg)
        events.append(CallEnded(ended))


def read_calls(text: str, markers: Markers | None = None) -> tuple[list[GadgetCall], list[int], str]:
    """Return the calls of a whole text, the length of the text outside of calls before each, and that text."""
    stream, calls, places, texts, size = GadgetStream(markers), list[GadgetCall](), list[int](), list[str](), 0
    for event in [*stream.feed(text), *stream.close()]:
        if isinstance(event, Text):
            texts.append(event.text)
            size += len(event.text)
        elif isinstance(event, CallEnded):
            calls.append(event.call)
            places.append(size)
    return calls, places, "".join(texts)
