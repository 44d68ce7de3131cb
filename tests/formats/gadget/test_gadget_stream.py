"""The events of a gadget stream, their time, and the problems of pointers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from formats.gadget.gadget_cases import arguments, calls_of
from formats.gadget.gadget_model import as_float, events_of
from formats.gadget.gadget_pieces import any_text, chunkings
from formats.gadget.llmist_peer import run_llmist
from llmblocks.gadget import (
    ArgDelta,
    ArgEnded,
    ArgStarted,
    CallEnded,
    CallStarted,
    Event,
    GadgetCall,
    GadgetStream,
    Markers,
    Text,
)
from llmblocks.gadget.syntax.pointer import INHERITED
from llmblocks.gadget.syntax.values import METHODS

# Markers that begin alike, contain one another, or can overlap, and the characters to make texts of them.
AWKWARD = [
    Markers(),
    *[Markers(*each) for each in (("[", "]", "~"), ("##s ", "#e", "--"), ("<<", ">>", "<>"), ("aa", "ab", "ba"))],
    *[Markers(*each) for each in (("xENDy", "END", "-"), ("S", "E", "aEb"), ("SS", "bE", "ab"), ("S", "E", "```"))],
    *[Markers(*each) for each in (("S", "E", "aa"), ("S", "ba", "aba"), (" s", "e ", " a "), ("bY", "ab", "-"))],
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


def read(*pairs: tuple[str, str]) -> GadgetCall:
    return calls_of(arguments(*pairs))[0]


@pytest.mark.parametrize(
    ("value", "pointer"),
    [("text", "a/at/x"), ("5", "a/toFixed/x"), ("1.5", "a/toFixed/x"), ("text", "a/0/at/x"), ("text", "a/at/0"),
     ("text", "a/length/toFixed/x"), ("text", "a/at/prototype/x"), ("true", "a/valueOf/x")],
)  # fmt: skip
def test_a_pointer_into_a_method_is_unsafe(value: str, pointer: str) -> None:
    call = read(("a", value), (pointer, "2"))
    assert call.error_kind == "unsafe_pointer"
    assert call.error is not None
    assert call.error.startswith(f"Unsafe pointer: {pointer} — ")
    assert call.arguments[1].problem == (call.error_kind, call.error)


@pytest.mark.parametrize(("value", "pointer"), [("text", "a/toFixed/x"), ("5", "a/at/x"), ("true", "a/toFixed/x")])
def test_a_method_of_another_type_is_none(value: str, pointer: str) -> None:
    assert read(("a", value), (pointer, "2")).error_kind == "scalar_parent"


def test_llmist_writes_into_every_method_that_is_refused() -> None:
    kinds = ((str, "text"), (int, "5"), (bool, "true"))
    pairs = [(value, name) for kind, value in kinds for name in sorted(METHODS[kind] | INHERITED)]
    cases = [{"chunks": [arguments(("a", value), (f"a/{name}/x", "2"))], "options": {}} for value, name in pairs]
    for (value, name), result in zip(pairs, run_llmist(cases), strict=True):
        assert result["events"][-1]["call"]["parseError"] is None, (value, name)


def test_a_quoted_text_is_shortened() -> None:
    call = read(("s", "x" * 1000), ("s/b", "1"), ("s/1", "1"))
    shown = "x" * 99 + "…"
    assert [problem.message for problem in call.problems] == [
        f"Cannot create property 'b' on string '{shown}'",
        f"Cannot assign to read only property '1' of string '{shown}'",
    ]


@pytest.mark.parametrize("text", ["ab", "éa", "a😀", "\ud800x"])
def test_the_characters_of_a_text_are_those_of_utf_16(text: str) -> None:
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    call = read(("s", text), *((f"s/{number}", "1") for number in range(units + 1)), ("s/length/x", "1"))
    assert [problem.message.split(" '")[0] for problem in call.problems] == [
        *["Cannot assign to read only property"] * units, *["Cannot create property"] * 2,
    ]  # fmt: skip
    assert call.problems[-1].message == f"Cannot create property 'x' on number '{units}'"
