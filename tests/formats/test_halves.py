"""A character that two chunks share arrives whole, in every stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmblocks.gadget import ArgDelta, CallEnded, GadgetStream, Text
from llmblocks.stf import StfStream
from llmblocks.tags import CustomBlock, TagHandler, TagStream

HIGH, LOW = "\ud83d", "\ude00"


def gadget(chunks: list[str]) -> object:
    stream = GadgetStream()
    events = [event for chunk in chunks for event in stream.feed(chunk)] + stream.close()
    said = "".join(event.text for event in events if isinstance(event, Text))
    grown = "".join(event.delta for event in events if isinstance(event, ArgDelta))
    return said, grown, [event.call for event in events if isinstance(event, CallEnded)]


def stf(chunks: list[str], dialect: str = "auto") -> object:
    stream = StfStream(dialect=dialect)
    events = [event for chunk in chunks for event in stream.feed(chunk)] + stream.close()
    return [event for event in events if type(event).__name__ in ("MessageEnded", "Found")]


def tags(chunks: list[str]) -> object:
    stream = TagStream({"think": TagHandler()})
    deltas: list[Any] = [delta for chunk in chunks for delta in stream.feed(chunk)] + stream.flush()
    blocks = [delta for delta in deltas if isinstance(delta, CustomBlock)]
    return "".join(delta.delta for delta in deltas if type(delta).__name__ == "TextDelta"), blocks


STREAMS: dict[str, tuple[Callable[[list[str]], object], str]] = {
    "gadget": (gadget, "😀a\n!!!GADGET_START:G😀:i😀\n!!!ARG:p😀\n😀\n\n😀!!!GADGET_END😀"),
    "stf": (stf, "@user name='😀'\n😀 x\n@ai\n😀😀\n@call name='😀'\n{a: '😀'}\n@user\n😀"),
    "tags": (tags, "😀<thi😀<think a='😀'>😀</thi😀\n</think>😀<think>😀"),
}
every_stream = pytest.mark.parametrize("name", STREAMS)


def halved(text: str) -> str:
    """Return the text with each half of a pair as its own character."""
    return text.replace("😀", HIGH + LOW)


@every_stream
def test_characters_cut_in_two_are_joined(name: str) -> None:
    read, text = STREAMS[name]
    assert read(list(halved(text))) == read([text])
    assert "\\ud83d" not in ascii(read(list(halved(text))))


@every_stream
@given(pieces=st.lists(st.sampled_from([HIGH, LOW, "a", "\n", "", "😀", "<think>", "@user\n", "!!!"]), max_size=8))
def test_a_half_that_is_alone_is_kept(name: str, pieces: list[str]) -> None:
    read, _ = STREAMS[name]
    joined = "".join(pieces).replace(HIGH + LOW, "😀")
    assert read(pieces) == read([joined])


def test_a_half_at_the_end_of_all_is_kept() -> None:
    for name, text in (("gadget", "a"), ("stf", "@user\na"), ("tags", "a"), ("tags", "<think>a")):
        assert ascii(STREAMS[name][0]([text, HIGH])).count("\\ud83d") == 1


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
    kind = type(chunk).__name__
    with pytest.raises(TypeError, match=f"a chunk is a str, not {kind}"):
        STREAMS[name][0]([chunk])
