"""The markers of the gadget block format, and the line after a start marker: name, invocation id, dependencies."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.gadget.syntax.values import SPACE

START = "!!!GADGET_START:"
END = "!!!GADGET_END"
ARG = "!!!ARG:"


class Markers(NamedTuple("_Prefixes", [("start", str), ("end", str), ("arg", str)])):
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
    """Return the given markers, or the default ones for None; raise `TypeError` for anything else."""
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


class Header(NamedTuple):
    """The parts of a header line. `invocation_id` is None if absent, "" if empty."""

    name: str
    invocation_id: str | None
    dependencies: tuple[str, ...]


class HeaderPart(NamedTuple):
    """A stretch of text, in code points."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return its part of a text."""
        return text[self.start : self.end]


class HeaderSpans(NamedTuple):
    """The places of the parts of a header, in code points of its text."""

    name: HeaderPart
    invocation_id: HeaderPart | None
    dependencies: tuple[HeaderPart, ...]
    """All dependencies in order, with repeats, without blank ones."""


def split_header(text: str) -> Header:
    """Split the text between a start marker and the end of its line. Never raises: any text is a header.

    " Sum : s1 : a, b " -> ("Sum ", "s1", ("a", "b")). The name is trimmed at the ends of the line only.

    Source: the gadget block format, "Header Line Formats". Colons separate dependencies too, as in llmist.
    """
    parts = text.split(":")
    # nearly every header consists of identifiers, which have no white space to trim
    if len(parts) == 3 and parts[0].isidentifier() and parts[1].isidentifier() and parts[2].isidentifier():
        return Header(parts[0], parts[1], (parts[2],))
    parts = text.strip(SPACE).split(":")
    names = dict.fromkeys([name.strip(SPACE) for name in ",".join(parts[2:]).split(",")])
    names.pop("", None)
    return Header(parts[0], parts[1].strip(SPACE) if len(parts) > 1 else None, tuple(names))


def locate_header(text: str, start: int, end: int) -> HeaderSpans:
    """Find the parts of a header in a text; see `split_header`. An empty id or name is an empty span at its place."""
    name, *fields = _split(text, _trimmed(text, start, end), ":")
    identifier = _trimmed(text, *fields[0]) if fields else None
    names = [_trimmed(text, *part) for field in fields[1:] for part in _split(text, field, ",")]
    return HeaderSpans(name, identifier, tuple([span for span in names if span.start < span.end]))


def _split(text: str, span: HeaderPart, separator: str) -> list[HeaderPart]:
    found: list[HeaderPart] = []
    start = span.start
    for part in span.of(text).split(separator):
        found.append(HeaderPart(start, start + len(part)))
        start += len(part) + 1
    return found


def _trimmed(text: str, start: int, end: int) -> HeaderPart:
    inner = text[start:end]
    left = start + len(inner) - len(inner.lstrip(SPACE))
    return HeaderPart(left, max(left, start + len(inner.rstrip(SPACE))))
