"""The gadget block format: streaming, values, schemas, execution, writing."""

from llmblocks.gadget.call import GadgetCall, Problem
from llmblocks.gadget.events import ArgDelta, ArgEnded, ArgStarted, CallEnded, CallStarted, Event, Text
from llmblocks.gadget.markers import Markers
from llmblocks.gadget.stream import GadgetStream

__all__ = [
    "GadgetStream",
    "GadgetCall",
    "Problem",
    "Markers",
    "Event",
    "Text",
    "CallStarted",
    "ArgStarted",
    "ArgDelta",
    "ArgEnded",
    "CallEnded",
]
