"""A `match` over the output of a stream needs no last case: its type is the union of exactly these classes."""

from __future__ import annotations

from typing import assert_type

from llmblocks import gadget, stf, tags
from llmblocks.compose import GadgetTransform
from llmblocks.tags import Accumulator, BlockDefinition, CustomBlocks, Finish, TagHandler, TagStream, TextDelta

Block = tags.CustomBlockStart | tags.CustomBlockDelta | tags.CustomBlockEnd | tags.CustomBlock
Call = gadget.CallStarted | gadget.ArgStarted | gadget.ArgDelta | gadget.ArgEnded | gadget.CallEnded
Content = tags.ContentStart | tags.ContentDelta | tags.ContentEnd | tags.ReasoningDelta | Block
Message = tags.MessageStart | tags.MessageEnd | tags.StreamFailed | Finish | Content
Tool = tags.ToolCallStart | tags.ToolCallDelta | tags.ToolCallEnd | tags.ToolCall
Chat = (
    stf.MessageStarted
    | stf.ContentDelta
    | stf.Called
    | stf.Embedded
    | stf.MetadataChanged
    | stf.MessageEnded
    | stf.Found
)
CALL = "a\n!!!GADGET_START:f\n!!!ARG:p\n1\n!!!GADGET_END"


def test_every_stream_says_only_what_its_type_names() -> None:
    stream = TagStream({"think": TagHandler()})
    told = assert_type(stream.feed("a<think>b</think><think/>") + stream.flush(), list[TextDelta | Block])
    assert {type(each) for each in told} <= {TextDelta, *Block.__args__}
    others: list[TextDelta | int] = [7, TextDelta("a<think>b</think><think/>")]
    for other in others:
        passed = assert_type(stream.process(other), list[TextDelta | Block | int])
        assert all(isinstance(each, TextDelta | Block | int) for each in passed)
    blocks = CustomBlocks({"think": BlockDefinition()})
    told = blocks.process(TextDelta("a<think/>")) + blocks.flush()
    assert all(isinstance(each, TextDelta | Block) for each in told)
    accumulator = Accumulator()
    pushed = accumulator.push(TextDelta("a")) + accumulator.push(Finish("stop"))
    ended = assert_type(accumulator.close(), list[Message | Tool])
    assert all(isinstance(each, Message | Tool) for each in pushed + ended)
    events = assert_type(gadget.GadgetStream().feed(CALL), list[gadget.Text | Call])
    assert {type(each) for each in events} == {gadget.Text, *Call.__args__}
    made = assert_type(GadgetTransform().process(TextDelta(CALL)), list[TextDelta | Call])
    assert {type(each) for each in made} == {TextDelta, *Call.__args__}
    assert all(isinstance(each, Chat) for each in assert_type(stf.StfStream().feed("@user\na\n"), list[Chat]))
