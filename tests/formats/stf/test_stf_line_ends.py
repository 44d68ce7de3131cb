"""A `@` text says the same with `\\r\\n` as with `\\n`: whole, and in chunks."""

from __future__ import annotations

import re
from typing import Any

from formats.stf.random_chats import DOCUMENTS, document
from formats.stf.stf_pieces import Streamed, plain
from llmblocks.core.places import Related
from llmblocks.facts.finding import Finding
from llmblocks.stf import Transcript, decode


def read(transcript: Transcript | Streamed, text: str = "") -> list[Any]:
    """Return plain messages and findings; for a text, with the places of the same text with `\\r\\n`."""

    def place(of: Finding | Related) -> tuple[int, int]:
        return of.start + text.count("\n", 0, of.start), of.end + text.count("\n", 0, of.end)

    found = [(f.code, f.kind, f.message, f.line, place(f), [*map(place, f.related)]) for f in transcript.findings]
    return [*(plain(message.as_dict()) for message in transcript.messages), *found]


def test_any_text_says_the_same_with_either_line_end() -> None:
    for number in range(DOCUMENTS * 10):
        text = re.sub(r"\r+\n", "\n", document(number))
        whole, options = text.replace("\n", "\r\n"), {"dialect": "@", "default_role": (None, "user")[number % 2]}
        cut = number % (len(whole) + 1)
        expected = read(decode(text, **options), text)  # type: ignore[arg-type]
        assert read(decode(whole, **options)) == expected  # type: ignore[arg-type]
        for chunks in (list(whole), [whole[:cut], whole[cut:]]):
            assert read(Streamed(chunks, **options)) == expected
