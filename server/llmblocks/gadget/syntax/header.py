"""The line after a start marker: gadget name, invocation id, dependencies."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.gadget.syntax.javascript import SPACE


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
    colons: tuple[HeaderPart, ...]
    """Separators between dependencies that should be commas."""


def split_header(text: str) -> Header:
    """Split the text between a start marker and the end of its line. Never raises: any text is a header.

    " Sum : s1 : a, b " -> ("Sum ", "s1", ("a", "b")). The name is trimmed at the ends of the line only.

    Source: the gadget block format, "Header Line Formats". Colons separate dependencies too, as in llmist.
    """
    return Header(*header_fields(text))


def header_fields(text: str) -> tuple[str, str | None, tuple[str, ...]]:
    """Return `split_header` as a plain tuple, because a stream creates one for every call."""
    parts = text.split(":")
    count = len(parts)
    # nearly every header consists of identifiers, which have no white space to trim
    if count == 3:
        name, identifier, written = parts
        if name.isidentifier() and identifier.isidentifier() and written.isidentifier():
            return name, identifier, (written,)
    if not (parts[0].isidentifier() and parts[-1].isidentifier()):
        parts = text.strip(SPACE).split(":")
    if count == 1:
        return parts[0], None, ()
    identifier = parts[1]
    if not identifier.isidentifier():
        identifier = identifier.strip(SPACE)
    if count == 2:
        return parts[0], identifier, ()
    written = parts[2] if count == 3 else ",".join(parts[2:])
    if written.isidentifier():
        return parts[0], identifier, (written,)
    names = dict.fromkeys([name.strip(SPACE) for name in written.split(",")])
    names.pop("", None)
    return parts[0], identifier, tuple(names)


def locate_header(text: str, start: int, end: int) -> HeaderSpans:
    """Find the parts of a header in a text, for an editor.

    See `split_header`; an empty id or name is an empty span at its place.
    """
    words = text[start:end].split(":")
    if len(words) < 4 and all(map(str.isidentifier, words)):
        # nothing to trim, as in nearly every header
        found = list[HeaderPart]()
        for word in words:
            found.append(HeaderPart(start, start + len(word)))
            start += len(word) + 1
        return HeaderSpans(found[0], found[1] if len(found) > 1 else None, (*found[2:],), ())
    bounds = _fields(text, _trimmed(text, start, end), ":")
    name = bounds[0]
    if len(bounds) == 1:
        return HeaderSpans(name, None, (), ())
    identifier = _trimmed(text, *bounds[1])
    names: list[HeaderPart] = []
    for field in bounds[2:]:
        names += [span for part in _fields(text, field, ",") if (span := _trimmed(text, *part)).start < span.end]
    colons = tuple(HeaderPart(field.end, field.end + 1) for field in bounds[2:-1])
    return HeaderSpans(name, identifier, tuple(names), colons)


def _fields(text: str, span: HeaderPart, separator: str) -> list[HeaderPart]:
    found: list[HeaderPart] = []
    start = span.start
    while (at := text.find(separator, start, span.end)) >= 0:
        found.append(HeaderPart(start, at))
        start = at + 1
    found.append(HeaderPart(start, span.end))
    return found


def _trimmed(text: str, start: int, end: int) -> HeaderPart:
    inner = text[start:end]
    left = start + len(inner) - len(inner.lstrip(SPACE))
    return HeaderPart(left, max(left, start + len(inner.rstrip(SPACE))))
