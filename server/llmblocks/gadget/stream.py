"""Gadget calls out of a response that is still arriving."""

from __future__ import annotations

from io import StringIO

from llmblocks.gadget.call import GadgetCall
from llmblocks.gadget.events import ArgDelta, ArgEnded, ArgStarted, CallEnded, CallStarted, Event, Text
from llmblocks.gadget.header import header_fields
from llmblocks.gadget.javascript import SPACE
from llmblocks.gadget.markers import Markers
from llmblocks.gadget.search import marker_search

# Where a stream is. Plain integers: they are compared on every chunk.
_TEXT, _HEADER, _JUNK, _POINTER, _VALUE, _NEWLINE, _CLOSED = range(7)

_KNOWN_POINTERS = 256  # how many pointers, of at most 128 characters, a stream keeps the events of


class GadgetStream:
    """Reads a response chunk by chunk and says what it found, as soon as it is certain.

    Shape:  `feed(chunk)` and `close()` give lists of events (`llmblocks.gadget.events`). Only what may become a marker,
            and the newline that may be a value's last, is held back. A call's body is kept until the call ends.
    Errors: `ValueError` when fed or closed after `close`; no text is an error.
    """

    __slots__ = (
        "_body",
        "_call",
        "_counter",
        "_ended",
        "_held",
        "_known",
        "_lead",
        "_pieces",
        "_pointer",
        "_search",
        "_state",
        "_undecided",
        "_write",
    )

    def __init__(self, markers: Markers | None = None) -> None:
        self._search = marker_search(markers or Markers())
        self._lead = self._search.lead
        self._state = _TEXT
        self._held = ""
        self._undecided = self._search.text_beginnings  # what is held back as a whole, where the stream is
        self._counter = 0
        self._pieces: list[str] = []  # of a header or pointer that no newline has ended yet
        self._call = CallStarted("", "", ())
        self._body = StringIO()
        self._write = self._body.write
        self._pointer = ""
        self._ended = ArgEnded("")
        self._known: dict[str, tuple[ArgStarted, ArgEnded]] = {}

    def feed(self, chunk: str) -> list[Event]:
        """Take the next chunk, of any size, and give the events that it completes."""
        # Most chunks hold no marker and end no line, or are all marker: these take no scanning.
        held = self._held
        if held:
            text = held + chunk
            if text in self._undecided:
                self._held = text
                return []
            if held == "\n" and chunk and self._lead not in chunk and chunk[-1] != "\n":
                self._held = ""
                self._write(text)
                return [ArgDelta(self._pointer, text)]
        else:
            text = chunk
            if chunk and self._lead not in chunk:
                state = self._state
                if state == _VALUE:
                    if chunk[-1] != "\n":
                        self._write(chunk)
                        return [ArgDelta(self._pointer, chunk)]
                elif state == _TEXT:
                    return [Text(chunk)]
                elif state == _HEADER and "\n" not in chunk:
                    self._pieces.append(chunk)
                    return []
        events: list[Event] = []
        self._advance(text, events, False)
        return events

    def close(self) -> list[Event]:
        """End the response: give what was held back, and the call that was not ended."""
        events: list[Event] = []
        self._advance(self._held, events, True)
        if self._state == _HEADER:
            events.append(Text(self._search.start + "".join(self._pieces)))
        elif self._state != _TEXT:
            if self._state == _VALUE:
                events.append(self._ended)
            elif self._state == _POINTER:
                pair = self._argument("")
                events += pair or ()
            self._end_call(self._body.getvalue(), events)
        self._state = _CLOSED
        self._held = ""
        return events

    def _advance(self, text: str, events: list[Event], final: bool) -> None:
        """Read as far as is certain and hold back the rest."""
        search = self._search
        start, end = search.start, search.end
        state = self._state
        size = len(text)
        pos = 0
        start_at = end_at = -1  # the next of each at or after pos; past the text when there is none
        begun = False  # whether the call's body begins in this text
        while True:
            if state == _TEXT:
                if start_at < pos:
                    start_at = text.find(start, pos)
                    if start_at < 0:
                        start_at = size + 1
                if start_at > size:
                    cut = size if final else search.tail(text, pos, search.text_beginnings)
                    if cut > pos:
                        events.append(Text(text[pos:cut]))
                    self._state = state
                    self._held = text[cut:]
                    self._undecided = search.text_beginnings
                    return
                if start_at > pos:
                    events.append(Text(text[pos:start_at]))
                pos = start_at + len(start)
                self._pieces = []
                state = _HEADER
            if state == _HEADER:
                newline = text.find("\n", pos)
                if newline < 0:
                    if pos < size:
                        self._pieces.append(text[pos:])
                    self._state = state
                    self._held = ""
                    return
                self._start_call(text[pos:newline], events)
                pos = newline + 1
                state = _JUNK
                begun = True
            elif state == _CLOSED:
                raise ValueError("this stream is closed: make a new GadgetStream for the next response")
            if start_at < pos:
                start_at = text.find(start, pos)
                if start_at < 0:
                    start_at = size + 1
            if end_at < pos:
                end_at = text.find(end, pos)
                if end_at < 0:
                    end_at = size + 1
            stop = end_at if end_at < start_at else start_at
            closing = stop <= size
            if not closing or (not search.plain and not final):
                cut = size if final else search.tail(text, pos, search.body_beginnings)
                if cut <= stop:
                    closing = False
                    stop = cut
            body = text[pos:stop]
            state = self._read_arguments(body, state, closing, events)
            if closing:
                if not begun:
                    self._write(body)
                    body = self._body.getvalue()
                self._end_call(body, events)
                pos = stop + len(end) if stop == end_at else stop
                state = _TEXT
                continue
            if begun:
                self._body = StringIO()
                self._write = self._body.write
            if state == _NEWLINE:
                state = _VALUE
                if not final:
                    body = body[:-1]
                    stop -= 1
            self._write(body)
            self._state = state
            self._held = text[stop:]
            self._undecided = search.held_in_body if state == _VALUE else search.body_beginnings
            return

    def _read_arguments(self, body: str, state: int, closing: bool, events: list[Event]) -> int:
        """Give the events of the next stretch of a body, and where it leaves the stream."""
        parts = body.split(self._search.arg)
        last = len(parts) - 1
        for place, part in enumerate(parts):
            complete = closing or place < last
            if state == _POINTER:
                line, newline, value = part.partition("\n")
                if not newline and not complete:
                    self._pieces.append(line)
                    return state
                pair = self._known.get(line) if not self._pieces else None
                if pair is None:
                    pair = self._argument(line)
                if pair is not None:
                    started, ended = pair
                    events.append(started)
                    if value and value != "\n":
                        events.append(ArgDelta(started.pointer, value[:-1] if value[-1] == "\n" else value))
                    if complete:
                        events.append(ended)
                    else:
                        self._pointer = started.pointer
                        self._ended = ended
                        return _NEWLINE if value[-1:] == "\n" else _VALUE
                state = _POINTER if complete else _JUNK
                continue
            if state == _VALUE:
                if part and part != "\n":
                    events.append(ArgDelta(self._pointer, part[:-1] if part[-1] == "\n" else part))
                if complete:
                    events.append(self._ended)
                elif part[-1:] == "\n":
                    return _NEWLINE
            if place < last:
                state = _POINTER
                self._pieces = []
        return state

    def _argument(self, line: str) -> tuple[ArgStarted, ArgEnded] | None:
        """The events of an argument whose pointer line ends with `line`; None for a blank pointer."""
        if self._pieces:
            line = "".join(self._pieces) + line
            self._pieces = []
        pointer = line.strip(SPACE)
        if not pointer:
            return None
        pair = ArgStarted(pointer), ArgEnded(pointer)
        if len(self._known) < _KNOWN_POINTERS and len(line) <= 128:
            self._known[line] = pair
        return pair

    def _start_call(self, line: str, events: list[Event]) -> None:
        if self._pieces:
            line = "".join(self._pieces) + line
            self._pieces = []
        name, invocation_id, dependencies = header_fields(line)
        if invocation_id is None:
            self._counter += 1
            invocation_id = f"gadget_{self._counter}"
        self._call = CallStarted(name, invocation_id, dependencies)
        events.append(self._call)

    def _end_call(self, body: str, events: list[Event]) -> None:
        call = self._call
        events.append(CallEnded(GadgetCall(call.name, call.invocation_id, call.dependencies, body, self._search.arg)))
