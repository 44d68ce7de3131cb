"""Conversions: what the target can hold goes there and comes back, what it cannot is listed."""

from __future__ import annotations

import json

import jsonschema
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.stf.stf_pieces import EXAMPLES, json_values, messages, plain
from llmblocks import stf
from llmblocks.stf import Message, ShapeError, Transcript, from_anthropic, from_json, from_ndjson, to_json, to_ndjson
from llmblocks.stf.values.messages import Json

SETTINGS = settings(max_examples=EXAMPLES, deadline=None)
lists_of_messages = st.lists(messages, max_size=4)
SCHEMA = Transcript.json_schema()
CALL = Message("assistant", "", tool_calls=[stf.ToolCall("look", "{}", id="c")])


@given(lists_of_messages, st.none() | json_values.map(lambda value: (value,)))
@SETTINGS
def test_a_transcript_comes_back_from_json_and_ndjson(written: list[Message], metadata: tuple[Json] | None) -> None:
    transcript = Transcript(written, metadata and metadata[0], null_metadata=metadata == (None,))
    assert to_ndjson(transcript).value.count("\n") == len(written) + (metadata is not None)
    for write, read in ((to_json, from_json), (to_ndjson, from_ndjson)):
        text, lost = write(transcript)
        if lost:
            assert all("Infinity: it is null" in loss.message for loss in lost)
            assert "inf" in repr(transcript)
        else:
            assert _same(read(text), transcript)


def _same(one: Transcript, other: Transcript) -> bool:
    # JSON joins the two halves of an astral character, where they are written one after the other.
    return json.dumps(plain(one.as_dict())).encode() == json.dumps(plain(other.as_dict())).encode()


@given(lists_of_messages, json_values)
@SETTINGS
def test_every_transcript_fits_the_schema_of_transcripts(written: list[Message], metadata: Json) -> None:
    jsonschema.validate(plain(Transcript(written, metadata).as_dict()), SCHEMA)


@pytest.mark.parametrize(
    "value",
    [
        *({}, {"messages": {}}),
        *[
            {"messages": [message]}
            for message in (
                *(
                    {"content": "x"},
                    {"role": "u"},
                    {"role": "u", "content": 1},
                    {"role": "u", "content": "", "id": None},
                ),
                {"role": "u", "content": [{"type": "nope"}]},
                {"role": "u", "content": [{"type": "image", "url": 1}]},
                {"role": "u", "content": "", "tool_calls": [{"name": "n", "arguments": {}}]},
            )
        ],
    ],
    ids=str,
)
def test_what_is_not_a_transcript_fits_neither_the_schema_nor_the_reader(value: Json) -> None:
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(value)
    with pytest.raises(ShapeError):
        from_json(json.dumps(value))


def test_the_reader_names_every_key_that_does_not_fit() -> None:
    with pytest.raises(ShapeError) as raised:
        from_json('[{"content": 1}, {"role": "u", "content": "", "name": 5}]')
    assert [misfit.message for misfit in raised.value.misfits] == [
        "[0].role must be a string (was missing)",
        "[0].content must be a string or an object (was a number)",
        "[1].name must be a string or undefined (was a number)",
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("{", "line 2: this is not JSON"), ("{}", "line 2: role must be a string"), ("[" * 100_000, "line 2: nested too")],
)
def test_a_bad_line_of_ndjson_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        from_ndjson('{"role":"u","content":"\\u2028"}\n' + text + "\n")


def test_metadata_of_ndjson_is_alone_on_the_first_line() -> None:
    title, line = '{"metadata":{"title":"x"}}', '{"role":"user","content":"Hi"}'
    # as llm-msg-io at 70dba2c writes it
    found = from_ndjson(f"\n{title}\n{line}")
    assert (found.metadata, [each.text for each in found.messages]) == ({"title": "x"}, ["Hi"])
    assert from_ndjson(title) == Transcript(metadata={"title": "x"})
    for text in (f"{line}\n{title}", f"{title}\n{title}", '{"metadata":1,"role":"user"}'):
        with pytest.raises(ValueError, match=r"line [12]: (role|content) must be"):
            from_ndjson(text)


@pytest.mark.parametrize("value", [[1], [{"content": "x"}], [{"role": 1}]], ids=str)
def test_what_is_not_a_message_is_refused(value: Json) -> None:
    with pytest.raises(ValueError, match=r"messages\[0\] is not a message"):
        stf.from_openai(value)
    with pytest.raises(ValueError, match=r"messages\[0\] is not a message"):
        from_anthropic({"messages": value})
    with pytest.raises(ValueError, match="this is not a request"):
        from_anthropic({"messages": 1})


@given(lists_of_messages)
@SETTINGS
def test_pydantic_takes_transcripts_apart_and_puts_them_together(written: list[Message]) -> None:
    adapter = pydantic.TypeAdapter(Transcript)
    transcript = Transcript(written)
    assert adapter.validate_python(adapter.dump_python(transcript)) == transcript


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_json_is_written_as_the_library_writes_it(indent: int | None) -> None:
    transcript = Transcript([Message("user", "\u00e9 \x1f half \ud83d"), CALL], {"a": [1, {"b": "\n"}], "c": {}})
    expected = json.dumps(transcript.as_dict(), ensure_ascii=False, indent=indent)
    assert to_json(transcript, indent=indent).value == expected.replace("\ud83d", "\\ud83d")


def test_tuples_become_lists() -> None:
    assert json.loads(to_json(Transcript(metadata=(1, 2))).value) == {"messages": [], "metadata": [1, 2]}
