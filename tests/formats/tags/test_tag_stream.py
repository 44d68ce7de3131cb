"""Streams of tags: in any chunks, with handlers that raise; the conformance vectors, and streams of agentick's.

The streams of `thinkTagTransform` are those of agentick 1.0.0-next.165.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from formats.tags.tag_pieces import NAMES, chunks, texts
from llmblocks import tags
from llmblocks.tags import CustomBlock, CustomBlockDelta, CustomBlockStart, TagHandler, TagStream, TextDelta

TAGS = {name: TagHandler() for name in NAMES}


def joined(deltas: Sequence[object]) -> list[object]:
    """Neighbouring texts and neighbouring contents as one."""
    out: list[object] = []
    for delta in deltas:
        last = out[-1] if out else None
        if isinstance(delta, TextDelta) and isinstance(last, TextDelta):
            out[-1] = TextDelta(last.delta + delta.delta)
        elif isinstance(delta, CustomBlockDelta) and isinstance(last, CustomBlockDelta):
            out[-1] = CustomBlockDelta(last.tag, last.delta + delta.delta)
        else:
            out.append(delta)
    return out


@given(texts)
def test_a_flushed_stream_begins_again(text: str) -> None:
    used = TagStream(TAGS)
    used.feed(text)
    used.flush()
    fresh = TagStream(TAGS)
    again = "a<done/>b<think x>c"
    assert used.feed(again) + used.flush() == fresh.feed(again) + fresh.flush()


class BoomError(Exception):
    pass


@given(chunks())
def test_chunks_do_not_matter_and_nothing_is_lost_when_every_handler_raises(pieces: list[str]) -> None:
    def raising(*_: object) -> None:
        raise BoomError

    split, whole = TagStream(TAGS), TagStream(TAGS)
    streamed = [delta for piece in pieces for delta in split.feed(piece)] + split.flush()
    assert joined(streamed) == joined(whole.feed("".join(pieces)) + whole.flush())

    raises = TagStream({name: TagHandler(raising, raising, raising) for name in NAMES})
    deltas: list[object] = []
    for piece in [*pieces, None]:
        call: Callable[[], list[Any]] = partial(raises.feed, piece) if piece is not None else raises.flush
        while True:
            try:
                deltas += call()
                break
            except BoomError:
                # the piece has been taken
                call = partial(raises.feed, "") if piece is not None else raises.flush
    assert joined(deltas) == joined(streamed)


def test_an_exception_reaches_the_caller_and_the_rest_comes_with_the_next_call() -> None:
    def on_start(attrs: dict[str, str]) -> None:
        raise BoomError(attrs["n"])

    stream = TagStream({"think": TagHandler(on_start=on_start)})
    with pytest.raises(BoomError, match="1"):
        stream.feed('a<think n="1">b</think>c')
    assert stream.process(7) == [
        TextDelta("a"),
        CustomBlockStart("think", {"n": "1"}),
        CustomBlockDelta("think", "b"),
        tags.CustomBlockEnd("think"),
        CustomBlock("think", "b", {"n": "1"}),
        TextDelta("c"),
        7,
    ]
    assert stream.feed("d") == [TextDelta("d")]


def test_any_other_object_passes_untouched_and_releases_nothing() -> None:
    stream = TagStream(TAGS)
    call = {"type": "tool_call", "id": "1"}
    assert stream.feed("a<thi") == [TextDelta("a")]
    assert stream.process(call)[0] is call
    assert stream.feed("nk>b") == [CustomBlockStart("think", {}), CustomBlockDelta("think", "b")]


def test_a_text_of_a_derived_class_is_text() -> None:
    class Marked(TextDelta):
        pass

    assert TagStream(TAGS).process(Marked("<done/>")) == [CustomBlock("done", "", {}, True)]


def test_what_a_handler_does_to_its_attributes_does_not_reach_the_deltas() -> None:
    stream = TagStream({"think": TagHandler(on_start=lambda attrs: attrs.clear())})
    assert stream.feed('<think a="1">')[0] == CustomBlockStart("think", {"a": "1"})


def test_a_bare_tag_gives_its_handler_attributes_of_its_own() -> None:
    """As the reference does, which shares them with the block only where the tag has a list of them."""
    seen: list[dict[str, str]] = []
    handler = TagHandler(
        on_start=lambda attrs: attrs.update(new="1"), on_content=lambda content, attrs: seen.append(attrs)
    )
    for opening, attrs in (("<think>", {}), ("<think >", {"new": "1"}), ("<think a>", {"a": "", "new": "1"})):
        stream = TagStream({"think": handler})
        assert CustomBlock("think", "b", attrs) in stream.feed(f"{opening}b</think>")
        stream.feed(f"{opening}b")
        assert stream.flush() == [CustomBlock("think", "b", attrs)]
        assert seen == [attrs, attrs]
        seen.clear()


def test_a_name_that_no_tag_can_have_is_never_met() -> None:
    with pytest.warns(UserWarning, match="the tag .* is never met: tag names are ASCII letters"):
        stream = TagStream(dict.fromkeys(("", "1t", "a.b", "a|b", "é", "-"), TagHandler()))
    assert stream.feed("<1t>x<a.b>y<a|b><é><->") + stream.flush() == [TextDelta("<1t>x<a.b>y<a|b><é><->")]


VECTORS = Path(__file__).parents[2] / "vectors" / "tags.dev.jsonl"
CASES, THINK_CASES = (
    [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
    for path in (VECTORS, Path(__file__).parent / "reference_think.jsonl")
)


def as_json(delta: object) -> object:
    match delta:
        case TextDelta(text):
            return {"type": "text", "delta": text}
        case CustomBlockStart(tag, attrs):
            return {"type": "custom_block_start", "tag": tag, "attrs": attrs}
        case CustomBlockDelta(tag, text):
            return {"type": "custom_block_delta", "tag": tag, "delta": text}
        case tags.CustomBlockEnd(tag):
            return {"type": "custom_block_end", "tag": tag}
        case CustomBlock(tag, content, attrs, self_closing):
            block = {"type": "custom_block", "tag": tag, "content": content, "attrs": attrs}
            return block | {"selfClosing": True} if self_closing else block
    return delta


def recorder(tag: str, calls: list[list[object]]) -> TagHandler:
    return TagHandler(
        on_start=lambda attrs: calls.append(["onStart", tag, dict(attrs)]),
        on_content=lambda content, attrs: calls.append(["onContent", tag, content, dict(attrs)]),
        on_self_closing=lambda attrs: calls.append(["onSelfClosing", tag, dict(attrs)]),
    )


@pytest.mark.filterwarnings("ignore:the tag .* is never met")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}-{case['name']}")
def test_vector(case: dict[str, Any]) -> None:
    calls: list[list[object]] = []
    stream = TagStream({tag: recorder(tag, calls) for tag in case["options"]["tags"]})
    deltas: list[object] = []
    at: list[object] = []
    for index, chunk in enumerate(case["chunks"]):
        new = stream.process(TextDelta(chunk) if isinstance(chunk, str) else chunk)
        deltas += map(as_json, new)
        at += [index] * len(new)
    if case["options"].get("flush", True):
        new = stream.flush()
        deltas += map(as_json, new)
        at += ["end"] * len(new)
    assert {"deltas": deltas, "at": at, "handlers": calls} == case["expected"]


def routed(pieces: list[str], transform: tags.ThinkTags | None = None) -> list[list[str]]:
    transform = transform or tags.ThinkTags()
    deltas = [each for piece in pieces for each in transform.process(TextDelta(piece))] + transform.flush()
    return [["reasoning" if isinstance(each, tags.ReasoningDelta) else "text", each.delta] for each in deltas]


@pytest.mark.parametrize("case", THINK_CASES, ids=lambda case: "".join(case["chunks"])[:30])
def test_a_stream_is_routed_as_the_reference_routes_it(case: Any) -> None:
    found, recorded = routed(case["chunks"]), case["deltas"]
    assert found[: len(recorded)] == recorded
    # the reference loses the half of a tag at the end of a block that nothing closes
    for kind, text in found[len(recorded) :]:
        assert kind == "reasoning"
        assert text.startswith("<")
        assert "".join(case["chunks"]).endswith(text)


def test_there_are_all_cases() -> None:
    assert len(CASES) == 150
    assert sum(len(routed(case["chunks"])) > len(case["deltas"]) for case in THINK_CASES) == 5


@given(chunks())
def test_nothing_but_tags_is_lost(pieces: list[str]) -> None:
    for kind in ("text", "reasoning"):
        found, whole = (
            "".join([text for of, text in routed(each) if of == kind]) for each in (pieces, ["".join(pieces)])
        )
        assert found == whole


def test_other_tags_and_other_deltas() -> None:
    transform = tags.ThinkTags(("thinking", "reason"))
    start = tags.ToolCallStart("1", "add")
    assert transform.process(start) == [start]
    text = "<thinking a=1>one</thinking><think>two</think><reason/><reason>three"
    assert routed([text], transform) == [["reasoning", "one"], ["text", "<think>two</think>"], ["reasoning", "three"]]
