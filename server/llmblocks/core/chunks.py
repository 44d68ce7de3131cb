"""The text of streams: tokens chunk by chunk, characters cut in two, and texts collected in fragments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llmblocks.core.scan import Kind, Scanner

_MANY = 512

is_ascii = str.isascii
"""Whether a chunk is ASCII, as nearly every chunk is; `TypeError` if it is not text."""


def join_halves(text: str) -> tuple[str, str]:
    """Join each high surrogate with the low surrogate after it. Any other half stays.

    Returns:
        The text up to a high surrogate at its end, and that half, which may wait for the other; "" without one.
    """
    try:
        text.encode()  # fails if there is any half
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if "\ud800" <= text[-1] <= "\udbff":
            return text[:-1], text[-1]
    return text, ""


def not_text(chunk: object) -> TypeError:
    """Return the error for a chunk that is not a `str`."""
    how = ": decode it first, with codecs.getincrementaldecoder('utf-8')()" if isinstance(chunk, bytes) else ""
    return TypeError(f"a chunk is a str, not {type(chunk).__name__}{how}")


def expect_text(given: object, taker: str) -> None:
    """Raise `TypeError` for anything but a `str`, naming the function that takes it."""
    if not isinstance(given, str):
        how = ": decode it first" if isinstance(given, bytes) else ""
        raise TypeError(f"{taker} takes a str, not {type(given).__name__}{how}")


def size_of(fragments: list[str]) -> int:
    """Return the length of a text in fragments.

    Joins many fragments into one, so that repeated calls stay cheap.
    """
    if len(fragments) > _MANY:
        fragments[:] = ["".join(fragments)]
    return sum(map(len, fragments))


class ScannedChunks:
    """The tokens of a text that arrives in chunks.

    `held` is its end, which may still become a marker, or is the first half of a character.
    """

    __slots__ = ("_scan", "held", "state")

    def __init__(self, scanner: Scanner) -> None:
        self._scan = scanner.scan
        self.state: Any = scanner.initial
        self.held = ""

    def take(self, chunk: str, final: bool = False) -> Iterator[tuple[Kind, str]]:
        """Scan a chunk, and yield the kind and the text of each of its tokens. Callers must exhaust the iterator."""
        text = self.held + chunk if self.held else chunk
        self.held = half = ""
        if not final and not is_ascii(text):
            text, half = join_halves(text)
        at = begin = 0
        last, size = None, len(text)
        while at < size:
            tokens, end, self.state, _, _ = self._scan(text, at, size, self.state, final)
            if end == at:
                break
            for kind, width in tokens:
                if kind is not last or not kind.merges:
                    if last is not None:
                        yield last, text[begin:at]
                    last, begin = kind, at
                at += width
        self.held = text[at:] + half
        if last is not None:
            yield last, text[begin:at]
