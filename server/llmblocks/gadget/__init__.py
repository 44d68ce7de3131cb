"""The gadget block format: streaming, values, schemas, planning, execution, writing.

`from llmblocks.gadget import GadgetStream, parse_parameters, plan, execute, render`; see docs/formats/gadget.md.
"""

from __future__ import annotations

from llmblocks.lazy import TYPE_CHECKING, lazily

if TYPE_CHECKING:
    from llmblocks.gadget.reading.arguments import Argument, Loss
    from llmblocks.gadget.reading.call import GadgetCall, Problem
    from llmblocks.gadget.reading.events import ArgDelta, ArgEnded, ArgStarted, CallEnded, CallStarted, Event, Text
    from llmblocks.gadget.reading.stream import GadgetStream
    from llmblocks.gadget.running.execution import execute
    from llmblocks.gadget.running.outcomes import Execution, Failed, Finished, Gadget, Skipped, Started
    from llmblocks.gadget.running.parameters import ParameterError, parse_parameters
    from llmblocks.gadget.running.planning import Plan, Unresolved, plan
    from llmblocks.gadget.running.schema import Checked, ParameterSchema
    from llmblocks.gadget.running.validation import Issue
    from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
    from llmblocks.gadget.schemas.reading import read_gadgets
    from llmblocks.gadget.syntax.markers import Markers
    from llmblocks.gadget.syntax.pointer import decode_pointer
    from llmblocks.gadget.syntax.values import coerce
    from llmblocks.gadget.writing import RenderError, render

# Loaded on first access: an editor needs none of this, and a stream no schema.
__getattr__, __dir__ = lazily(
    __name__,
    {
        "reading.arguments": ("Argument", "Loss"),
        "reading.call": ("GadgetCall", "Problem"),
        "reading.events": ("ArgDelta", "ArgEnded", "ArgStarted", "CallEnded", "CallStarted", "Event", "Text"),
        "reading.stream": ("GadgetStream",),
        "syntax.values": ("coerce",),
        "syntax.markers": ("Markers",),
        "syntax.pointer": ("decode_pointer",),
        "running.planning": ("plan", "Plan", "Unresolved"),
        "running.execution": ("execute",),
        "running.outcomes": ("Gadget", "Execution", "Started", "Finished", "Failed", "Skipped"),
        "running.parameters": ("parse_parameters", "ParameterError"),
        "running.schema": ("ParameterSchema", "Checked"),
        "running.validation": ("Issue",),
        "schemas.gadgets": ("Gadgets", "GadgetSchema"),
        "schemas.reading": ("read_gadgets",),
        "writing": ("render", "RenderError"),
    },
)

__all__ = [
    "ArgDelta",
    "ArgEnded",
    "ArgStarted",
    "Argument",
    "CallEnded",
    "CallStarted",
    "Checked",
    "Event",
    "Execution",
    "Failed",
    "Finished",
    "Gadget",
    "GadgetCall",
    "GadgetSchema",
    "GadgetStream",
    "Gadgets",
    "Issue",
    "Loss",
    "Markers",
    "ParameterError",
    "ParameterSchema",
    "Plan",
    "Problem",
    "RenderError",
    "Skipped",
    "Started",
    "Text",
    "Unresolved",
    "coerce",
    "decode_pointer",
    "execute",
    "parse_parameters",
    "plan",
    "read_gadgets",
    "render",
]
