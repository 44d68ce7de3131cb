"""The fast path for gadget calls that lie in one chunk, as in a complete response."""

from __future__ import annotations

from llmblocks.gadget.reading.call import GadgetCall
from llmblocks.gadget.reading.events import ArgDelta, ArgEnded, ArgStarted, CallEnded, CallStarted, Event, Text, new
from llmblocks.gadget.reading.search import MarkerSearch
from llmblocks.gadget.syntax.header import header_fields
from llmblocks.gadget.syntax.javascript import SPACE, SPACES
from llmblocks.gadget.syntax.pointer import Parameters
from llmblocks.gadget.syntax.values import BACKTICK, COERCIBLE, coerce

_MANY = 256  # the number of pointers, of at most 128 characters, whose events a stream caches

KnownPointer = tuple[str, bool, ArgStarted, ArgEnded]
"""A pointer, whether it is a plain name, and the events of its argument's start and end."""


class KnownPointers(dict[str, KnownPointer | None]):
    """The pointers that a stream has seen, by their lines; None for a line without a pointer."""

    __slots__ = ()

    def __missing__(self, line: str) -> KnownPointer | None:
        pointer = line.strip(SPACE)
        known = None
        if pointer:
            plain = "/" not in pointer and pointer != "__proto__"
            known = pointer, plain, ArgStarted(pointer), ArgEnded(pointer)
        if len(self) < _MANY and len(line) <= 128:
            self[line] = known
        return known


def whole_calls(
    text: str, search: MarkerSearch, pointers: KnownPointers, unnamed: int, events: list[Event]
) -> tuple[str, int]:
    """The events of the complete calls at the beginning of a text outside of calls.

    Shape:  also the rest of the text, which may be anything, and the number of calls without an id in the stream,
            counted from `unnamed`.
    """
    start, end, arg = search.start, search.end, search.arg
    tidy = search.tidy
    pieces = text.split(end)
    rest = pieces.pop()
    for place, piece in enumerate(pieces):
        before, _, call = piece.partition(start)
        header, newline, body = call.partition("\n")
        if not newline or start in body:
            # an end marker in the text or in a header, or a call ended by the next one
            return end.join([*pieces[place:], rest]), unnamed
        if before:
            outside = new(Text)
            outside.text = before
            events.append(outside)
        name, invocation_id, dependencies = header_fields(header)
        if invocation_id is None:
            unnamed += 1
            invocation_id = f"gadget_{unnamed}"
        begun = new(CallStarted)
        begun.name = name
        begun.invocation_id = invocation_id
        begun.dependencies = dependencies
        events.append(begun)
        parameters: Parameters | None = None
        parts = body.split(search.arg_on_line)
        if body.startswith(arg) and body.count(arg) == len(parts):
            # Every argument marker begins a line, so only the last value can lose more than its newline.
            parts[0] = parts[0][len(arg) :]
            if body[-1] == "\n":
                parts[-1] = parts[-1][:-1]
            if tidy and BACKTICK not in body:
                parameters = {}
            pointer = value = ""
            for part in parts:
                line, _, value = part.partition("\n")
                known = pointers[line]
                if not known:
                    parameters = None
                    continue
                pointer, plain, started, ended = known
                events.append(started)
                if value:
                    growth = new(ArgDelta)
                    growth.pointer = pointer
                    growth.delta = value
                    events.append(growth)
                events.append(ended)
                if not plain:
                    parameters = None
                elif parameters is not None:
                    parameters[pointer] = coerce(value) if value and value[0] in COERCIBLE else value
            if parameters is not None:
                if len(parameters) < len(parts):
                    parameters = None
                elif value and value[-1] in SPACES:
                    parameters[pointer] = coerce(value.rstrip(SPACE))
        else:
            for part in body.split(arg)[1:]:
                line, _, value = part.partition("\n")
                known = pointers[line]
                if known:
                    pointer, _, started, ended = known
                    events.append(started)
                    if value and value != "\n":
                        growth = new(ArgDelta)
                        growth.pointer = pointer
                        growth.delta = value[:-1] if value[-1] == "\n" else value
                        events.append(growth)
                    events.append(ended)
        over = new(CallEnded)
        over.call = GadgetCall(name, invocation_id, dependencies, body, arg, parameters)
        events.append(over)
    return rest, unnamed
