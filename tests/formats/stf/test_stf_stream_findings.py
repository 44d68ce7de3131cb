"""The stream says what `decode` says of texts with mistakes: every code, line and place, in the same order."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from formats.stf.random_chats import DOCUMENTS, document, smallest
from formats.stf.stf_pieces import Streamed, plain
from llmblocks.stf import decode

LOTS = 4


def differs(text: str, *, cuts: int, dialect: str, default_role: str | None) -> bool:
    """Return whether a stream says something else of the text than `decode`; `cuts` is the number of a chunking."""
    random = Random(cuts)
    size = random.choice((1, 1, 2, 7, 40))
    chunks = [""]
    for char in text:
        if len(chunks[-1]) >= size or random.random() < 0.1:
            chunks.append("")
        chunks[-1] += char
    whole = decode(text, dialect=dialect, default_role=default_role)
    streamed = Streamed(chunks, dialect=dialect, default_role=default_role)
    return (
        streamed.findings != whole.findings
        or [plain(m.as_dict()) for m in streamed.messages] != [plain(m.as_dict()) for m in whole.messages]
        or plain(streamed.metadata) != plain(whole.metadata)
        or streamed.has_metadata != whole.has_metadata
    )


@pytest.mark.parametrize("lot", range(LOTS))
def test_a_stream_finds_what_decode_finds(lot: int) -> None:
    for number in range(lot, DOCUMENTS * 6, LOTS):
        random = Random(~number)
        fails = partial(
            differs,
            cuts=number,
            dialect=random.choice(("@", ";", "auto", "auto")),
            default_role=random.choice((None, None, "user", "")),
        )
        text = document(number)
        if fails(text):
            pytest.fail(f"{smallest(text, fails)!r}, {fails.keywords}")
