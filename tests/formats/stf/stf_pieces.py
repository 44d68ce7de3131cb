"""Random transcripts, and the output of a stream as a whole, for the property tests."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from examples import examples
from llmblocks.stf import (
    Called,
    ContentDelta,
    Embedded,
    EmbedPart,
    Event,
    Found,
    Message,
    MessageEnded,
    MetadataChanged,
    StfFinding,
    StfStream,
    TextPart,
    ToolCall,
)

EXAMPLES = examples(300)


class Streamed:
    """The output of a stream, put together again."""

    def __init__(self, chunks: list[str], **options: Any) -> None:
        stream = StfStream(**options)
        self.events: list[Event] = []
        for chunk in chunks:
            self.events += stream.feed(chunk)
        self.events += stream.close()
        self.messages: list[Message] = [e.message for e in self.events if isinstance(e, MessageEnded)]
        self.findings: tuple[StfFinding, ...] = tuple(e.finding for e in self.events if isinstance(e, Found))
        changes = [e.metadata for e in self.events if isinstance(e, MetadataChanged)]
        self.metadata: Any = changes[-1] if changes else None
        self.has_metadata = bool(changes)

    def merged(self) -> list[object]:
        """Return the events, neighbouring deltas put together."""
        out: list[object] = []
        for event in self.events:
            if isinstance(event, ContentDelta) and out and isinstance(out[-1], ContentDelta):
                out[-1] = ContentDelta(out[-1].delta + event.delta)
            else:
                out.append(event)
        return out

    def told(self) -> list[tuple[str, list[ToolCall], list[EmbedPart]]]:
        """Text, calls and embeds of each message, from the events before its end."""
        out: list[tuple[str, list[ToolCall], list[EmbedPart]]] = []
        text, calls, embeds = "", [], []
        for event in self.events:
            if isinstance(event, ContentDelta):
                text += event.delta
            elif isinstance(event, Called):
                calls.append(event.call)
            elif isinstance(event, Embedded):
                embeds.append(event.part)
            elif isinstance(event, MessageEnded):
                out.append((text, calls, embeds))
                text, calls, embeds = "", [], []
        return out


def plain(value: Any) -> Any:
    """JSON in which numbers that are not finite are written as the vectors write them; NaN equals itself then."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"$num": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


awkward = st.lists(
    st.sampled_from((
        "a", "hello", "\n", "\n", "@", ";", "@@user", ";;", "\n@", "\n;", "@user", "\n@end\n", ";end", "@/*", "\r",
        "\r\n", "\0", "\u2028", "\u2029", "\x85", "\U0001f600", "'", '"', "\\", " ", "\t", "{", "}", "=", "//", "#",
        "\ufeff", "é", "\\u0041", "\x0b", "\x0c", "\x1b", "\ud83d", "\ude00",
    )),
    max_size=6,
).map(lambda pieces: "".join(pieces).replace("\ud83d\ude00", "\U0001f600"))  # fmt: skip
"""Two halves side by side are read as the character that they are."""
numbers = st.one_of(
    st.integers(-(2**53), 2**53), st.floats(allow_nan=False), st.sampled_from((0, 1, -1, 1e300, 0.1, float("inf")))
)
json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, awkward),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(awkward, st.sampled_from(("a", "type"))), inner, max_size=3),
    ),
    max_leaves=6,
)
maybe = st.one_of(st.none(), awkward)


def more(*names: str) -> st.SearchStrategy[dict[str, Any]]:
    """Keys that have no field, which are not these."""
    keys = st.one_of(awkward, st.sampled_from(("detail", "x1", "ab"))).filter(lambda key: key not in names)
    return st.dictionaries(keys, json_values, max_size=2)


text_parts = st.builds(TextPart, awkward, more("type", "text"))
embed_parts = st.builds(
    EmbedPart,
    st.sampled_from(("image", "audio", "file")),
    *(maybe, maybe, maybe),
    more("type", "url", "mime", "data", "name", "format", "file_id"),
)
contents = st.one_of(awkward, awkward, st.lists(st.one_of(text_parts, embed_parts), max_size=4))
CALL_ARGUMENTS = (
    '{"a": 1}', "{}", '{"a":"\\n"}', "{a:1}", '{"a":1}\n', "[1]", '{"a":NaN}', ' {"b":2} ', '{"a":"\u2028"}',
)  # fmt: skip
call_arguments = st.one_of(awkward, st.sampled_from(CALL_ARGUMENTS))
tool_calls = st.builds(ToolCall, awkward, call_arguments, maybe, maybe, more("name", "arguments", "id", "call_id"))
rarely = st.one_of(st.none(), st.none(), contents)
FIELDS = ("role", "content", "id", "name", "call_id", "reasoning", "refusal", "tool_calls", "extra")
message_more = st.one_of(st.none(), st.none(), more(*FIELDS), st.just({"extra": None}))
roles = st.one_of(st.sampled_from(("user", "assistant", "system", "developer", "tool", "constructor")), awkward)
messages = st.builds(
    Message,
    role=roles,
    content=contents,
    id=maybe,
    name=maybe,
    call_id=maybe,
    reasoning=rarely,
    refusal=rarely,
    tool_calls=st.one_of(st.none(), st.none(), st.lists(tool_calls, max_size=2)),
    extra=st.one_of(st.none(), st.none(), json_values),
    more=message_more,
).filter(lambda message: message.extra is None or not message.more or "extra" not in message.more)
