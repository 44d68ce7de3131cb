"""The parameters of a call as its gadget receives them."""

from __future__ import annotations

import json
from typing import NamedTuple

from llmblocks.core.layered import reads_crlf
from llmblocks.core.section import Section
from llmblocks.gadget.editor.schemas import body_of
from llmblocks.gadget.editor.view import CallView
from llmblocks.gadget.reading.call import nested_parameters
from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.gadget.schemas.judging import MOST_ARGUMENTS
from llmblocks.gadget.syntax.pointer import Parameters


class Received(NamedTuple):
    """The parameters that a gadget receives.

    Shape: `parameters` is None if the arguments cannot be decoded; `error` is the runtime's, empty where the gadget
           runs. `ignored` are the pointers that the runtime drops.
    """

    parameters: Parameters | None
    error: str = ""
    ignored: tuple[str, ...] = ()

    @property
    def json(self) -> str:
        """The parameters as JSON."""
        return json.dumps(self.parameters, indent=2, ensure_ascii=False)


def received_by(
    gadget: GadgetSchema | None, section: Section, call: CallView, arg: str, most: int = MOST_ARGUMENTS
) -> Received | None:
    """What the gadget of a call receives; None where it has more than `most` arguments."""
    if len(call.arguments) > most:
        return None
    body = body_of(section, call)
    if reads_crlf(section.after):
        body = body.replace("\r\n", "\n")
    schema = gadget.prepared if gadget else None
    parameters, problems = nested_parameters(body, arg, schema.expected if schema else None)
    if parameters is None:
        return Received(None, problems[0].message)
    if schema is None:
        return Received(parameters)
    try:
        checked = schema.check(parameters)
    except (ValueError, RecursionError):
        return Received(parameters)  # the schema is at fault, and its file says so
    first = next(iter(checked.issues), None)
    if first is None:
        return Received(checked.parameters, ignored=checked.ignored)
    return Received(parameters, f"{first.pointer.replace('/', '.') or 'root'}: {first.message}", checked.ignored)
