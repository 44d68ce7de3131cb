"""`decode` against a decoder that was written from the document alone."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from formats.stf.naive_decoder import NO_METADATA, Wrong, naive_decode
from formats.stf.random_chats import DOCUMENTS, document, smallest
from formats.stf.stf_pieces import plain
from llmblocks.stf import decode

LOTS = 8


def differs(text: str, dialect: str, default_role: str | None) -> str:
    """In what the two decoders differ; empty where they agree."""
    transcript = decode(text, dialect=dialect, default_role=default_role)
    try:
        messages, metadata = naive_decode(text, dialect, default_role)
    except Wrong as wrong:
        if not transcript.findings:
            return f"only the naive one finds {wrong}"
        first = transcript.findings[0]
        if first.kind != wrong.kind or first.line not in wrong.lines:
            return f"{first.kind} on line {first.line}, not {wrong.kind} on {wrong.lines}"
        return ""
    if transcript.findings:
        return f"only decode finds {transcript.findings[0]}"
    read = [plain(message.as_dict()) for message in transcript.messages]
    if read != plain(messages):
        return f"{read}, not {messages}"
    if transcript.has_metadata != (metadata is not NO_METADATA):
        return "one has metadata"
    if transcript.has_metadata and plain(transcript.metadata) != plain(metadata):
        return f"{transcript.metadata}, not {metadata}"
    return ""


@pytest.mark.parametrize("lot", range(LOTS))
def test_a_text_decodes_as_the_document_says(lot: int) -> None:
    for number in range(lot, DOCUMENTS * 25, LOTS):
        random = Random(~number)
        dialect, role = random.choice(("@", ";", "auto", "auto")), random.choice((None, None, "user", ""))
        text = document(number)
        if differs(text, dialect, role):
            short = smallest(text, partial(_differs, dialect=dialect, default_role=role))
            pytest.fail(f"{short!r}, {dialect=}, {role=}: {differs(short, dialect, role)}")


def _differs(text: str, *, dialect: str, default_role: str | None) -> bool:
    return bool(differs(text, dialect, default_role))


def test_the_documents_are_rich_enough() -> None:
    transcripts = [decode(document(number)) for number in range(500)]
    flawless = sum(not transcript.findings for transcript in transcripts)
    assert 150 < flawless < 350
    codes = {finding.code for transcript in transcripts for finding in transcript.findings}
    assert len(codes) >= 20
