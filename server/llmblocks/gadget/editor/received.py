"""The call at a place, as its gadget receives it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.contract.received import ReceivedCall
from llmblocks.core.section import Section
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import call_near
from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.gadget.syntax.pointer import Parameters

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings

_MOST_LISTED = 20


class Received(NamedTuple):
    """The parameters that a gadget receives."""

    parameters: Parameters | None
    """None if the arguments cannot be decoded."""
    error: str = ""
    """The runtime's error; empty if the gadget runs."""
    ignored: tuple[str, ...] = ()
    """The pointers that the runtime drops."""

    @property
    def json(self) -> str:
        """The parameters as JSON."""
        return json.dumps(self.parameters, indent=2, ensure_ascii=False)


def received_by(gadget: GadgetSchema | None, call: Call) -> Received:
    """Return the parameters that the gadget of a call receives."""
    schema = gadget.prepared if gadget else None
    parameters, problems = call.decoded(schema.expected if schema else None)
    if parameters is None:
        return Received(None, problems[0].message)
    if schema is None:
        return Received(parameters)
    try:
        checked = schema.check(parameters)
    except (ValueError, RecursionError):
        return Received(parameters)  # the schema is invalid, which is reported in its file
    first = next(iter(checked.issues), None)
    error = "" if first is None else f"{first.pointer.replace('/', '.') or 'root'}: {first.message}"
    return Received(checked.parameters, error, checked.ignored)


def received_at(section: Section, offset: int, settings: GadgetSettings) -> ReceivedCall | None:
    """Return the call at an offset, from its start marker to its end marker, of any length."""
    # the text before an offset counts: that of the first marker begins after its start
    near = call_near(section, min(offset + 1, section.length))
    if near is None:
        return None
    end = near.end + (len(settings.markers.end) if near.closed else 0)
    if not near.start <= offset <= end:
        return None
    header = near.parts
    title = " ".join(filter(None, (header.name, header.invocation_id))) or "(unnamed)"
    found = received_by(settings.gadgets.find(header.name), near)
    notes = [f"The runtime rejects this call: {found.error}"] if found.error else []
    if found.ignored:
        listed = ", ".join(found.ignored[:_MOST_LISTED]) + (", …" if len(found.ignored) > _MOST_LISTED else "")
        notes.append(f"The runtime drops parameters that the schema does not have: {listed}")
    return ReceivedCall(title, "" if found.parameters is None else found.json, (*notes,))
