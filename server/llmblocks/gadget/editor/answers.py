"""The names in calls: their colours, titles and kinds, the parts that a selection grows by, and their definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from llmblocks.code.grammar import script_of
from llmblocks.contract.answers import Link
from llmblocks.contract.headings import Heading, NameKind, Title, first_words
from llmblocks.contract.paint import PLAIN, Paint, Painted, as_whole
from llmblocks.core.places import Elsewhere
from llmblocks.core.query import Query
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.gadget import kinds
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import ARGUMENT, CALL, GADGET, INVOCATION, call_in, counted, number_of
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema, Source
from llmblocks.gadget.schemas.reading import decoded_text, parameter_place
from llmblocks.gadget.syntax.markers import split_header
from llmblocks.gadget.syntax.values import SPACE

_MOST_BYTES = 1 << 23
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _start_colour(section: Section, span: Span) -> Iterator[Painted]:
    if call_in(section) is not None:
        yield Painted(span.start, span.end, "keyword")


def _header_colours(section: Section, _: Span) -> Iterator[Painted]:
    call = call_in(section)
    if call is None:
        return
    name, invocation_id, dependencies = call.names
    if name.start < name.end:
        yield Painted(*name, "function")
    if invocation_id is not None and invocation_id.start < invocation_id.end:
        yield Painted(*invocation_id, "variable", ("declaration", "readonly"))
    yield from [Painted(*each, "variable") for each in dependencies]


def _pointer_colours(section: Section, span: Span) -> Iterator[Painted]:
    at = span.start
    for segment in section.text[span.start : span.end].split("/"):
        name = segment.strip()
        if name:
            start = at + segment.index(name)
            yield Painted(start, start + len(name), "number" if name.isascii() and name.isdigit() else "property")
        at += len(segment) + 1


PAINT: Final[dict[Kind, Paint]] = {
    kinds.START: _start_colour,
    kinds.HEADER: _header_colours,
    kinds.IGNORED: as_whole("comment"),
    kinds.ARG: as_whole("keyword"),
    kinds.POINTER: _pointer_colours,
    kinds.END: as_whole("keyword"),
}
PAINT_OVER: Final[dict[Kind, Paint]] = {
    **dict.fromkeys((kinds.TEXT, kinds.STRAY), as_whole(PLAIN)),
    kinds.VALUE: as_whole("string"),
}
"""Additional colours if the markers are not the ones in the grammars of editors."""


def _call(text: str, start: int, end: int) -> Title:
    name, invocation_id, dependencies = split_header(text[start:end])
    # not every editor shows details, and calls of one gadget differ by their ids
    named = f"{name}:{invocation_id}" if invocation_id else name
    return Title(named, f"after {', '.join(dependencies)}" if dependencies else "")


def _argument(text: str, start: int, end: int) -> Title:
    line_end = text.find("\n", end + 1)
    return Title(text[start:end].strip(), first_words(text, end, line_end if line_end >= 0 else len(text)))


def _gadget(text: str, start: int, end: int) -> str | None:
    # a header at the end of a text, without a line end, is not a call
    return None if end == len(text) else split_header(text[start:end]).name.strip(SPACE)


HEADINGS: Final[dict[Kind, Heading]] = {
    kinds.HEADER: Heading("call", CALL, _call, _gadget),
    kinds.POINTER: Heading("argument", ARGUMENT, _argument, lambda text, start, end: text[start:end].strip(SPACE)),
}


def _refuses(name: str) -> str:
    if not _IDENTIFIER.fullmatch(name):
        return f"`{name}` is not an invocation id: use letters, digits and `_`, and begin with a letter or `_`"
    if number_of(name):
        return f"llmist gives ids such as `{name}` to calls without one: choose another"
    return ""


NAME_KINDS: Final[Mapping[str, NameKind]] = {
    INVOCATION: NameKind("invocation id", _refuses, per_message=True, implied=counted, entry="call", titled_by=GADGET),
    GADGET: NameKind(
        "gadget", fixed="a program defines the names of its gadgets: rename the gadget there", entry="call"
    ),
}


def parts(section: Section, spans: Sequence[Span], number: int) -> Iterator[tuple[int, int]]:
    """Yield the name in a header, the id, each dependency, and all of them."""
    call = call_in(section) if spans[number].kind is kinds.HEADER else None
    if call is None:
        return
    name, invocation_id, dependencies = call.names
    yield from (name, *((invocation_id,) if invocation_id else ()), *dependencies)
    if dependencies:
        yield dependencies[0].start, dependencies[-1].end


def _defined(section: Section, gadgets: Gadgets) -> tuple[Call | None, GadgetSchema | None]:
    call = call_in(section)
    return call, gadgets.find(call.parts.name) if call is not None else None


@lru_cache(maxsize=16)
def links_to(gadgets: Gadgets) -> Query[Section, tuple[Link, ...]]:
    """Return the links from the names of gadgets in a section to the lines that define them."""

    def of_section(section: Section) -> tuple[Link, ...]:
        call, known = _defined(section, gadgets)
        if call is None or known is None or known.source is None or not Path(known.source.file).is_absolute():
            return ()
        return (Link(*call.names.name, f"{Path(known.source.file).as_uri()}#L{known.source.line + 1}"),)

    return Query("gadget links", of_section)


def sources(section: Section, offset: int, gadgets: Gadgets) -> list[Elsewhere]:
    """Return the definition of the gadget or parameter whose name is at a place of a section."""
    call, known = _defined(section, gadgets)
    if call is None or known is None or known.source is None:
        return []
    places = [(call.names.name, ""), *[((each.name, each.name_end), each.pointer) for each in call.arguments]]
    pointers = [pointer for (start, end), pointer in places if start <= offset <= end]
    return [place for each in pointers if (place := definition_place(known.source, each)) is not None]


def definition_place(source: Source, pointer: str = "") -> Elsewhere | None:
    """Return the place of a gadget's definition, or of the innermost parameter at a pointer; None without its file."""
    try:
        with open(source.file, "rb") as file:
            text = decoded_text(file.read(_MOST_BYTES)).replace("\r\n", "\n")
    except (OSError, ValueError):
        return None
    start, end = source.start, source.end
    if pointer and not source.file.endswith(".py") and script_of(source.file) is None:
        start, end = parameter_place(text, start, pointer.split("/")) or (start, end)
    if end > len(text):
        # it has changed, and will be read again
        start = end = 0
    line_start = text.rfind("\n", 0, start) + 1
    return Elsewhere(source.file, start, text.count("\n", 0, start), text[line_start:start], text[start:end])
