"""The return values of a user's functions, as deltas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from inspect import isawaitable

from llmblocks.tags.misuse import shown


def deltas_in(source: str, result: object) -> list[object]:
    """Read several deltas: a list, a tuple, a set or a generator; `None` means none.

    Raises:
        ValueError: It is anything else: a mapping, or an iterable delta, would fall apart.
    """
    if isinstance(result, list):
        return result
    if result is None:
        return []
    if isinstance(result, str | bytes):
        raise ValueError(f"{source} returned the text {shown(result)}: return deltas, such as [TextDelta(text)]")
    if is_several(result):
        return list(result)  # type: ignore[call-overload, no-any-return]
    raise ValueError(f"{source} returned {shown(result)}: return a list of deltas")


def is_several(result: object) -> bool:
    """Return whether a result is a collection of deltas, not a delta."""
    if isinstance(result, tuple):
        return not hasattr(result, "_fields")  # a named tuple is a delta
    return isinstance(result, Sequence | Set | Iterator) and not isinstance(result, str | bytes | bytearray)


def deltas_of_chunk(source: str, result: object) -> list[object]:
    """Return the deltas of a chunk: one, several or none.

    Raises:
        ValueError: The value cannot be a delta.
    """
    if result is None or isinstance(result, list) or is_several(result):
        return deltas_in(source, result)
    if isinstance(result, str | bytes) or hasattr(result, "__aiter__"):
        raise ValueError(f"{source} returned {shown(result)}: return a delta, such as TextDelta(text), a list or None")
    return [result]


def refuse_awaitable(result: object, source: str) -> None:
    """Raise `ValueError` for a result that must be awaited, where that is impossible."""
    if isawaitable(result):
        # a coroutine that is never awaited warns when it is collected
        close = getattr(result, "close", None)
        if close:
            close()
        raise ValueError(f"{source} is async: use aprocess and aflush")
