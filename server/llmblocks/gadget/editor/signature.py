"""The parameters of the gadget whose call is at the caret."""

from __future__ import annotations

from llmblocks.contract.caret import Caret, Signature
from llmblocks.gadget.editor.calls import call_near
from llmblocks.gadget.schemas.gadgets import Gadgets
from llmblocks.gadget.syntax.header import split_header
from llmblocks.gadget.syntax.markers import Markers


def signature_at(caret: Caret, markers: Markers, gadgets: Gadgets) -> Signature | None:
    """Return the parameters of the gadget whose call is at the caret.

    The one at the caret is active. None outside of calls.
    """
    start = caret.before.rfind(markers.start)
    if start >= 0 and markers.end not in caret.before[start:]:
        gadget = gadgets.find(split_header(caret.before[start + len(markers.start) :] + caret.after).name)
        return gadget.signature("") if gadget and gadget.parameters is not None else None
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
    return gadget.signature(written or (found[-1].pointer if found else ""))._replace(in_value=in_value)
