from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given

from formats.tags.tag_pieces import NAMES, chunks, texts
from llmblocks.tags import (
    CustomBlock,
    CustomBlockDelta,
    CustomBlockEnd,
    CustomBlockStart,
    TagHandler,
    TagStream,
    TextDelta,
)

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


@given(chunks())
def test_chunking_does_not_matter(pieces: list[str]) -> None:
    split = TagStream(TAGS)
    deltas = [delta for piece in pieces for delta in split.feed(piece)] + split.flush()
    whole = TagStream(TAGS)
    assert joined(deltas) == joined(whole.feed("".join(pieces)) + whole.flush())


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
def test_nothing_is_lost_when_every_handler_raises(pieces: list[str]) -> None:
    def raising(*_: object) -> None:
        raise BoomError

    stream = TagStream({name: TagHandler(raising, raising, raising) for name in NAMES})
    calm = TagStream(TAGS)
    deltas: list[object] = []
    for piece in pieces:
        given_in = False
        while True:
            try:
                deltas += stream.feed("") if given_in else stream.feed(piece)
                break
            except BoomError:
                given_in = True
    while True:
        try:
            deltas += stream.flush()
            break
        except BoomError:
            pass
    assert joined(deltas) == joined(calm.feed("".join(pieces)) + calm.flush())


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
        CustomBlockEnd("think"),
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
