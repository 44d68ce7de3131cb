"""Random transcripts, and the output of a stream as a whole, for the property tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from examples import examples
from llmblocks import stf
from llmblocks.stf import ContentDelta, EmbedPart, Event, Message, MessageEnded, StfFinding, StfStream, ToolCall

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
        self.findings: tuple[StfFinding, ...] = tuple(e.finding for e in self.events if isinstance(e, stf.Found))
        changes = [e.metadata for e in self.events if isinstance(e, stf.MetadataChanged)]
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
            elif isinstance(event, stf.Called):
                calls.append(event.call)
            elif isinstance(event, stf.Embedded):
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
CALL_ARGUMENTS = (
    *('{"a": 1}', "{}", '{"a":"\\n"}', "{a:1}", '{"a":1}\n', "[1]", '{"a":NaN}', ' {"b":2} ', '{"a":"\u2028"}'),
)
EMBED_KEYS = ("type", "url", "mime", "data")
KEYS = ("role", "content", "id", "name", "call_id", "reasoning", "refusal", "tool_calls", "extra")


def messages_of(
    texts: st.SearchStrategy[str],
    arguments: st.SearchStrategy[str],
    keys: st.SearchStrategy[str],
    value_of: Callable[[str], st.SearchStrategy[Any]],
    **embeds: st.SearchStrategy[str],
) -> st.SearchStrategy[Message]:
    """Messages with these texts, and further keys with their values; `embeds` are the URLs, types and data of parts."""

    def more(*own: str) -> st.SearchStrategy[dict[str, Any]]:
        few = st.lists(keys.filter(lambda key: key not in own), max_size=2, unique=True)
        return few.flatmap(lambda names: st.fixed_dictionaries({name: value_of(name) for name in names}))

    maybe = st.none() | texts
    sources = [st.none() | embeds.get(key, texts) for key in EMBED_KEYS[1:]]
    text_parts = st.builds(stf.TextPart, texts, more("type", "text"))
    embed_parts = st.builds(EmbedPart, st.sampled_from(("image", "audio", "file")), *sources, more(*EMBED_KEYS))
    contents = st.one_of(texts, texts, st.lists(st.one_of(text_parts, embed_parts), max_size=4))
    calls = st.builds(ToolCall, texts, arguments, maybe, maybe, more("name", "arguments", "id", "call_id"))
    roles = st.sampled_from(("user", "assistant", "system", "developer", "tool", "function", "constructor")) | texts
    rarely = st.one_of(st.none(), st.none(), contents)
    more_calls = st.one_of(st.none(), st.none(), st.lists(calls, max_size=2))
    extra = st.one_of(st.none(), st.none(), value_of("extra"))
    others = st.one_of(st.none(), st.none(), more(*KEYS), st.just({"extra": None}))
    return st.builds(Message, roles, contents, maybe, maybe, maybe, rarely, rarely, more_calls, extra, others).filter(
        lambda message: message.extra is None or not message.more or "extra" not in message.more
    )


messages = messages_of(
    awkward,
    awkward | st.sampled_from(CALL_ARGUMENTS),
    awkward | st.sampled_from(("detail", "x1")),
    lambda _: json_values,
)
