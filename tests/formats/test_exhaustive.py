"""`match` over what a stream says needs no last case: mypy knows that there is no other.

mypy checks the positive half in the functions, and the negative half in the comments: where a case is missing and it
says nothing, the comment is unused, which is an error too.
"""

from __future__ import annotations

from typing import assert_never

from llmblocks import gadget, stf, tags
from llmblocks.compose import GadgetTransform
from llmblocks.tags import Accumulator, BlockDefinition, CustomBlocks, Finish, TagHandler, TagStream, TextDelta


def of_tags(text: str) -> list[str]:
    stream = TagStream({"think": TagHandler()})
    said = []
    for delta in stream.process(TextDelta(text)) + stream.feed("") + stream.flush():
        match delta:
            case TextDelta(text):
                said.append(text)
            case tags.CustomBlockStart(tag) | tags.CustomBlockEnd(tag) | tags.CustomBlock(tag):
                said.append(tag)
            case tags.CustomBlockDelta(_, text):
                said.append(text)
            case _:
                assert_never(delta)
    return said


def of_tags_and_others(deltas: list[TextDelta | int]) -> list[str]:
    stream = TagStream({"think": TagHandler()})
    said = []
    for given in deltas:
        for delta in stream.process(given):
            match delta:
                case int():
                    said.append(str(delta))
                case TextDelta(text):
                    said.append(text)
                case tags.CustomBlockStart() | tags.CustomBlockDelta() | tags.CustomBlockEnd() | tags.CustomBlock():
                    said.append(delta.tag)
                case _:
                    assert_never(delta)
    return said


def of_blocks(text: str) -> list[str]:
    blocks = CustomBlocks({"think": BlockDefinition()})
    said = []
    for delta in blocks.process(TextDelta(text)) + blocks.flush():
        match delta:
            case TextDelta(text):
                said.append(text)
            case tags.CustomBlockStart() | tags.CustomBlockDelta() | tags.CustomBlockEnd() | tags.CustomBlock():
                said.append(delta.tag)
            case _:
                assert_never(delta)
    return said


def of_a_message(text: str) -> list[str]:
    accumulator = Accumulator()
    said = []
    for event in accumulator.push(TextDelta(text)) + accumulator.push(Finish("stop")) + accumulator.close():
        match event:
            case tags.MessageStart() | tags.MessageEnd() | tags.StreamFailed() | Finish():
                said.append(type(event).__name__)
            case tags.ContentStart() | tags.ContentDelta() | tags.ContentEnd():
                said.append(str(event.index))
            case tags.CustomBlockStart() | tags.CustomBlockDelta() | tags.CustomBlockEnd() | tags.CustomBlock():
                said.append(event.tag)
            case tags.ToolCallStart() | tags.ToolCallDelta() | tags.ToolCallEnd() | tags.ToolCall():
                said.append(event.id)
            case tags.ReasoningDelta():
                said.append(event.delta)
            case _:
                assert_never(event)
    return said


def of_calls(text: str) -> list[str]:
    stream = gadget.GadgetStream()
    said = []
    for event in stream.feed(text) + stream.close():
        match event:
            case gadget.Text(text):
                said.append(text)
            case gadget.CallStarted(name):
                said.append(name)
            case gadget.ArgStarted(pointer) | gadget.ArgDelta(pointer, _) | gadget.ArgEnded(pointer):
                said.append(pointer)
            case gadget.CallEnded(call):
                said.append(call.name)
            case _:
                assert_never(event)
    return said


def of_calls_as_deltas(text: str) -> list[str]:
    transform = GadgetTransform()
    said = []
    for delta in transform.process(TextDelta(text)) + transform.flush():
        match delta:
            case TextDelta(text):
                said.append(text)
            case gadget.CallStarted() | gadget.CallEnded():
                said.append("call")
            case gadget.ArgStarted(pointer) | gadget.ArgDelta(pointer, _) | gadget.ArgEnded(pointer):
                said.append(pointer)
            case _:
                assert_never(delta)
    return said


def of_a_chat(text: str) -> list[str]:
    stream = stf.StfStream()
    said = []
    for event in stream.feed(text) + stream.close():
        match event:
            case stf.MessageStarted(role):
                said.append(role)
            case stf.ContentDelta(delta):
                said.append(delta)
            case stf.Called() | stf.Embedded() | stf.MetadataChanged() | stf.MessageEnded() | stf.Found():
                said.append(type(event).__name__)
            case _:
                assert_never(event)
    return said


def test_every_stream_says_only_what_its_type_names() -> None:
    assert of_tags("a<think>b</think>") == ["a", "think", "b", "think", "think"]
    assert of_tags_and_others([7, TextDelta("a<think/>")]) == ["7", "a", "think"]
    assert of_blocks("a<think/>") == ["a", "think"]
    assert of_a_message("a") == ["MessageStart", "0", "0", "Finish", "0", "MessageEnd"]
    assert of_calls("a\n!!!GADGET_START:f\n!!!ARG:p\n1\n!!!GADGET_END") == ["a\n", "f", "p", "p", "p", "f"]
    assert of_calls_as_deltas("a\n!!!GADGET_START:f\n!!!GADGET_END") == ["a\n", "call", "call"]
    assert of_a_chat("@user\na\n") == ["user", "a", "MessageEnded"]


def a_case_is_missing(text: str) -> None:
    for delta in TagStream({"think": TagHandler()}).feed(text):
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
