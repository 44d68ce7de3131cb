"""Conversions: what the target can hold goes there and comes back, what it cannot is listed."""

from __future__ import annotations

import json

import jsonschema
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.stf.stf_pieces import EXAMPLES, json_values, messages, plain
from llmblocks.stf import (
    EmbedPart,
    Message,
    ShapeError,
    TextPart,
    ToolCall,
    Transcript,
    decode,
    encode,
    from_anthropic,
    from_json,
    from_ndjson,
    from_openai,
    to_anthropic,
    to_json,
    to_ndjson,
    to_openai,
)
from llmblocks.stf.values.messages import Json

SETTINGS = settings(max_examples=EXAMPLES, deadline=None)
lists_of_messages = st.lists(messages, max_size=4)


@given(lists_of_messages, json_values)
@SETTINGS
def test_a_transcript_comes_back_from_json(written: list[Message], metadata: Json) -> None:
    transcript = Transcript(written, metadata, null_metadata=metadata is None)
    text, lost = to_json(transcript)
    if lost:
        assert all("Infinity: it is null" in loss.message for loss in lost)
        assert "inf" in repr(transcript)
    else:
        assert _same(from_json(text), transcript)


@given(lists_of_messages, st.none() | json_values.map(lambda value: (value,)))
@SETTINGS
def test_a_transcript_comes_back_from_ndjson(written: list[Message], metadata: tuple[Json] | None) -> None:
    transcript = Transcript(written, metadata and metadata[0], null_metadata=metadata == (None,))
    text, lost = to_ndjson(transcript)
    assert text.count("\n") == len(written) + (metadata is not None)
    if not lost:
        assert _same(from_ndjson(text), transcript)


def _same(one: Transcript, other: Transcript) -> bool:
    # JSON joins the two halves of an astral character, where they are written one after the other.
    return json.dumps(plain(one.as_dict())).encode() == json.dumps(plain(other.as_dict())).encode()


@given(lists_of_messages, json_values)
@SETTINGS
def test_every_transcript_fits_the_schema_of_transcripts(written: list[Message], metadata: Json) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(plain(Transcript(written, metadata).as_dict()))


SCHEMA = Transcript.json_schema()


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"messages": {}},
        {"messages": [{"content": "x"}]},
        {"messages": [{"role": "u"}]},
        {"messages": [{"role": "u", "content": 1}]},
        {"messages": [{"role": "u", "content": "", "id": None}]},
        {"messages": [{"role": "u", "content": [{"type": "nope"}]}]},
        {"messages": [{"role": "u", "content": [{"type": "image", "url": 1}]}]},
        {"messages": [{"role": "u", "content": "", "tool_calls": [{"name": "n", "arguments": {}}]}]},
    ],
    ids=str,
)
def test_what_is_not_a_transcript_fits_neither_the_schema_nor_the_reader(value: Json) -> None:
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(value)
    with pytest.raises(ShapeError):
        from_json(json.dumps(value))


def test_a_schema_is_itself_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


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


OPENAI: list[dict[str, Json]] = [
    {"role": "developer", "content": "Be kind."},
    {
        "role": "user",
        "name": "Jo",
        "content": [
            {"type": "text", "text": "What is it?"},
            {"type": "image_url", "image_url": {"url": "https://example.org/a.png", "detail": "low"}},
            {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
            {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,AAAA"}},
            {"type": "file", "file": {"file_id": "file-1"}},
        ],
    },
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "it"}'}},
            {"id": "c2", "type": "function", "function": {"name": "wait", "arguments": ""}},
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "a cat"},
    {"role": "assistant", "content": "A cat.", "refusal": "no"},
]


def test_openai_messages_come_back() -> None:
    read, lost = from_openai(OPENAI)
    assert lost == ()
    assert to_openai(read) == (OPENAI, ())
    assert decode(encode(read)) == read


def test_openai_messages_become_the_short_form() -> None:
    read, _ = from_openai([OPENAI[0], {**OPENAI[2], "tool_calls": OPENAI[2]["tool_calls"][:1]}, OPENAI[3]])
    assert encode(read) == ('@developer\nBe kind.\n@ai\n@call name=look id=c1\n{"at": "it"}\n@tool call_id=c1\na cat\n')


def test_what_openai_cannot_hold_is_listed() -> None:
    transcript = Transcript(
        [
            Message("critic", "x", id="1", call_id="c", extra=1, reasoning="r"),
            Message("user", [EmbedPart("audio", "a.wav"), EmbedPart("file", "b.pdf"), EmbedPart("image", "c.png")]),
            Message("assistant", "", tool_calls=[ToolCall("n", "{}", "1", "2"), ToolCall("n", "{}")]),
            Message("tool", "x", name="n", refusal="no", more={"extra": None}),
            Message("assistant", "x", refusal=[TextPart("a"), EmbedPart("image", "u")], more={"annotations": []}),
        ],
        metadata=1,
    )
    converted = to_openai(transcript)
    assert [loss.path for loss in converted.lost] == [
        "metadata", "messages[0].role", "messages[0].call_id", "messages[0].id", "messages[0].reasoning",
        "messages[0].extra", "messages[1].content[0].url", "messages[1].content[0]",
        "messages[1].content[1].url", "messages[1].content[1]", "messages[1].content[2].url", "messages[1].content[2]",
        "messages[2].tool_calls[0].call_id", "messages[2].tool_calls[1]", "messages[3]", "messages[3].name",
        "messages[3].refusal", "messages[3].extra", "messages[4].refusal", "messages[4].annotations",
    ]  # fmt: skip
    assert converted.value[1]["content"] == ""
    assert converted.value[3:] == [
        {"role": "tool", "content": "x", "tool_call_id": "call_1"},
        {"role": "assistant", "content": "x", "refusal": "a"},
    ]


def test_what_openai_holds_and_we_do_not_is_listed() -> None:
    read, lost = from_openai([
        {"role": "assistant", "content": None, "tool_calls": [{"type": "custom", "custom": {}}], "id": "x"},
        {"role": "user", "content": [{"type": "video"}, "text"], "name": None},
    ])  # fmt: skip
    assert [loss.path for loss in lost] == [
        "messages[0].content", "messages[0].tool_calls[0]", "messages[0].id",
        "messages[1].content[0]", "messages[1].content[1]",
    ]  # fmt: skip
    assert read == Transcript([Message("assistant", "", tool_calls=[]), Message("user", [])])


ANTHROPIC: dict[str, Json] = {
    "system": "Be kind.",
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is it?", "cache_control": {"type": "ephemeral"}},
                {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "AAAA"}},
                {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
                {"type": "document", "source": {"type": "file", "file_id": "f1"}, "title": "a.pdf"},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "s"},
                {"type": "redacted_thinking", "data": "d"},
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": "it"}},
                {"type": "tool_use", "id": "t2", "name": "wait", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "a cat"},
                {"type": "tool_result", "tool_use_id": "t2", "content": [{"type": "text", "text": "done"}]},
            ],
        },
        {"role": "assistant", "content": "A cat."},
    ],
}


def test_anthropic_messages_come_back() -> None:
    read, lost = from_anthropic(ANTHROPIC)
    assert lost == ()
    assert to_anthropic(read) == (ANTHROPIC, ())
    assert decode(encode(read)) == read


def test_what_anthropic_cannot_hold_is_listed() -> None:
    transcript = Transcript(
        [
            Message("system", "a"),
            Message(
                "user", [EmbedPart("audio", data="x"), EmbedPart("image", "a.png", "image/png"), EmbedPart("file")]
            ),
            Message("developer", "b"),
            Message("assistant", "x", reasoning="r", refusal="no", tool_calls=[ToolCall("n", "[1]")], more={"k": 1}),
            Message("tool", "x", name="n"),
            Message("critic", "x", id="1", call_id="c", tool_calls=[ToolCall("n", "{}")], reasoning="r", extra=1),
        ],
        metadata=1,
    )
    converted = to_anthropic(transcript)
    assert [loss.path for loss in converted.lost] == [
        "metadata", "messages[1].content[0]", "messages[1].content[1].url", "messages[1].content[1]",
        "messages[1].content[2]", "messages[1]", "messages[2].role", "messages[3].refusal", "messages[3].k",
        "messages[3].reasoning", "messages[3].tool_calls[0]", "messages[3].tool_calls[0].arguments",
        "messages[4]", "messages[4].name", "messages[5].id", "messages[5].extra", "messages[5].call_id",
        "messages[5].tool_calls", "messages[5].reasoning", "messages[5].role",
    ]  # fmt: skip
    assert converted.value["system"] == [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert [loss.path for loss in to_anthropic(Transcript([Message("system", "y")])).lost] == ["messages"]


@given(lists_of_messages)
@SETTINGS
def test_no_message_stops_a_conversion(written: list[Message]) -> None:
    transcript = Transcript(written)
    for value, _ in (to_openai(transcript), to_anthropic(transcript)):
        assert value is not None
    from_openai(to_openai(transcript).value)
    from_anthropic(to_anthropic(transcript).value)


@given(st.lists(messages.filter(lambda m: m.content != "" or not m.tool_calls), max_size=3))
@SETTINGS
def test_what_openai_holds_without_loss_comes_back(written: list[Message]) -> None:
    transcript = Transcript(written)
    value, lost = to_openai(transcript)
    read, lost_again = from_openai(value)
    if not lost and not lost_again:
        assert to_openai(read).value == value


@pytest.mark.parametrize("value", [[1], [{"content": "x"}], [{"role": 1}]], ids=str)
def test_what_is_not_a_message_is_refused(value: Json) -> None:
    with pytest.raises(ValueError, match=r"messages\[0\] is not a message"):
        from_openai(value)
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
