"""The three marker prefixes of the gadget block format."""

from __future__ import annotations

from typing import NamedTuple

START = "!!!GADGET_START:"
END = "!!!GADGET_END"
ARG = "!!!ARG:"


class _Prefixes(NamedTuple):
    start: str
    end: str
    arg: str


class Markers(_Prefixes):
    """The prefixes that begin a call, end it, and begin an argument.

    Raises:
        ValueError: One is empty, contains a line end, or is a prefix of another (see `problems`).

    Source: the gadget block format, "Configurable Markers".
    """

    __slots__ = ()

    def __new__(cls, start: str = START, end: str = END, arg: str = ARG) -> Markers:
        for problem in problems(start, end, arg):
            raise ValueError(problem)
        return super().__new__(cls, start, end, arg)


def markers_or_default(markers: Markers | None) -> Markers:
    """Return the given markers, or the default ones for None.

    Raises:
        TypeError: It is anything else.
    """
    if markers is None:
        return Markers()
    if not isinstance(markers, Markers):
        raise TypeError(f"markers is Markers(start=, end=, arg=), not {type(markers).__name__}")
    return markers


def problems(start: str, end: str, arg: str) -> tuple[str, ...]:
    """Return the reasons why three prefixes cannot be used together; empty if they can."""
    named = {"start": start, "end": end, "arg": arg}
    for name, text in named.items():
        if not isinstance(text, str):
            raise TypeError(f"the {name} marker is a str, not {type(text).__name__}")
    found = [f"the {name} marker is empty: give it at least one character" for name, text in named.items() if not text]
    cut = [(name, text) for name, text in named.items() if "\n" in text or "\r" in text]
    found += [f"the {name} marker {text!r} contains a line end: a marker must be on one line" for name, text in cut]
    prefixes = [
        f"the {one} marker {first!r} is a prefix of the {other} marker {second!r}: the two cannot be told apart"
        for one, first in named.items()
        for other, second in named.items()
        if one != other and second.startswith(first) and (first != second or one < other)
    ]
    return tuple(found or prefixes)
