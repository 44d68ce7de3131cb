"""The definitions of gadgets and their parameters, in the files that settings name."""

from __future__ import annotations

from llmblocks.core.places import Elsewhere
from llmblocks.core.section import Section
from llmblocks.gadget.editor.view import calls
from llmblocks.gadget.schemas.gadgets import Gadgets
from llmblocks.gadget.schemas.places import definition_place
from llmblocks.gadget.syntax.header import locate_header


def sources(section: Section, offset: int, gadgets: Gadgets) -> list[Elsewhere]:
    """The definition of the gadget or parameter whose name is at a place of a section."""
    for call in calls(section):
        if not call.header <= offset <= call.end:
            continue
        header = section.slice(call.header, call.header_end)
        name = locate_header(header).name
        known = gadgets.find(name.of(header))
        if known is None or known.source is None:
            return []
        if call.header + name.start <= offset <= call.header + name.end:
            return _found(definition_place(known.source))
        for argument in call.arguments:
            if argument.name <= offset <= argument.name_end:
                return _found(definition_place(known.source, argument.pointer))
    return []


def _found(place: Elsewhere | None) -> list[Elsewhere]:
    return [] if place is None else [place]
