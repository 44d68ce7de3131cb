"""The text that a stream holds back."""

from __future__ import annotations

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


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("!!!GADGET_START:Read", "!!!GADGET_START:Read"),
        ("!!!GADGET_START:Read\n!!!ARG:pa", "!!!ARG:pa"),
        ("!!!GADGET_START:Read\n!!!ARG:pa\nx\n", "\n"),
        ("!!!GADGET_START:Read\n!!!ARG:pa\nx\n!!!GAD", "\n!!!GAD"),
        ("!!!GADGET_START:Read\n!!!GADGET_END", ""),
    ],
)
def test_a_call_holds_back_what_may_be_a_marker(text: str, held: str) -> None:
    for size in (1, 3, len(text)):
        stream = GadgetStream()
        for start in range(0, len(text), size):
            stream.feed(text[start : start + size])
        assert stream.held == held
        stream.close()
        assert stream.held == ""


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("@use", "@use"),
        ("@user\nhel", ""),
        ("@raw\n{role: 'user',\n", "{role: 'user',"),
        ("@ai\n@call name=x\n{a: ", "{a: "),
        ("@user\nx\r", "\r"),
    ],
)
def test_a_chat_holds_back_lines_that_are_not_complete(text: str, held: str) -> None:
    for size in (1, 3, len(text)):
        stream = StfStream(dialect="@")
        for start in range(0, len(text), size):
            stream.feed(text[start : start + size])
        assert stream.held == held


def test_a_chat_holds_back_all_while_its_dialect_is_unknown() -> None:
    stream = StfStream()
    stream.feed("hello\nwo")
    assert stream.held == "hello\nwo"


@pytest.mark.parametrize(("text", "held"), [("a<thi", "<thi"), ("<think a='", "<think a='"), ("<think>x</th", "</th")])
def test_a_block_holds_back_a_tag_that_is_not_complete(text: str, held: str) -> None:
    for size in (1, len(text)):
        stream = TagStream({"think": TagHandler()})
        for start in range(0, len(text), size):
            stream.feed(text[start : start + size])
        assert stream.held == held
