"""The parameters of the gadget whose call is at the caret."""

from __future__ import annotations

from llmblocks.contract.caret import Caret, Signature
from llmblocks.contract.markup import shortened
from llmblocks.gadget.editor.calls import call_near
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.gadget.schemas.parameters import Parameter, parameters_of
from llmblocks.gadget.syntax.header import split_header
from llmblocks.gadget.syntax.markers import Markers

_MOST = 50


def _parameters(gadget: GadgetSchema) -> list[Parameter]:
    schema = gadget.prepared
    return [] if schema is None else parameters_of(schema)[:_MOST]


def documentation(gadget: GadgetSchema) -> str:
    """Describe a gadget and its parameters in Markdown."""
    lines = [shortened(gadget.description)] if gadget.description else []
    listed = [f"- `{each.pointer}`: {each.summary}" for each in _parameters(gadget)]
    return "\n\n".join([*lines, "\n".join(listed)] if listed else lines)


def signature(gadget: GadgetSchema, pointer: str) -> Signature:
    """Return the parameters of a gadget. The one at a pointer is active."""
    parameters = _parameters(gadget)
    labels = [f"{each.pointer}{'' if each.required else '?'}" for each in parameters]
    name = pointer.partition("/")[0]
    active = next((number for number, each in enumerate(parameters) if each.pointer == name), -1)
    pairs = tuple([(label, each.summary) for label, each in zip(labels, parameters, strict=True)])
    return Signature(f"{gadget.name}({', '.join(labels)})", shortened(gadget.description), pairs, active)


def signature_at(caret: Caret, markers: Markers, gadgets: Gadgets) -> Signature | None:
    """Return the parameters of the gadget whose call is at the caret.

    The one at the caret is active. None outside of calls.
    """
    start = caret.before.rfind(markers.start)
    if start >= 0 and markers.end not in caret.before[start:]:
        gadget = gadgets.find(split_header(caret.before[start + len(markers.start) :] + caret.after).name)
        return signature(gadget, "") if gadget and gadget.parameters is not None else None
    near = call_near(caret.section, caret.offset)
    gadget = gadgets.find(near.parts.name) if near else None
    if near is None or gadget is None or gadget.parameters is None:
        return None
    here = caret.offset
    if not near.header_end < here <= near.end:
        return None
    found = [each for each in near.arguments if each.start < here]
    arg = caret.before.rfind(markers.arg)
    written = caret.before[arg + len(markers.arg) :].strip() if arg >= 0 else ""
    in_value = arg < 0 and bool(caret.before.strip())
    return signature(gadget, written or (found[-1].pointer if found else ""))._replace(in_value=in_value)
