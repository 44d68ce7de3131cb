"""Text, gadget calls and custom blocks out of one model response. Run it: `python agent_stream.py`."""

import sys

from llmblocks.compose import GadgetTransform
from llmblocks.gadget import CallEnded
from llmblocks.tags import BlockDefinition, CustomBlock, CustomBlocks, TextDelta, compose

RESPONSE = """\
I will look that up. <citation url="https://example.org/weather">Rain is likely.</citation>
!!!GADGET_START:Weather:weather_1
!!!ARG:city
Lisbon
!!!ARG:days
3
!!!GADGET_END
One moment. <done/>"""


def run(chunks: list[str]) -> list[str]:
    """Print what an agent does with a response."""
    pipeline = compose(
        GadgetTransform(),
        CustomBlocks(
            {
                "citation": BlockDefinition(description="A passage from a source."),
                "done": BlockDefinition(description="Signals task completion."),
            }
        ),
    )
    deltas = [delta for chunk in chunks for delta in pipeline.process(TextDelta(chunk))]
    deltas += pipeline.flush()
    said = []
    for delta in deltas:
        match delta:
            case TextDelta(text):
                said.append(f"say {text!r}")
            case CustomBlock(tag, content, attrs):
                said.append(f"block {tag} {content!r} {attrs}")
            case CallEnded(call):
                said.append(f"call {call.name} {call.parameters}")
    return said


if __name__ == "__main__":
    sys.stdout.write("\n".join(run([RESPONSE[at : at + 7] for at in range(0, len(RESPONSE), 7)])) + "\n")
