"""The gadget block format: streaming, values, schemas, planning, execution, writing.

`from llmblocks.gadget import GadgetStream, parse_parameters, plan, execute, render`; see docs/formats/gadget.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from llmblocks.gadget.arguments import Argument, Loss
from llmblocks.gadget.call import GadgetCall, Problem
from llmblocks.gadget.events import ArgDelta, ArgEnded, ArgStarted, CallEnded, CallStarted, Event, Text
from llmblocks.gadget.markers import Markers
from llmblocks.gadget.pointer import decode_pointer
from llmblocks.gadget.stream import GadgetStream
from llmblocks.gadget.values import coerce

if TYPE_CHECKING:
    from llmblocks.gadget.execution import execute
    from llmblocks.gadget.outcomes import Execution, Failed, Finished, Gadget, Skipped, Started
    from llmblocks.gadget.parameters import ParameterError, parse_parameters
    from llmblocks.gadget.planning import Plan, Unresolved, plan
    from llmblocks.gadget.rendering import RenderError, render
    from llmblocks.gadget.schema import Issue, ParameterSchema

# Loaded when first asked for: none of this is needed to read a stream.
_LATER = {
    "plan": "planning",
    "Plan": "planning",
    "Unresolved": "planning",
    "execute": "execution",
    "Gadget": "outcomes",
    "Execution": "outcomes",
    "Started": "outcomes",
    "Finished": "outcomes",
    "Failed": "outcomes",
    "Skipped": "outcomes",
    "render": "rendering",
    "RenderError": "rendering",
    "parse_parameters": "parameters",
    "ParameterError": "parameters",
    "ParameterSchema": "schema",
    "Issue": "schema",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)


__all__ = [
    "GadgetStream",
    "GadgetCall",
    "Markers",
    "Event",
    "Text",
    "CallStarted",
    "ArgStarted",
    "ArgDelta",
    "ArgEnded",
    "CallEnded",
    "Problem",
    "Argument",
    "Loss",
    "coerce",
    "decode_pointer",
    "parse_parameters",
    "ParameterError",
    "ParameterSchema",
    "Issue",
    "plan",
    "Plan",
    "Unresolved",
    "execute",
    "Gadget",
    "Execution",
    "Started",
    "Finished",
    "Failed",
    "Skipped",
    "render",
    "RenderError",
]
