"""The values that a program reads from a text, as plain JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from llmblocks.features.streams import Emitted, LanguageStream
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings

Pause = Callable[[int, int], None]
"""Called now and then while a long text is read, with the progress and the total; it may raise."""
_PART = 1 << 16


def values(text: str, language: Language, settings: Settings, pause: Pause = lambda *_: None) -> dict[str, Any]:
    """Return the values that a program reads from a text.

    Returns:
        `items`: the values of its format and the text between them. Or the result of `whole` of the outermost format.
    """
    stream = LanguageStream(language, settings)
    if stream.formats and (whole := stream.formats[0].whole):
        return whole(text, settings)
    return {"items": [*_items(chain.from_iterable(_emitted(stream, text, pause)))]}


def _emitted(stream: LanguageStream, text: str, pause: Pause) -> Iterator[list[Emitted]]:
    for start in range(0, len(text), _PART):
        yield stream.feed(text[start : start + _PART])
        pause(min(start + _PART, len(text)), len(text))
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
