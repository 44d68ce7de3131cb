"""The conformance vectors: what llm-msg-io at 70dba2c makes of a text in the `;` dialect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from formats.stf.stf_pieces import Streamed, plain
from llmblocks.stf import StfError, decode
from worded import has_words

VECTORS = Path(__file__).parents[2] / "vectors" / "stf.dev.jsonl"


def _vectors() -> list[Any]:
    with VECTORS.open(encoding="ascii", newline="\n") as lines:
        return [json.loads(line) for line in lines]


VECTOR_LIST = _vectors()


def test_there_are_as_many_vectors_as_were_made() -> None:
    assert len(VECTOR_LIST) == 125


@pytest.mark.parametrize("vector", VECTOR_LIST, ids=lambda vector: f"{vector['id']} {vector['name']}")
def test_a_text_decodes_as_the_reference_decodes_it(vector: Any) -> None:
    expected = vector["expected"]
    transcript = decode(vector["input"], **vector["options"])
    if expected["ok"]:
        assert transcript.findings == ()
        assert [plain(message.as_dict()) for message in transcript.messages] == expected["messages"]
        assert transcript.has_metadata == ("metadata" in expected)
        assert plain(transcript.metadata) == expected.get("metadata")
    else:
        error, first = expected["error"], transcript.findings[0]
        assert first.kind == error["kind"]
        # The reference gives no line for some of its errors; ours always do.
        assert first.line == (error["line"] or first.line)
        assert first.line == vector["input"].count("\n", 0, first.start) + 1
        assert has_words(first.message, _wording(error["message"]))


def _wording(message: str) -> str:
    """Return the words of the reference without the place, which ours have elsewhere, and as far as they make sense."""
    message = message.split(": ", 1)[1] if message.startswith(("Line ", "Link ")) else message
    return message.split("'[object Object]'")[0].removesuffix(".")


@pytest.mark.parametrize("vector", VECTOR_LIST, ids=lambda vector: vector["id"])
def test_strict_decoding_raises_the_error_of_the_reference(vector: Any) -> None:
    expected = vector["expected"]
    if expected["ok"]:
        decode(vector["input"], strict=True, **vector["options"])
    else:
        with pytest.raises(StfError) as raised:
            decode(vector["input"], strict=True, **vector["options"])
        assert raised.value.kind == expected["error"]["kind"]
        assert expected["error"]["line"] in (None, raised.value.line)


@pytest.mark.parametrize("size", [1, 4])
@pytest.mark.parametrize("vector", VECTOR_LIST, ids=lambda vector: vector["id"])
def test_a_stream_reads_what_decode_reads(vector: Any, size: int) -> None:
    text, options = vector["input"], vector["options"]
    whole = decode(text, **options)
    streamed = Streamed([text[at : at + size] for at in range(0, len(text), size)], **options)
    assert plain([m.as_dict() for m in streamed.messages]) == plain([m.as_dict() for m in whole.messages])
    assert streamed.findings == whole.findings
    assert plain(streamed.metadata) == plain(whole.metadata)
