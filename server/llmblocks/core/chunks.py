"""The text of streams: the type of a chunk, characters cut in two, and texts collected in fragments."""

from __future__ import annotations

_LONG = 256
_MANY = 512

is_ascii = str.isascii
"""Whether a chunk is ASCII, as nearly every chunk is; `TypeError` if it is not text."""


def join_halves(text: str) -> tuple[str, str]:
    """Join each high surrogate with the low surrogate after it; a half at the end may wait for the other.

    Shape:  the text up to that half, and the half, or "" where the text ends in none. Any other half stays.
    """
    try:
        # Fails if there is any half. UTF-8 is faster on a short text, UTF-16 on a long one.
        text.encode("utf-8" if len(text) < _LONG else "utf-16-le")
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if "\ud800" <= text[-1] <= "\udbff":
            return text[:-1], text[-1]
    return text, ""


def not_text(chunk: object) -> TypeError:
    """The error for a chunk that is not a `str`."""
    kind = type(chunk).__name__
    how = ": decode it first, with codecs.getincrementaldecoder('utf-8')()" if isinstance(chunk, bytes) else ""
    return TypeError(f"a chunk is a str, not {kind}{how}")


def expect_text(given: object, taker: str) -> None:
    """Errors: `TypeError` for anything but a `str`, in the words of the function that takes it."""
    if not isinstance(given, str):
        kind = type(given).__name__
        raise TypeError(f"{taker} takes a str, not {kind}{': decode it first' if isinstance(given, bytes) else ''}")


def size_of(fragments: list[str]) -> int:
    """The length of a text in fragments. Shape: many become one, so that asking after each new one stays cheap."""
    if len(fragments) > _MANY:
        fragments[:] = ["".join(fragments)]
    return sum(map(len, fragments))
