"""Every leaf of what is converted arrives, or `lost` names its path; and what arrives is what the service takes."""

from __future__ import annotations

import base64
import binascii
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.stf.stf_pieces import EXAMPLES, messages, messages_of
from formats.stf.stf_sdk import assert_anthropic_takes, assert_openai_takes
from llmblocks import stf
from llmblocks.stf import Loss, Transcript, from_anthropic, from_openai, to_anthropic, to_openai, transcript_from_dict

SETTINGS = settings(max_examples=EXAMPLES, deadline=None)
MARK = "________"
"""Stands for a marker: eight characters that are base64, and of which each is there once."""
NUMBER = 4711
"""Stands for a number that is there once."""
odd = st.sampled_from((MARK, NUMBER, [MARK], {"k": MARK}, {"k": [NUMBER, {"deep": MARK}]}, [], {}, None, True))
URLS = (f"https://example.org/{MARK}", f"http://example.org/{MARK}", f"{MARK}.png", f"data:image/png;base64,{MARK}",
        f"data:image/svg+xml;base64,{MARK}", f"data:text/plain;base64,{MARK}", f"data:,{MARK}")  # fmt: skip
urls = st.sampled_from(URLS)
names = ("zzz", "id", "call_id", "reasoning", "extra", "name", "url", "data", "mime", "format", "file_id", "detail",
         "title", "text", "content", "arguments", "refusal", "annotations", "index", "tool_call_id", "tool_calls",
         "redacted_thinking", "signature", "cache_control")  # fmt: skip
cached = st.one_of(odd, st.sampled_from(({"type": "ephemeral"}, {"type": "ephemeral", "ttl": "5m", "zzz": MARK})))


def objects(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that have some keys, now and then with a value of another kind, and a few keys more."""
    wrapped = {key: item if isinstance(item, st.SearchStrategy) else st.just(item) for key, item in required.items()}
    known = {key: st.one_of(item, item, item, odd) for key, item in optional.items()}
    free = sorted({*names} - required.keys() - optional.keys())
    few = st.lists(st.sampled_from(free), max_size=2, unique=True).flatmap(
        lambda keys: st.fixed_dictionaries({key: cached if key == "cache_control" else odd for key in keys})
    )
    return st.builds(lambda own, more: {**more, **own}, st.fixed_dictionaries(wrapped, optional=known), few)


text = st.sampled_from((MARK, f"{MARK} and so on", MARK, " "))
mark = st.just(MARK)
breakpoints = st.sampled_from(({"mode": "explicit"}, {"mode": "explicit", "ttl": "30m"}, {"mode": MARK}))
ARGUMENTS = (f'{{"a": "{MARK}"}}', MARK, f'{{"a": NaN, "b": "{MARK}"}}', f'["{MARK}"]', f'{{"a": 1, "a": "{MARK}"}}')
arguments = st.sampled_from(ARGUMENTS)

# OpenAI

openai_parts = st.one_of(
    objects({"type": "text"}, {"text": text, "prompt_cache_breakpoint": breakpoints}),
    objects({"type": "image_url"}, {"image_url": objects({}, {"url": urls, "detail": st.sampled_from(("low", MARK))})}),
    objects(
        {"type": "input_audio"},
        {"input_audio": objects({}, {"data": mark, "format": st.sampled_from(("wav", "mp3", MARK))})},
    ),
    objects(
        {"type": "file"}, {"file": objects({}, {"file_data": st.one_of(urls, mark), "filename": mark, "file_id": mark})}
    ),
    objects({"type": "refusal"}, {"refusal": text}),
    objects({"type": MARK}, {}),
    odd,
)
openai_calls = st.one_of(
    objects({"type": "function"}, {"id": mark, "function": objects({}, {"name": mark, "arguments": arguments})}),
    objects({"type": "custom"}, {"id": mark, "custom": objects({}, {"name": mark, "input": mark})}),
    objects({}, {"type": mark, "function": objects({"name": MARK}, {"arguments": odd})}),
    odd,
)
openai_messages = objects(
    {"role": st.sampled_from(("user", "assistant", "system", "developer", "tool", "function", MARK))},
    {
        "content": st.one_of(text, st.lists(openai_parts, max_size=4)),
        "name": mark,
        "tool_call_id": mark,
        "refusal": mark,
        "tool_calls": st.lists(openai_calls, max_size=3),
        "audio": objects({"id": MARK}, {"data": mark, "transcript": mark}),
        "function_call": objects({"name": MARK}, {"arguments": mark}),
    },
)
openai_requests = objects({"messages": st.lists(openai_messages, max_size=3)}, {"model": mark, "tools": odd})

# Anthropic

citations = st.lists(
    objects(
        {"type": st.sampled_from(("char_location", MARK)), "cited_text": MARK},
        {"document_index": st.just(NUMBER), "document_title": mark, "start_char_index": st.just(NUMBER),
         "end_char_index": st.just(NUMBER), "file_id": mark},
    ),
    max_size=2,
)  # fmt: skip
sources = st.one_of(
    objects(
        {"type": "base64"},
        {"data": mark, "media_type": st.sampled_from(("image/png", "application/pdf", "text/csv", "", MARK))},
    ),
    objects({"type": "text"}, {"data": mark, "media_type": st.sampled_from(("text/plain", MARK))}),
    objects({"type": "url"}, {"url": urls}),
    objects({"type": "file"}, {"file_id": mark}),
    objects({"type": "content"}, {"content": mark}),
)
anthropic_parts = st.one_of(
    objects({"type": "text"}, {"text": text, "citations": citations}),
    objects({"type": "image"}, {"source": sources, "transformations": odd}),
    objects({"type": "document"}, {"source": sources, "title": mark, "context": mark, "citations": odd}),
    objects({"type": "search_result"}, {"content": odd}),
    odd,
)
anthropic_blocks = st.one_of(
    anthropic_parts,
    objects({"type": "thinking"}, {"thinking": mark, "signature": mark}),
    objects({"type": "redacted_thinking"}, {"data": mark}),
    objects({"type": "tool_use"}, {"id": mark, "name": mark, "input": odd, "caller": odd, "toolset_name": mark}),
    objects(
        {"type": "tool_result"},
        {"tool_use_id": mark, "content": st.one_of(text, st.lists(anthropic_parts, max_size=2)), "is_error": odd},
    ),
    objects({"type": MARK}, {}),
)
anthropic_messages = objects(
    {"role": st.sampled_from(("user", "assistant", "system", MARK))},
    {"content": st.one_of(text, st.lists(anthropic_blocks, max_size=5)), "type": st.just("message"), "usage": odd},
)
anthropic_requests = objects(
    {"messages": st.lists(anthropic_messages, max_size=3)},
    {"system": st.one_of(text, st.lists(anthropic_parts, max_size=2)), "model": mark, "tools": odd},
)

# Transcripts

OWN = {"cache_control": cached, "citations": citations | odd, **dict.fromkeys(("name", "file_id"), mark),
       "format": st.sampled_from(("wav", "mpeg", MARK))}  # fmt: skip
OTHERS = (
    *("zzz", "detail", "title", "signature", "redacted_thinking", "citations", "context", "transformations", "format"),
    *("cache_control", "caller", "type", "function", "tool_call_id", "is_error", "audio", "function_call", "name"),
    *("annotations", "toolset_name", "file_id"),
)
TYPES = ("image/png", "image/svg+xml", "audio/mpeg", "audio/x-zzz", "text/plain", "", "a/b;c")
stf_messages = messages_of(
    text, arguments, st.sampled_from(OTHERS), lambda key: OWN.get(key, odd),
    url=urls, mime=st.sampled_from(TYPES), data=st.sampled_from((MARK, "not base64!", "")),
)  # fmt: skip
transcripts = st.builds(Transcript, st.lists(stf_messages, max_size=3), odd).map(Transcript.as_dict)


def marked(value: Any, count: Iterator[int]) -> Any:
    """Return the same value, with its own marker at each place."""
    if isinstance(value, str):
        return value.replace(MARK, f"M{next(count):07}") if MARK in value else value
    if value == NUMBER and not isinstance(value, bool):
        return 9_000_000 + next(count)
    if isinstance(value, dict):
        return {key: marked(item, count) for key, item in value.items()}
    return [marked(item, count) for item in value] if isinstance(value, list) else value


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the places of all markers."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}[{index}]")
    elif isinstance(value, str | int) and not isinstance(value, bool):
        for found in re.findall(r"M\d{7}|9\d{6}", str(value)):
            yield path, found


def arrived(value: Any) -> str:
    """Everything that a result says, also in base64."""
    if isinstance(value, dict):
        return " ".join(arrived(item) for item in value.values())
    if isinstance(value, list):
        return " ".join(arrived(item) for item in value)
    try:
        return f"{value} {base64.b64decode(str(value), validate=True).decode('latin-1')}"
    except (binascii.Error, ValueError):
        return str(value)


def assert_nothing_vanishes(source: Any, result: Any, lost: tuple[Loss, ...]) -> None:
    there = arrived(result)
    told = [loss.path for loss in lost]
    for path, marker in leaves(source):
        if marker not in there:
            assert any(path == at or path.startswith((f"{at}.", f"{at}[")) for at in told), (path, source, lost)
    assert all(loss.path and loss.message for loss in lost)


SERVICES: list[tuple[Callable[..., Any], Callable[..., Any], Callable[..., None]]] = [
    (to_openai, from_openai, assert_openai_takes),
    (to_anthropic, from_anthropic, assert_anthropic_takes),
]


@pytest.mark.parametrize(
    ("requests", "convert"), [(openai_requests, from_openai), (anthropic_requests, from_anthropic)]
)
def test_nothing_of_a_request_vanishes(requests: st.SearchStrategy[Any], convert: Callable[[Any], Any]) -> None:
    @given(requests)
    @SETTINGS
    def law(template: dict[str, Any]) -> None:
        request = marked(template, itertools.count())
        read, lost = convert(request)
        assert_nothing_vanishes(request, read.as_dict(), lost)
        assert transcript_from_dict(read.as_dict()) == read
        assert stf.decode(stf.encode(read)) == read
        assert_openai_takes(to_openai(read).value)
        assert_anthropic_takes(to_anthropic(read).value)

    law()


@given(transcripts)
@SETTINGS
def test_nothing_of_a_transcript_vanishes_and_what_was_converted_once_comes_back(template: dict[str, Any]) -> None:
    source = marked(template, itertools.count())
    transcript = transcript_from_dict(source)
    for convert, back, assert_taken in SERVICES:
        request, lost = convert(transcript)
        assert_nothing_vanishes(source, request, lost)
        assert_taken(request)
        read, lost = back(request)
        assert lost == ()
        assert convert(read).value == request


@given(st.lists(messages, max_size=4))
@SETTINGS
def test_services_take_what_any_transcript_becomes(written: list[stf.Message]) -> None:
    for convert, _, assert_taken in SERVICES:
        assert_taken(convert(Transcript(written)).value)
