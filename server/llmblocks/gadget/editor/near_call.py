"""The call at a place."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.section import Section
from llmblocks.core.symbol import Symbol
from llmblocks.core.symbol_order import PlacedSymbol
from llmblocks.gadget.editor.names import GADGET
from llmblocks.gadget.editor.view import CallView, call_in
from llmblocks.gadget.syntax.header import Header, split_header


class NearCall(NamedTuple):
    """A call, places counted from the start of its section."""

    header: str
    """The rest of its first line."""
    place: PlacedSymbol
    """The place of the header."""
    section: Section
    view: CallView

    @property
    def parts(self) -> Header:
        """The parts of its header."""
        return split_header(self.header)


def call_near(section: Section, offset: int) -> NearCall | None:
    """The call that begins before an offset of a section; None where there is none."""
    view = call_in(section)
    if view is None or offset <= view.start:
        return None
    header = section.text[view.header : view.header_end]
    place = PlacedSymbol(section, Symbol("definition", GADGET, header, view.header, view.header_end))
    return NearCall(header, place, section, view)
