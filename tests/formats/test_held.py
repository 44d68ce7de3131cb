"""The text that a stream holds back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmblocks.gadget import CallStarted, GadgetStream, Text
from llmblocks.stf import StfStream
from llmblocks.tags import CustomBlockStart, TagHandler, TagStream, TextDelta

PIECES = (
    *("!!!GADGET_START:", "!!!GADGET_END", "!!!", "!", "\n", "text", "<", "<think", "</think>", "\ud83d"),
    *("\ude00", "😀"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_outside_of_calls_all_that_was_fed_is_reported_or_held(chunks: list[str]) -> None:
    stream = GadgetStream()
    told = fed = ""
    for chunk in chunks:
        events = stream.feed(chunk)
        if any(isinstance(event, CallStarted) for event in events):
            return
        fed += chunk
        told += "".join([event.text for event in events if isinstance(event, Text)])
        assert halves(told + stream.held) == halves(fed)


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_outside_of_blocks_all_that_was_fed_is_reported_or_held(chunks: list[str]) -> None:
    stream = TagStream({"think": TagHandler()})
    told = fed = ""
    for chunk in chunks:
        events = stream.feed(chunk)
        fed += chunk
        told += "".join([event.delta for event in events if isinstance(event, TextDelta)])
        if "<think\n" in fed or any(isinstance(event, CustomBlockStart) for event in events):
            return
        assert halves(told + stream.held) == halves(fed)


def halves(text: str) -> bytes:
    """Return a text in which two halves are the same as their character."""
    return text.encode("utf-16-le", "surrogatepass")


STREAMS: dict[str, Callable[[], GadgetStream | StfStream | TagStream]] = {
    "gadget": GadgetStream,
    "stf": lambda: StfStream(dialect="@"),
    "unclear": StfStream,
    "tags": lambda: TagStream({"think": TagHandler()}),
}


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
