"""The events of a gadget stream, their time, and the held-back text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from formats.gadget.gadget_cases import calls_of
from formats.gadget.gadget_model import as_float, events_of
from formats.gadget.gadget_pieces import any_text, chunkings
from llmblocks.gadget import ArgDelta, ArgEnded, ArgStarted, CallEnded, CallStarted, Event, GadgetStream, Markers, Text

# Markers that begin alike, contain one another, or can overlap, and the characters to make texts of them.
AWKWARD = [
    Markers(),
    Markers("[", "]", "~"),
    Markers("##s ", "#e", "--"),
    Markers("<<", ">>", "<>"),
    Markers("aa", "ab", "ba"),
    Markers("xENDy", "END", "-"),
    Markers("S", "E", "aEb"),
    Markers("SS", "bE", "ab"),
    Markers("S", "E", "```"),
    Markers("S", "E", "aa"),
    Markers("S", "ba", "aba"),
    Markers(" s", "e ", " a "),
    Markers("bY", "ab", "-"),
    Markers("ab", "bY", "-"),
]


def joined(chunks: list[str], markers: Markers | None = None) -> list[object]:
    """Return the events with neighbouring pieces of one text or value joined, and calls as what they say."""
    found: list[object] = []
    for _, event in events_of(chunks, markers):
        match event, found[-1] if found else None:
            case (Text(text), Text(before)):
                found[-1] = Text(before + text)
            case (ArgDelta(pointer, delta), ArgDelta(other, before)) if other == pointer:
                found[-1] = ArgDelta(pointer, before + delta)
            case CallEnded(call), _:
                found.append((call.name, call.parameters_raw, as_float(call.parameters), call.problems, call.arguments))
            case _:
                found.append(event)
    return found


@given(st.data())
@settings(max_examples=examples(400))
def test_chunking_does_not_matter(data: st.DataObject) -> None:
    text = data.draw(any_text)
    assert joined(data.draw(chunkings(text))) == joined([text]) == joined(list(text))


@given(st.data())
@settings(max_examples=examples(600))
def test_chunking_does_not_matter_for_markers_that_can_overlap(data: st.DataObject) -> None:
    markers = data.draw(st.sampled_from(AWKWARD))
    pieces = [markers.start, markers.start + "G\n", markers.end, markers.arg, markers.arg + "p\n", "\n", "v"]
    pieces += list(markers.start + markers.end + markers.arg)
    text = "".join(data.draw(st.lists(st.sampled_from(pieces), max_size=16)))
    assert joined(data.draw(chunkings(text)), markers) == joined([text], markers) == joined(list(text), markers)


def test_a_start_marker_that_an_end_marker_begins_inside_is_one() -> None:
    text = "abG\n-p\nvabY\n-q\nwbYt"
    markers = Markers("ab", "bY", "-")
    assert joined([text], markers) == joined(list(text), markers)
    assert CallStarted("Y", "gadget_2", ()) in GadgetStream(markers).feed(text)


def feed_each(*chunks: str) -> list[list[Event]]:
    stream = GadgetStream()
    return [stream.feed(chunk) for chunk in chunks]


def test_text_comes_at_once_but_for_what_may_become_a_marker() -> None:
    told = [[Text(text)] for text in ("Hello", " \n", "wor", "!!ld ", "!!!GAD")]
    assert feed_each("Hello", " \n", "wor!!", "ld !!!GAD", "!") == told


def test_a_value_holds_back_the_newline_that_may_be_its_last() -> None:
    start, *rest = feed_each("!!!GADGET_START:G:i\n!!!ARG:a\n", "x\n", "\n", "y", "\n!!!ARG:", "b\n1\n!!!GADGET_END")
    assert start == [CallStarted("G", "i", ()), ArgStarted("a")]
    assert rest[:4] == [[ArgDelta("a", "x")], [ArgDelta("a", "\n")], [ArgDelta("a", "\ny")], [ArgEnded("a")]]
    assert rest[4][:3] == [ArgStarted("b"), ArgDelta("b", "1"), ArgEnded("b")]


def test_a_call_that_comes_in_one_chunk_gives_the_same_events() -> None:
    (events,) = feed_each("a!!!GADGET_START:G\n!!!ARG:p/0\n1\n!!!ARG:q\n\n!!!GADGET_END!!!GADGET_START:H\n")
    assert events[:-2] == [
        *(Text("a"), CallStarted("G", "gadget_1", ()), ArgStarted("p/0"), ArgDelta("p/0", "1"), ArgEnded("p/0")),
        *(ArgStarted("q"), ArgEnded("q")),
    ]
    assert isinstance(events[-2], CallEnded)
    assert events[-2].call.parameters == {"p": [1], "q": ""}
    assert events[-1] == CallStarted("H", "gadget_2", ())


def test_streams_share_nothing_and_count_their_own_ids() -> None:
    one, other = GadgetStream(), GadgetStream()
    assert one.feed("!!!GADGET_START:A\n!!!ARG:x\n1")[0] == CallStarted("A", "gadget_1", ())
    assert other.feed("!!!GADGET_START:B\n") == [CallStarted("B", "gadget_1", ())]
    assert (other.feed("text"), one.feed("2")) == ([], [ArgDelta("x", "2")])


def test_feed_after_close_is_refused() -> None:
    for fed in ("", "text", "!!!GADGET_START:G\n!!!ARG:a\n1"):
        stream = GadgetStream()
        stream.feed(fed)
        stream.close()
        for chunk in ("", "x", "!", "\n", None):
            with pytest.raises(ValueError, match="this stream is closed"):
                stream.close() if chunk is None else stream.feed(chunk)


@pytest.mark.parametrize(
    ("start", "end", "arg", "message"),
    [
        ("", "E", "A", "the start marker is empty"),
        ("S", "E\n", "A", "the end marker 'E\\\\n' contains a line end"),
        ("!!", "!!!", "A", "the start marker '!!' is a prefix of the end marker '!!!'"),
        ("S", "A", "A", "is a prefix of"),
    ],
)
def test_markers_that_cannot_be_told_apart_are_refused(start: str, end: str, arg: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Markers(start, end, arg)


def test_a_call_has_all_its_problems_and_the_first_is_its_error() -> None:
    (call,) = calls_of("!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:b/1\n2\n!!!ARG:a\n3\n!!!ARG:toString/x\n4\n")
    assert call.parameters is None
    assert (call.error, call.error_kind) == ("Array index gap: expected 0, got 1", "array_gap")
    assert [(p.kind, p.pointer, p.argument) for p in call.problems] == [
        ("array_gap", "b/1", 1), ("duplicate_pointer", "a", 2), ("unsafe_pointer", "toString/x", 3),
    ]  # fmt: skip


def test_an_argument_tells_what_it_loses() -> None:
    (call,) = calls_of(
        "!!!GADGET_START:G\n!!!ARG:a/b\n9007199254740993\n!!!ARG:\nlost\n!!!ARG:a\n1\n!!!ARG:__proto__\nx\n"
        "!!!ARG:code\n```js\nx\n``` \n\n!!!GADGET_END"
    )
    assert [(a.pointer, a.value, [tuple(loss) for loss in a.losses]) for a in call.arguments] == [
        ("a/b", 9007199254740992, [("digits", "9007199254740993")]),
        ("", "lost", [("blank_pointer", "lost")]),
        ("a", 1, [("overwrites", "a")]),
        ("__proto__", "x", [("ignored", "x")]),
        ("code", "```js\nx", [("fence", "```"), ("space", " \n")]),
    ]
    assert call.parameters == {"a": 1, "code": "```js\nx"}
