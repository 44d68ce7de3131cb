"""The messages of requests: against a naive reading, in any chunks, and as the scanner sees them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import LAWS
from laws.texts import GADGET, REQUEST, texts
from llmblocks import parse
from llmblocks.core.scan import Kind
from llmblocks.request import Media, Message, MessageEnded, MessageStarted, RequestStream, Text, read_messages
from llmblocks.request import scanner as kinds

HEADERS = {f"=== {role.upper()} ===": role for role in ("system", "user", "assistant")}


def naive(text: str) -> list[tuple[str | None, str]]:
    """Return the roles and the texts of messages, line by line."""
    found: list[tuple[str | None, list[str]]] = [(None, [])]
    for line in re.findall(r"[^\n]*\n|[^\n]+\Z", text):
        role = HEADERS.get(line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line)
        if role is None:
            found[-1][1].append(line)
        else:
            found.append((role, []))
    whole = []
    for number, (role, lines) in enumerate(found):
        said = "".join(lines)
        for _ in range(1 if number == len(found) - 1 else 2):
            if said.endswith("\n"):
                said = said[:-1].removesuffix("\r")
        if role is not None or lines:
            whole.append((role, said))
    return whole


def written(message: Message) -> str:
    """Return the text of a message as llmist has written it."""
    lines = [
        f"\n[Media: {each.id} ({each.kind}){f' → saved to: {each.path}' if each.path else ''}]"
        for each in message.media
    ]
    return (f"Result ({message.result_of}): " if message.result_of is not None else "") + message.text + "".join(lines)


@settings(max_examples=LAWS, deadline=None)
@given(texts(REQUEST, GADGET).filter(lambda text: "\r\n[Media" not in text and "]\r" not in text))
def test_messages_are_those_of_a_naive_reading(text: str) -> None:
    assert [(each.role, written(each)) for each in read_messages(text)] == naive(text)


@settings(max_examples=LAWS, deadline=None)
@given(texts(REQUEST, GADGET), st.lists(st.integers(1, 9)))
def test_chunks_make_no_difference_and_the_scanner_sees_the_same(text: str, sizes: list[int]) -> None:
    stream, at, found = RequestStream(), 0, []
    for size in sizes:
        found += stream.feed(text[at : at + size])
        at += size
        assert stream.held_size == len(stream.held) <= len("=== ASSISTANT ===\r")
    found += [*stream.feed(text[at:]), *stream.close()]
    messages = read_messages(text)
    assert [each.message for each in found if isinstance(each, MessageEnded)] == messages
    assert _texts(text, kinds.ROLE) == [each.role.upper() for each in messages if each.role is not None]
    assert _texts(text, kinds.RESULT_ID) == [each.result_of for each in messages if each.result_of is not None]
    spoken = "".join(each.text for each in found if isinstance(each, Text))
    assert spoken == "".join(_texts(text, kinds.TEXT))


def _texts(text: str, wanted: Kind) -> list[str]:
    """Return the texts of the tokens of a kind.

    That of the assistant is reported by the formats inside, in their own kinds.
    """
    known = {each for each in vars(kinds).values() if isinstance(each, Kind)}
    return [
        placed.section.text[start:end]
        for placed in parse(text, "request").placed()
        for kind, start, end in placed.section.spans()
        if kind is wanted or (wanted is kinds.TEXT and kind not in known)
    ]


def test_a_result_has_the_media_that_it_ends_with() -> None:
    lines = "[Media: m1 (image) → saved to: /tmp/a b.png]\n[Media: m2 (audio)]"
    assert read_messages(f"=== USER ===\nResult (s1): two\n[Media: no\nlines\n{lines}\n") == [
        Message("user", "two\n[Media: no\nlines", "s1", (Media("m1", "image", "/tmp/a b.png"), Media("m2", "audio")))
    ]


@pytest.mark.parametrize("text", ["Result (): x", "Result (a:b): x", "Result (a)", " Result (a): x", "Result (a\n): "])
def test_what_only_looks_like_a_result_is_a_message(text: str) -> None:
    messages = read_messages(f"=== USER ===\n{text}\n\n=== SYSTEM ===\nResult (a): x\n")
    assert [each.result_of for each in messages] == [None, None]


def test_the_text_of_the_model_is_given_as_it_comes() -> None:
    stream = RequestStream()
    assert stream.feed("=== ASSISTANT ===\nhel") == [MessageStarted("assistant"), Text("hel")]
    assert stream.feed("lo\n=") == [Text("lo\n")]
    assert stream.feed("= no") == [Text("== no")]
    assert stream.close() == [MessageEnded(Message("assistant", "hello\n== no"))]
    assert stream.close() == []
    with pytest.raises(ValueError, match="the stream is closed"):
        stream.feed("x")
