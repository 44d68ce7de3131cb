"""`match` over the output of a stream needs no last case: mypy knows that there is no other.

mypy checks the positive half in the first function, and the negative half in the second one: where a case is missing
and it reports nothing, the comment is unused, which is an error too.
"""

from __future__ import annotations

from typing import assert_never

from llmblocks import gadget, stf, tags
from llmblocks.compose import GadgetTransform
from llmblocks.tags import Accumulator, BlockDefinition, CustomBlocks, Finish, TagHandler, TagStream, TextDelta

THINK = {"think": TagHandler()}
GIVEN: list[TextDelta | int] = [7, TextDelta("a<think>b</think><think/>")]
CALL = "a\n!!!GADGET_START:f\n!!!ARG:p\n1\n!!!GADGET_END"


def test_every_stream_says_only_what_its_type_names() -> None:
    for delta in [*TagStream(THINK).feed("a<think>b</think>"), *TagStream(THINK).flush()]:
        match delta:
            case TextDelta() | tags.CustomBlockStart() | tags.CustomBlockDelta():
                pass
            case tags.CustomBlockEnd() | tags.CustomBlock():
                pass
            case _:
                assert_never(delta)
    for other in [each for given in GIVEN for each in TagStream(THINK).process(given)]:
        match other:
            case int() | TextDelta() | tags.CustomBlockStart() | tags.CustomBlockDelta():
                pass
            case tags.CustomBlockEnd() | tags.CustomBlock():
                pass
            case _:
                assert_never(other)
    blocks = CustomBlocks({"think": BlockDefinition()})
    for block in blocks.process(TextDelta("a<think/>")) + blocks.flush():
        match block:
            case TextDelta() | tags.CustomBlockStart() | tags.CustomBlockDelta():
                pass
            case tags.CustomBlockEnd() | tags.CustomBlock():
                pass
            case _:
                assert_never(block)
    accumulator = Accumulator()
    for event in accumulator.push(TextDelta("a")) + accumulator.push(Finish("stop")) + accumulator.close():
        match event:
            case tags.MessageStart() | tags.MessageEnd() | tags.StreamFailed() | Finish() | tags.ReasoningDelta():
                pass
            case tags.ContentStart() | tags.ContentDelta() | tags.ContentEnd():
                pass
            case tags.CustomBlockStart() | tags.CustomBlockDelta() | tags.CustomBlockEnd() | tags.CustomBlock():
                pass
            case tags.ToolCallStart() | tags.ToolCallDelta() | tags.ToolCallEnd() | tags.ToolCall():
                pass
            case _:
                assert_never(event)
    for part in gadget.GadgetStream().feed(CALL):
        match part:
            case gadget.Text() | gadget.CallStarted() | gadget.CallEnded():
                pass
            case gadget.ArgStarted() | gadget.ArgDelta() | gadget.ArgEnded():
                pass
            case _:
                assert_never(part)
    for made in GadgetTransform().process(TextDelta(CALL)):
        match made:
            case TextDelta() | gadget.CallStarted() | gadget.CallEnded():
                pass
            case gadget.ArgStarted() | gadget.ArgDelta() | gadget.ArgEnded():
                pass
            case _:
                assert_never(made)
    for said in stf.StfStream().feed("@user\na\n"):
        match said:
            case stf.MessageStarted() | stf.ContentDelta() | stf.Called() | stf.Embedded():
                pass
            case stf.MetadataChanged() | stf.MessageEnded() | stf.Found():
                pass
            case _:
                assert_never(said)


def a_case_is_missing(text: str) -> None:
    for delta in TagStream(THINK).feed(text):
        match delta:
            case TextDelta() | tags.CustomBlockStart() | tags.CustomBlockDelta() | tags.CustomBlockEnd():
                pass
            case _:
                assert_never(delta)  # type: ignore[arg-type]
    for block in CustomBlocks({"think": BlockDefinition()}).process(TextDelta(text)):
        match block:
            case tags.CustomBlockStart() | tags.CustomBlockDelta() | tags.CustomBlockEnd() | tags.CustomBlock():
                pass
            case _:
                assert_never(block)  # type: ignore[arg-type]
