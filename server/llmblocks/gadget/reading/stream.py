"""The stream parser of gadget calls."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

from llmblocks.core.chunks import is_ascii, join_halves, not_text, size_of
from llmblocks.gadget.reading.call import GadgetCall
from llmblocks.gadget.reading.events import ArgDelta, ArgEnded, CallEnded, CallStarted, Event, Text, new
from llmblocks.gadget.reading.search import marker_search
from llmblocks.gadget.reading.whole_calls import KnownPointers, whole_calls
from llmblocks.gadget.syntax.header import header_fields
from llmblocks.gadget.syntax.markers import Markers, markers_or_default

# The modes of a stream. Plain integers: they are compared on every chunk.
_TEXT, _HEADER, _JUNK, _POINTER, _VALUE, _NEWLINE, _CLOSED = range(7)

_SMALL = 48  # the body goes into a buffer, not a list, if its chunks are smaller than this
_MANY = 64  # or if it has more pieces than this


class GadgetStream:
    """Reads a response chunk by chunk, and returns events as soon as they are certain.

    Shape:  `feed(chunk)` and `close()` return lists of events. The stream holds back only text that may become a
            marker, and a newline that may end a value. It keeps the body of a call until the call ends.
    Errors: `ValueError` for a call after `close`, `TypeError` for a chunk that is not text; none for any text.
    """

    def __init__(self, markers: Markers | None = None) -> None:
        self._search = marker_search(markers_or_default(markers))
        self._lead = self._search.lead
        self._state = _TEXT
        self._half = ""  # the first half of a character; the other half is in the next chunk
        self._held = ""
        self._undecided = self._search.text_beginnings  # the text held back, and the mode
        self._counter = 0
        self._pieces: list[str] = []  # the pieces of an unfinished header or pointer
        self._call = CallStarted("", "", ())
        self._body: list[str] | StringIO = []
        self._write: Callable[[str], object] = self._body.append
        self._pointer = ""
        self._ended = ArgEnded("")
        self._known = KnownPointers()

    @property
    def held(self) -> str:
        """The text held back: an unfinished marker, header or pointer, or a newline that may end a value."""
        begun = {_HEADER: self._search.start, _POINTER: self._search.arg}.get(self._state, "")
        return "".join((begun, *self._pieces, self._held, self._half)) if begun else self._held + self._half

    @property
    def held_size(self) -> int:
        """The length of `held`, without a copy of it."""
        begun = {_HEADER: self._search.start, _POINTER: self._search.arg}.get(self._state, "")
        return len(begun) + (size_of(self._pieces) if begun else 0) + len(self._held) + len(self._half)

    def feed(self, chunk: str) -> list[Event]:
        """Read the next chunk, of any size, and return the events that it completes."""
        try:
            if not is_ascii(chunk) or self._half:
                chunk, self._half = join_halves(self._half + chunk)
        except TypeError:
            raise not_text(chunk) from None
        # Most chunks contain no marker and no line end, or only a marker: these need no scan.
        text = chunk
        held = self._held
        if held:
            events: list[Event] = []
            text = held + chunk
            if len(text) < _SMALL and text in self._undecided:
                self._held = text
                return events
            if self._lead in text or not chunk:
                self._advance(text, events, False)
                return events
            if chunk[-1] != "\n":  # the newline held back does not end the value
                self._held = ""
                self._write(text)
                events.append(ArgDelta(self._pointer, text))
                return events
        elif self._lead in chunk or not chunk:
            events = []
            if len(chunk) < _SMALL and chunk in self._undecided and self._state != _HEADER:
                self._held = chunk
            elif self._state == _VALUE and self._search.plain:
                self._end_value(chunk, events)
            else:
                self._advance(chunk, events, False)
            return events
        else:
            state = self._state
            if state == _VALUE:
                if chunk[-1] != "\n":
                    self._write(chunk)
                    growth = new(ArgDelta)
                    growth.pointer = self._pointer
                    growth.delta = chunk
                    return [growth]
            elif state == _TEXT:
                outside = new(Text)
                outside.text = chunk
                return [outside]
            elif state == _HEADER and "\n" not in chunk:
                self._pieces.append(chunk)
                return []
            events = []
        self._continue(text, events)
        return events

    def close(self) -> list[Event]:
        """End the response, and return the events of the text held back and of an open call."""
        events: list[Event] = []
        self._advance(self._held + self._half, events, True)
        if self._state == _HEADER:
            events.append(Text(self._search.start + "".join(self._pieces)))
        elif self._state != _TEXT:
            if self._state == _VALUE:
                events.append(self._ended)
            elif self._state == _POINTER:
                pair = self._known["".join(self._pieces)]
                if pair:
                    events += pair[2:]
            self._end_call(events)
        self._state = _CLOSED
        self._held = ""
        self._undecided = frozenset()
        return events

    def _continue(self, text: str, events: list[Event]) -> None:
        """Read a text of mixed kinds in which no marker begins."""
        state = self._state
        if state == _VALUE:
            value = text[:-1]  # it ends in a newline: `feed` has handled any other
            if value:
                self._write(value)
                events.append(ArgDelta(self._pointer, value))
            self._held = "\n"
        elif state == _POINTER:
            line, newline, value = text.partition("\n")
            if not newline:
                self._pieces.append(line)
                self._write(line)
                return
            if self._pieces:
                line = "".join(self._pieces) + line
                self._pieces = []
            known = self._known[line]
            if not known:
                self._state = _JUNK
                self._undecided = self._search.body_beginnings
                self._write(text)
                return
            self._state = _VALUE
            self._undecided = self._search.held_in_body
            self._pointer, _, started, self._ended = known
            events.append(started)
            if value:
                if value[-1] == "\n":
                    self._held = "\n"
                    value = value[:-1]
                    text = text[:-1]
                if value:
                    events.append(ArgDelta(self._pointer, value))
            self._write(text)
            if len(text) < _SMALL and type(self._body) is list:
                self._collect()
        elif state == _JUNK:
            self._write(text)
        else:
            self._advance(text, events, False)

    def _end_value(self, text: str, events: list[Event]) -> None:
        """Read a text that continues a value and in which a marker begins: nearly always the end marker."""
        search = self._search
        value, found, rest = text.partition(search.end)
        if not found or not search.lead or search.lead in value:
            self._advance(text, events, False)
            return
        self._write(value)
        value = value.removesuffix("\n")
        if value:
            growth = new(ArgDelta)
            growth.pointer = self._pointer
            growth.delta = value
            events.append(growth)
        events.append(self._ended)
        self._end_call(events)
        self._state = _TEXT
        self._undecided = search.text_beginnings
        if search.lead in rest:
            self._advance(rest, events, False)
        elif rest:
            outside = new(Text)
            outside.text = rest
            events.append(outside)

    def _collect(self) -> None:
        """Switch to a buffer: many small pieces would take ten times the memory of their text."""
        joined = "".join(self._body)
        self._body = StringIO()
        self._write = self._body.write
        self._write(joined)

    def _advance(self, text: str, events: list[Event], final: bool) -> None:
        """Read the certain part, and hold back the rest."""
        search = self._search
        state = self._state
        size = len(text)
        certain = final or not text or text[-1] not in search.inner  # no marker begins at the end
        if search.sign in text:
            start_at = end_at = -1  # the next of each marker at or after pos, or past the text
        elif certain and _JUNK <= state < _CLOSED:
            self._read_on(text, 0, size, state, final, events)
            return
        else:
            start_at = end_at = size + 1
        start, end = search.start, search.end
        pos = 0
        whole = search.apart  # whether `whole_calls` may find calls; it reads as many as it can at once
        opening = -1  # the start of such a call in this text
        while True:
            if state == _TEXT:
                if start_at < pos:
                    start_at = text.find(start, pos)
                    if start_at < 0:
                        start_at = size + 1
                if start_at > size:
                    self._state = state
                    self._undecided = search.text_beginnings
                    cut = size if certain else search.tail(text, pos, search.text_beginnings)
                    self._held = text[cut:] if cut < size else ""
                    if cut > pos:
                        outside = new(Text)
                        outside.text = text[pos:cut]
                        events.append(outside)
                    return
                if start_at > pos:
                    outside = new(Text)
                    outside.text = text[pos:start_at]
                    events.append(outside)
                if whole:
                    opening = start_at
                pos = start_at + len(start)
                state = _HEADER
            if state == _HEADER:
                newline = text.find("\n", pos)
                if newline < 0:
                    if pos < size:
                        self._pieces.append(text[pos:])
                    self._state = state
                    self._held = ""
                    return
                if opening >= 0:
                    if end_at < newline:
                        end_at = text.find(end, newline)
                        if end_at < 0:
                            end_at = size + 1
                    if end_at <= size:
                        text, self._counter = whole_calls(text[opening:], search, self._known, self._counter, events)
                        size = len(text)
                        pos = 0
                        start_at = end_at = opening = -1
                        whole = False
                        state = _TEXT
                        continue
                line = text[pos:newline]
                if self._pieces:
                    line = "".join(self._pieces) + line
                    self._pieces = []
                name, invocation_id, dependencies = header_fields(line)
                if invocation_id is None:
                    self._counter += 1
                    invocation_id = f"gadget_{self._counter}"
                call = self._call = new(CallStarted)
                call.name = name
                call.invocation_id = invocation_id
                call.dependencies = dependencies
                events.append(call)
                pos = newline + 1
                state = _JUNK
                self._body = []
                self._write = self._body.append
            elif state == _CLOSED:
                raise ValueError("this stream is closed: create a new GadgetStream for the next response")
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
            if not closing and certain:
                stop = size
            elif not closing or not search.plain:
                cut = size if final else search.tail(text, pos, search.body_beginnings)
                if cut <= stop:
                    closing = False
                    stop = cut
            if closing:
                body = text[pos:stop]
                self._write(body)
                self._read_arguments(body, state, True, events)
                self._end_call(events)
                pos = stop + len(end) if stop == end_at else stop
                state = _TEXT
                continue
            self._read_on(text, pos, stop, state, final, events)
            return

    def _read_on(self, text: str, start: int, stop: int, state: int, final: bool, events: list[Event]) -> None:
        """Read a part of a body in which no call ends, and hold back the rest."""
        if start < stop:
            body = text[start:stop]
            state = self._read_arguments(body, state, False, events)
            if state == _NEWLINE:
                state = _VALUE
                if not final:
                    body = body[:-1]
                    stop -= 1
            self._write(body)
        self._state = state
        size = len(text)
        self._held = text[stop:] if stop < size else ""
        if state != _VALUE:
            self._undecided = self._search.body_beginnings
        else:
            self._undecided = self._search.held_in_body
            if type(self._body) is list and (size < _SMALL or len(self._body) > _MANY):
                self._collect()

    def _read_arguments(self, body: str, state: int, closing: bool, events: list[Event]) -> int:
        """The events of the next part of a body, and the new mode."""
        parts = body.split(self._search.arg)
        if state != _POINTER:
            first = parts.pop(0)
            ends_line = False
            if state == _VALUE:
                if first:
                    ends_line = first[-1] == "\n"
                    value = first[:-1] if ends_line else first
                    if value:
                        growth = new(ArgDelta)
                        growth.pointer = self._pointer
                        growth.delta = value
                        events.append(growth)
                if closing or parts:
                    events.append(self._ended)
            if not parts:
                return _NEWLINE if ends_line else state
        elif self._pieces:
            if len(parts) == 1 and not closing and "\n" not in body:
                self._pieces.append(body)
                return state
            parts[0] = "".join(self._pieces) + parts[0]
            self._pieces = []
        growing = None if closing else parts.pop()
        known_lines = self._known
        for part in parts:
            line, _, value = part.partition("\n")
            known = known_lines[line]
            if known:
                pointer, _, started, ended = known
                events.append(started)
                value = value.removesuffix("\n")
                if value:
                    growth = new(ArgDelta)
                    growth.pointer = pointer
                    growth.delta = value
                    events.append(growth)
                events.append(ended)
        if growing is None:
            return state
        line, newline, value = growing.partition("\n")
        if not newline:
            self._pieces = [line]
            return _POINTER
        known = known_lines[line]
        if not known:
            return _JUNK
        self._pointer, _, started, self._ended = known
        events.append(started)
        if not value:
            return _VALUE
        ends_line = value[-1] == "\n"
        if ends_line:
            value = value[:-1]
        if value:
            growth = new(ArgDelta)
            growth.pointer = self._pointer
            growth.delta = value
            events.append(growth)
        return _NEWLINE if ends_line else _VALUE

    def _end_call(self, events: list[Event]) -> None:
        body = self._body
        text = "".join(body) if isinstance(body, list) else body.getvalue()
        self._body = []
        call = self._call
        over = new(CallEnded)
        over.call = GadgetCall(call.name, call.invocation_id, call.dependencies, text, self._search.arg)
        events.append(over)


def read_calls(text: str, markers: Markers | None = None) -> tuple[list[GadgetCall], list[int], str]:
    """The calls of a whole text, how much text outside of calls is before each, and that text."""
    stream, calls, places, texts, size = GadgetStream(markers), list[GadgetCall](), list[int](), list[str](), 0
    for event in [*stream.feed(text), *stream.close()]:
        if isinstance(event, Text):
            texts.append(event.text)
            size += len(event.text)
        elif isinstance(event, CallEnded):
            calls.append(event.call)
            places.append(size)
    return calls, places, "".join(texts)
