"""The types of what streams return, the text that they hold back, and characters that two chunks share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_type

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmblocks import gadget, stf, tags
from llmblocks.compose import GadgetTransform
from llmblocks.gadget import ArgDelta, CallEnded, CallStarted, GadgetStream, Text
from llmblocks.stf import StfStream
from llmblocks.tags import CustomBlock, CustomBlockStart, TagHandler, TagStream, TextDelta

HIGH, LOW = "\ud83d", "\ude00"
THINK = {"think": TagHandler()}
STREAMS: dict[str, Callable[[], Any]] = {
    "gadget": GadgetStream,
    "stf": lambda: StfStream(dialect="@"),
    "unclear": StfStream,
    "tags": lambda: TagStream(THINK),
}
TEXTS = {
    "gadget": "😀a\n!!!GADGET_START:G😀:i😀\n!!!ARG:p😀\n😀\n\n😀!!!GADGET_END😀",
    "stf": "@user name='😀'\n😀 x\n@ai\n😀😀\n@call name='😀'\n{a: '😀'}\n@user\n😀",
    "tags": "😀<thi😀<think a='😀'>😀</thi😀\n</think>😀<think>😀",
}
every_stream = pytest.mark.parametrize("name", TEXTS)


def read(name: str, chunks: list[str]) -> object:
    """Return the text, the growing values and the complete values of a stream, without their cuts."""
    stream = STREAMS[name if name != "stf" else "unclear"]()
    events: list[Any] = [event for chunk in chunks for event in stream.feed(chunk)]
    events += stream.flush() if name == "tags" else stream.close()
    said = "".join([event.text if isinstance(event, Text) else event.delta for event in events if type(event) in SAID])
    grown = "".join([event.delta for event in events if isinstance(event, ArgDelta)])
    return said, grown, [event for event in events if type(event).__name__ in WHOLE]


SAID = (Text, TextDelta)
WHOLE = ("CallEnded", "MessageEnded", "Found", "CustomBlock")


def halved(text: str) -> str:
    """Return the text with each half of a pair as its own character."""
    return text.replace("😀", HIGH + LOW)


def halves(text: str) -> bytes:
    """Return a text in which two halves are the same as their character."""
    return text.encode("utf-16-le", "surrogatepass")


@every_stream
def test_characters_cut_in_two_are_joined(name: str) -> None:
    text = TEXTS[name]
    assert read(name, list(halved(text))) == read(name, [text])
    assert "\\ud83d" not in ascii(read(name, list(halved(text))))


@every_stream
@given(pieces=st.lists(st.sampled_from([HIGH, LOW, "a", "\n", "", "😀", "<think>", "@user\n", "!!!"]), max_size=8))
def test_a_half_that_is_alone_is_kept(name: str, pieces: list[str]) -> None:
    assert read(name, pieces) == read(name, ["".join(pieces).replace(HIGH + LOW, "😀")])


def test_a_half_at_the_end_of_all_is_kept() -> None:
    for name, text in (("gadget", "a"), ("stf", "@user\na"), ("tags", "a"), ("tags", "<think>a")):
        assert ascii(read(name, [text, HIGH])).count("\\ud83d") == 1


def test_a_half_waits_for_the_chunk_after_a_handlers_exception() -> None:
    def fail(_: object) -> None:
        raise RuntimeError("handler")

    stream = TagStream({"think": TagHandler(on_start=fail)})
    with pytest.raises(RuntimeError):
        stream.feed("<think>é" + HIGH)
    deltas = stream.feed(LOW + "b</think>") + stream.flush()
    assert [delta.content for delta in deltas if isinstance(delta, CustomBlock)] == ["é😀b"]


@every_stream
@pytest.mark.parametrize("chunk", [b"", b"a", None, 1, ["a"]])
def test_a_chunk_that_is_not_a_text_is_refused_by_name(name: str, chunk: Any) -> None:
    with pytest.raises(TypeError, match=f"a chunk is a str, not {type(chunk).__name__}"):
        read(name, [chunk])


PIECES = (
    *("!!!GADGET_START:", "!!!GADGET_END", "!!!", "!", "\n", "text", "<", "<think", "</think>", "\ud83d"),
    *("\ude00", "😀"),
)


@pytest.mark.parametrize("name", ["gadget", "tags"])
@given(chunks=st.lists(st.sampled_from(PIECES), max_size=12))
def test_outside_of_calls_and_blocks_all_that_was_fed_is_reported_or_held(name: str, chunks: list[str]) -> None:
    stream, told, fed = STREAMS[name](), "", ""
    for chunk in chunks:
        events = stream.feed(chunk)
        fed += chunk
        if any(isinstance(event, CallStarted | CallEnded | CustomBlockStart) for event in events):
            return
        if name == "tags" and "<think\n" in fed:
            return
        told += "".join([event.text if isinstance(event, Text) else event.delta for event in events])
        assert halves(told + stream.held) == halves(fed)


@pytest.mark.parametrize(
    ("name", "text", "held"),
    [
        ("gadget", "!!!GADGET_START:Read", "!!!GADGET_START:Read"),
        ("gadget", "!!!GADGET_START:Read\n!!!ARG:pa", "!!!ARG:pa"),
        ("gadget", "!!!GADGET_START:Read\n!!!ARG:pa\nx\n", "\n"),
        ("gadget", "!!!GADGET_START:Read\n!!!ARG:pa\nx\n!!!GAD", "\n!!!GAD"),
        ("gadget", "!!!GADGET_START:Read\n!!!GADGET_END", ""),
        ("stf", "@use", "@use"),
        ("stf", "@user\nhel", ""),
        ("stf", "@raw\n{role: 'user',\n", "{role: 'user',"),
        ("stf", "@ai\n@call name=x\n{a: ", "{a: "),
        ("stf", "@user\nx\r", "\r"),
        ("unclear", "hello\nwo", "hello\nwo"),
        ("tags", "a<thi", "<thi"),
        ("tags", "<think a='", "<think a='"),
        ("tags", "<think>x</th", "</th"),
    ],
)
def test_a_stream_holds_back_what_is_not_complete(name: str, text: str, held: str) -> None:
    for size in (1, 3, len(text)):
        stream = STREAMS[name]()
        for start in range(0, len(text), size):
            stream.feed(text[start : start + size])
        assert stream.held == held


Block = CustomBlockStart | tags.CustomBlockDelta | tags.CustomBlockEnd | CustomBlock
Call = CallStarted | gadget.ArgStarted | ArgDelta | gadget.ArgEnded | CallEnded
Content = tags.ContentStart | tags.ContentDelta | tags.ContentEnd | tags.ReasoningDelta | Block
Message = tags.MessageStart | tags.MessageEnd | tags.StreamFailed | tags.Finish | Content
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
    # so that a `match` over its output needs no last case
    stream = TagStream(THINK)
    told = assert_type(stream.feed("a<think>b</think><think/>") + stream.flush(), list[TextDelta | Block])
    assert {type(each) for each in told} <= {TextDelta, *Block.__args__}
    others: list[TextDelta | int] = [7, TextDelta("a<think>b</think><think/>")]
    for other in others:
        passed = assert_type(stream.process(other), list[TextDelta | Block | int])
        assert all(isinstance(each, TextDelta | Block | int) for each in passed)
    blocks = tags.CustomBlocks({"think": tags.BlockDefinition()})
    told = blocks.process(TextDelta("a<think/>")) + blocks.flush()
    assert all(isinstance(each, TextDelta | Block) for each in told)
    accumulator = tags.Accumulator()
    pushed = accumulator.push(TextDelta("a")) + accumulator.push(tags.Finish("stop"))
    ended = assert_type(accumulator.close(), list[Message | Tool])
    assert all(isinstance(each, Message | Tool) for each in pushed + ended)
    events = assert_type(GadgetStream().feed(CALL), list[Text | Call])
    assert {type(each) for each in events} == {Text, *Call.__args__}
    made = assert_type(GadgetTransform().process(TextDelta(CALL)), list[TextDelta | Call])
    assert {type(each) for each in made} == {TextDelta, *Call.__args__}
    assert all(isinstance(each, Chat) for each in assert_type(StfStream().feed("@user\na\n"), list[Chat]))
