"""Laws for every text: nothing raises, chunks do not matter, findings have places."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from formats.stf.random_chats import DOCUMENTS, document
from formats.stf.stf_pieces import EXAMPLES, Streamed, chunked, cut_places, default_roles, dialects, documents, plain
from llmblocks.stf import StfError, decode
from llmblocks.stf.values.messages import content_text

SETTINGS = settings(max_examples=EXAMPLES, deadline=None)


def agree(chunks: list[str], **options: Any) -> None:
    """Check that a stream gives the values, findings and events of the whole text, and that its events add up."""
    text = "".join(chunks)
    whole, one, streamed = decode(text, **options), Streamed([text], **options), Streamed(chunks, **options)
    assert plain([m.as_dict() for m in streamed.messages]) == plain([m.as_dict() for m in whole.messages])
    assert streamed.findings == whole.findings
    assert plain(streamed.metadata) == plain(whole.metadata)
    assert streamed.has_metadata == whole.has_metadata
    assert repr(streamed.merged()) == repr(one.merged())
    for message, (said, calls, embeds) in zip(streamed.messages, streamed.told(), strict=True):
        assert said == content_text(message.content)
        assert calls == (message.tool_calls or [])
        assert embeds == [p for p in message.content if not isinstance(p, str) and p.as_dict()["type"] != "text"]


@given(documents, cut_places, dialects, default_roles)
@SETTINGS
def test_any_chunks_give_what_the_whole_gives(
    text: str, cuts: list[int], dialect: str, default_role: str | None
) -> None:
    agree(chunked(text, cuts), dialect=dialect, default_role=default_role)


def test_any_chunks_of_a_chat_give_what_the_whole_gives() -> None:
    for number in range(DOCUMENTS * 6):
        random, text = Random(number), document(number)
        size = random.choice((1, 1, 2, 7, 40))
        chunks = [text[at : at + size] for at in range(0, len(text), size)]
        agree(chunks, dialect=random.choice(("@", ";", "auto", "auto")), default_role=random.choice((None, "user", "")))


@given(documents, dialects, default_roles)
@SETTINGS
def test_every_finding_is_in_the_text(text: str, dialect: str, default_role: str | None) -> None:
    transcript = decode(text, dialect=dialect, default_role=default_role)
    for finding in transcript.findings:
        assert 0 <= finding.start <= finding.end <= len(text)
        assert finding.line == text.count("\n", 0, finding.start) + 1
        assert finding.code.startswith("S")
        assert finding.kind
        assert " — " in str(finding.message)
        for related in finding.related:
            assert 0 <= related.start < related.end <= len(text)


@given(documents, dialects)
@SETTINGS
def test_strict_decoding_raises_exactly_where_there_are_findings(text: str, dialect: str) -> None:
    findings = decode(text, dialect=dialect).findings
    if not findings:
        decode(text, dialect=dialect, strict=True)
        return
    with pytest.raises(StfError) as raised:
        decode(text, dialect=dialect, strict=True)
    assert raised.value.findings == findings
    assert (raised.value.line, raised.value.kind) == (findings[0].line, findings[0].kind)
