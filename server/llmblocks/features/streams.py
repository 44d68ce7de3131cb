"""The public streams of a language's formats, combined: events, the held-back text, and the values of a whole text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, cycle
from typing import Any, NamedTuple

from llmblocks.contract.streaming import Event, FormatStream, Held, Streaming, TerminalEvent
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings

_MOST_HELD = 200
_PART = 1 << 16


class Emitted(NamedTuple):
    """An event of a format, or text outside of all formats, which has no `format`."""

    event: Any
    format: Streaming[Settings] | None = None

    def as_json(self) -> Event:
        return self.format.event(self.event) if self.format else {"event": "TextDelta", "delta": self.event}

    def shown(self) -> TerminalEvent | None:
        return self.format.shown(self.event) if self.format else TerminalEvent(self.event)


class LanguageStream:
    """The streams of all formats of a language, each inside the one before. Never raises for any text."""

    def __init__(self, language: Language, settings: Settings) -> None:
        found = [layer.streaming() for layer in language.loaded if layer.streaming is not None]
        self.formats = tuple(found)
        self._streams: list[tuple[Streaming[Settings], FormatStream]] = [(each, each.open(settings)) for each in found]

    def feed(self, text: str) -> list[Emitted]:
        return [*self._read(text, 0)]

    def close(self) -> list[Emitted]:
        streams = enumerate(self._streams, 1)
        return [each for inside, (streaming, stream) in streams for each in self._of(streaming, stream.close(), inside)]

    @property
    def held(self) -> str:
        """The text held back. The text of an inner format precedes that of the format around it."""
        return "".join([stream.held for _, stream in reversed(self._streams)])

    @property
    def held_size(self) -> int:
        """The length of `held`, without a copy."""
        return sum([stream.held_size for _, stream in self._streams])

    def _read(self, text: str, number: int) -> Iterator[Emitted]:
        if number == len(self._streams):
            yield Emitted(text)
        else:
            streaming, stream = self._streams[number]
            yield from self._of(streaming, stream.feed(text), number + 1)

    def _of(self, streaming: Streaming[Settings], events: Sequence[Any], inside: int) -> Iterator[Emitted]:
        for event in events:
            text = streaming.free(event)
            if text is None:
                yield Emitted(event, streaming)
            else:
                yield from self._read(text, inside)


class StreamStep(NamedTuple):
    """A chunk, and the stream's response to it. The last step is the end of the text, with an empty chunk."""

    end: int
    """The number of characters up to the end of the chunk."""
    events: list[Event]
    held: str
    """The last 200 characters of the text held back."""
    size: int
    """The length of all text held back."""
    why: str
    """The reason for holding it back."""


def steps(text: str, language: Language, settings: Settings, sizes: Sequence[int]) -> Iterator[StreamStep]:
    """Yield the steps of a stream that is fed chunks of these sizes, repeatedly."""
    stream = LanguageStream(language, settings)
    at = 0
    for size in cycle(sizes):
        if at >= len(text):
            break
        chunk = text[at : at + size]
        at += len(chunk)
        events, size = _as_json(stream.feed(chunk)), stream.held_size
        if size > _MOST_HELD:
            # showing all of it each time would take quadratic time and space; it ends like the text read so far
            start = at - size
            held = Held(text[start : start + _MOST_HELD], text[at - _MOST_HELD : at], size, text, at)
        else:
            every = stream.held
            held = Held(every, every, size, text, at)
        reasons = (each.why(held, settings) for each in stream.formats) if size else ()
        yield StreamStep(at, events, held.end, size, next(filter(None, reasons), ""))
    yield StreamStep(at, _as_json(stream.close()), "", 0, "")


def _as_json(events: Sequence[Emitted]) -> list[Event]:
    return [event.as_json() for event in events]


def values(
    text: str, language: Language, settings: Settings, pause: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Return the values of a format and the text between them as `items`, or the result of its `whole`."""
    stream = LanguageStream(language, settings)
    if stream.formats and (whole := stream.formats[0].whole):
        return whole(text, settings)
    return {"items": [*_items(chain.from_iterable(_emitted(stream, text, pause)))]}


def _emitted(stream: LanguageStream, text: str, pause: Callable[[], None]) -> Iterator[list[Emitted]]:
    for start in range(0, len(text), _PART):
        yield stream.feed(text[start : start + _PART])
        pause()
    yield stream.close()


def _items(events: Iterator[Emitted]) -> Iterator[dict[str, Any]]:
    free: list[str] = []
    for emitted in events:
        if emitted.format is None:
            free.append(emitted.event)
        elif (item := emitted.format.item(emitted.event)) is not None:
            if any(free):
                yield {"type": "text", "text": "".join(free)}
            free.clear()
            yield item
    if any(free):
        yield {"type": "text", "text": "".join(free)}
