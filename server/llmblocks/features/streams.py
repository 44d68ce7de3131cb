"""The public streams behind one interface: what each emits and holds back, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from itertools import cycle
from typing import Any, NamedTuple

from llmblocks.compose import GadgetTransform
from llmblocks.features.values import block_as_json, call_as_json
from llmblocks.gadget import CallEnded
from llmblocks.settings.values import Settings
from llmblocks.stf import Embedded, Found, MessageEnded, StfStream
from llmblocks.tags import CustomBlock, TagHandler, TagStream, TextDelta

Event = dict[str, Any]
_MOST_HELD = 200


class LanguageStream(NamedTuple):
    """A stream of one language. Shape: `held` gives the text held back, `held_size` its length at less cost."""

    feed: Callable[[str], list[Event]]
    close: Callable[[], list[Event]]
    held: Callable[[], str]
    held_size: Callable[[], int]


def open_stream(language_id: str, settings: Settings) -> LanguageStream:
    """The stream of a language. It never raises for any text."""
    if language_id == "stf":
        stf = StfStream(dialect=settings.dialect, default_role=settings.default_role or None)
        return LanguageStream(
            lambda text: _events(stf.feed(text)),
            lambda: _events(stf.close()),
            lambda: stf.held,
            lambda: stf.held_size,
        )
    tags = TagStream({name: TagHandler() for name in settings.tags})
    if language_id != "gadget":
        return LanguageStream(
            lambda text: _events(tags.feed(text)),
            lambda: _events(tags.flush()),
            lambda: tags.held,
            lambda: tags.held_size,
        )
    gadgets = GadgetTransform(settings.markers)

    def through(deltas: Sequence[Any]) -> list[Any]:
        return [each for delta in deltas for each in tags.process(delta)]

    return LanguageStream(
        lambda text: _events(through(gadgets.process(TextDelta(text)))),
        lambda: _events([*through(gadgets.flush()), *tags.flush()]),
        lambda: tags.held + gadgets.held,
        lambda: tags.held_size + gadgets.held_size,
    )


class Step(NamedTuple):
    """A chunk, and what the stream did with it.

    Shape: `end` is the number of characters up to the end of the chunk; the last step is the end of the text, with an
           empty chunk. `held` is the text held back for the reason `why`, or its last 200 characters; `size` is the
           length of all of it.
    """

    end: int
    events: list[Event]
    held: str
    size: int
    why: str


def steps(text: str, language_id: str, settings: Settings, sizes: Sequence[int]) -> Iterator[Step]:
    """The steps of a stream that is fed chunks of these sizes, over and over."""
    stream = open_stream(language_id, settings)
    at = 0
    for size in cycle(sizes):
        if at >= len(text):
            break
        chunk = text[at : at + size]
        at += len(chunk)
        events, size = stream.feed(chunk), stream.held_size()
        if size > _MOST_HELD:
            # all of it, over and over, would take quadratic time and space: it ends as what has been read
            start = at - size
            held = _Held(text[start : start + _MOST_HELD], text[at - _MOST_HELD : at], size)
        else:
            every = stream.held()
            held = _Held(every, every, size)
        yield Step(at, events, held.end, size, _why(held, text, at, language_id, settings) if size else "")
    yield Step(at, stream.close(), "", 0, "")


class _Held(NamedTuple):
    """A text held back: how it begins and ends, and its length."""

    begin: str
    end: str
    size: int


def _why(held: _Held, text: str, at: int, language_id: str, settings: Settings) -> str:
    """The reason for which a stream holds something back. Shape: it has read the text up to `at`."""
    if language_id == "stf":
        return _why_chat(held, text, at)
    markers = settings.markers
    if language_id == "gadget":
        known = (markers.start, markers.arg, markers.end)
        for marker in known:
            if marker in held.begin:
                return f"the line of {marker} is not complete"
        possible = [
            marker for marker in known if any(held.end.endswith(marker[:size]) for size in range(1, len(marker)))
        ]
        if possible:
            return f"it may become {' or '.join(possible)}"
        if held.end.endswith(("\n", "\r")):
            return f"a line end before {markers.arg} or {markers.end} is not part of the value"
    name = held.begin.lstrip("<").split(maxsplit=1)[0] if held.begin.strip("< \t\r\n") else ""
    if name in settings.tags:
        return f"the tag <{name}> is not complete"
    return "it may become a tag"


def _why_chat(held: _Held, text: str, at: int) -> str:
    if held.size == at and text.startswith(held.begin):
        return "no complete line has determined the dialect yet"
    _, newline, line = held.end.rpartition("\n")
    if not newline and held.size > len(held.end):
        may_be_command = held.begin.startswith(("@", ";")) and "\n" not in held.begin
    else:
        may_be_command = line.startswith(("@", ";")) and text.startswith(line, at - len(line))
    if may_be_command:
        return "the line may be a command; its end decides"
    if held.end == "\r":
        return "it may be the first half of a line end"
    return "the body of a command is given when it ends"


def _events(events: Sequence[Any]) -> list[Event]:
    return [event_as_json(event) for event in events]


def event_as_json(event: Any) -> Event:
    """An event as plain JSON values. Shape: `event` is the name of its class, the rest are its fields."""
    name = type(event).__name__
    if isinstance(event, CallEnded):
        return {"event": name, "call": call_as_json(event.call)}
    if isinstance(event, CustomBlock):
        return {"event": name, **block_as_json(event)}
    if isinstance(event, MessageEnded):
        return {"event": name, "message": event.message.as_dict()}
    if isinstance(event, Embedded):
        return {"event": name, "part": _plain(event.part)}
    if isinstance(event, Found):
        finding = event.finding
        return {"event": name, "line": finding.line, "code": finding.code, "message": finding.message}
    return {"event": name} | {each.name: _plain(getattr(event, each.name)) for each in fields(event)}


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    return list(value) if isinstance(value, tuple) else value
