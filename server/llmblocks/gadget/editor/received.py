"""The call at a place as its gadget receives it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from llmblocks.contract.received import ReceivedCall
from llmblocks.core.section import Section
from llmblocks.gadget.editor.decoding import received_by
from llmblocks.gadget.editor.near_call import call_near
from llmblocks.gadget.syntax.header import split_header

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings

_MOST_LISTED = 20


def received_at(section: Section, offset: int, settings: GadgetSettings) -> ReceivedCall | None:
    """The call at an offset, from its start marker to its end marker, however long it is."""
    # the text before an offset counts: that of the first marker is behind its start
    near = call_near(section, min(offset + 1, section.length), whole=True)
    if near is None or near.view is None:
        return None
    view, markers = near.view, settings.markers
    end = view.end + (len(markers.end) if view.closed else 0)
    if not view.start <= offset - near.start <= end:
        return None
    header = split_header(near.header)
    title = " ".join(filter(None, (header.name, header.invocation_id))) or "(unnamed)"
    found = received_by(settings.gadgets.find(header.name), near.section, view, markers.arg, sys.maxsize)
    assert found is not None, "no number of arguments is too large"
    notes = [f"The runtime rejects this call: {found.error}"] if found.error else []
    if found.ignored:
        listed = ", ".join(found.ignored[:_MOST_LISTED]) + (", …" if len(found.ignored) > _MOST_LISTED else "")
        notes.append(f"The runtime drops parameters that the schema does not have: {listed}")
    return ReceivedCall(title, "" if found.parameters is None else found.json, (*notes,))
