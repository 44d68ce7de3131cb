"""Every refactoring keeps what it says it keeps, on documents full of mistakes; judged by what the library decodes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from examples import LAWS
from laws import decoded
from laws.decoded import OTHER, Read, marked, read, values
from llmblocks import Settings
from llmblocks.core.edits import Edit, edited
from llmblocks.features.fixes import refactorings
from llmblocks.gadget import GadgetCall, Gadgets, GadgetSchema
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language
from llmblocks.refactors.refactoring import Offer
from llmblocks.refactors.refactorings import REFACTORINGS
from oracle.texts import texts

THOROUGH = settings(decoded.THOROUGH, max_examples=min(LAWS, 20_000))
CALL = "!!!GADGET_START:G\n{}!!!GADGET_END\n"
JSON = (
    *('{"a": 1, "b": {"c": ["x\\n@user", true]}}\n', '{"a": "1"}\n', '{"x/y": 1}\n', '[{"a": "!!!ARG:b"}]\n'),
    "```json\n",
)
GADGET = (
    *[CALL.format(each) for each in JSON],
    *[CALL.format(f"!!!ARG:v\n{each}!!!ARG:w\n\n@x\n") for each in JSON],
    CALL.format("!!!ARG:i/0/a\n1\n!!!ARG:i/0/b\n x\n!!!ARG:i/1/a\ny\n```\n"),
    CALL.format("").replace(":G", ":G:g:gadget_1"),
    CALL.format("!!!ARG:i/1\nv\n!!!ARG: i/1 \nw\n!!!ARG:i/05\nu\n"),
)
AT_SIGNS = (
    *("<think>@ai\nfoo</think>\n", "x <think>\n;user\nfoo</think>;flush\n", "mail @ai name=q, bob;user\nbye"),
    *("x@# y ;extra @/* z\n", "@@x ;;y @@@ ;;;\n", "a <think>b</think>@ai\n"),
)
"""Texts that would be commands at the start of a line."""
PIECES = {
    "gadget": GADGET,
    "stf": (
        *(*GADGET, *AT_SIGNS, "@user name='A b'\n", "words\nmore words\n\n", "@embed\na.png\n", "@# note\n", "@ai\n"),
        *(";user\n", ";extra\n{x: 1}\n;end\n", "@ai\n@call name=f\n{}\n", "@@x\n", ";y\n", "@/*\n", "@*/\n"),
    ),
}


def documents(language_id: str) -> st.SearchStrategy[str]:
    pieces = st.lists(st.sampled_from((*PIECES[language_id], "a\n", " b")), max_size=6).map("".join)
    return st.one_of(
        texts(language_id, 8), st.builds("{}{}{}".format, texts(language_id, 3), pieces, texts(language_id, 3))
    )


def places(ask: Ask, *, anywhere: bool) -> list[int]:
    """Where there may be something to do: where tokens end, and where lines begin."""
    text = ask.document.text
    if anywhere:
        return [at for at in range(len(text) + 1) if text[max(at - 1, 0) : at + 1] != "\r\n"]
    ends = accumulate([token.width for token in ask.document.tokens()], initial=0)
    lines = [at + 1 for at, character in enumerate(text) if character == "\n"]
    return sorted({0, *ends, *lines, len(text)} - {at for at in range(len(text)) if text[at - 1 : at + 1] == "\r\n"})


def differing(old: Read, new: Read) -> tuple[GadgetCall, GadgetCall] | None:
    """Return the one call that has changed; None if none has."""
    assert len(old[1]) == len(new[1])
    # calls without an id are numbered, so that a new one changes those after it
    pairs = [
        (one, other)
        for one, other in zip(old[1], new[1], strict=True)
        if (one.name, values(one)) != (other.name, values(other))
    ]
    assert len(pairs) <= 1
    return pairs[0] if pairs else None


def unfolded(value: Any) -> Any:
    """Parameters with the JSON in their texts read."""
    if isinstance(value, dict):
        return {key: unfolded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [unfolded(inner) for inner in value]
    if isinstance(value, str) and value.strip()[:1] in ("{", "["):
        try:
            return unfolded(json.loads(value))
        except ValueError:
            return value
    return value


def says_the_same(_: Ask, __: Offer, old: Read, new: Read) -> None:
    assert repr(old[2]) == repr(new[2])
    pair = differing(old, new)
    if pair is not None:
        before, after = [
            unfolded(
                call.parameters or json.loads(call.parameters_raw.strip().removeprefix("```json").removesuffix("```"))
            )
            for call in pair
        ]
        assert repr(before) == repr(after)


def has_its_values(ask: Ask, _: Offer, old: Read, new: Read) -> None:
    assert repr(old[2]) == repr(new[2])
    pair = differing(old, new)
    if pair is None:
        assert ask.language.id == "stf"  # before the first message nobody reads a call
        return
    before, after = [[repr(each.value) for each in call.arguments] for call in pair]
    assert before == after


def same_messages(_: Ask, offer: Offer, old: Read, new: Read) -> None:
    if not offer.refused:
        assert repr(old[0]) == repr(new[0])


PROMISES: dict[str, Callable[[Ask, Offer, Read, Read], None]] = {
    "json-to-arguments": says_the_same,
    "arguments-to-json": says_the_same,
    "renumber": has_its_values,
    "convert-dialect": same_messages,
}


def test_each_refactoring_makes_a_promise() -> None:
    assert PROMISES.keys() == {row.name for row in REFACTORINGS}


TEXTS = GadgetSchema("Say", "", {"type": "object", "properties": {"n": {"type": "number"}, "text": {"type": "string"}}})
ARGUMENTS = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:b/c\nx\n!!!GADGET_END\n"
SETTINGS = {
    "default": Settings(),
    "other markers": Settings(markers=OTHER),
    "a schema and tags": Settings(gadgets=Gadgets((TEXTS,)), tags=("answer", "think", "t")),
    "a role for text without one": Settings(default_role="user"),
    "the @ dialect": Settings(dialect="@"),
    "the ; dialect": Settings(dialect=";", default_role="x"),
}


@pytest.mark.parametrize("language_id", ["gadget", "stf"])
def test_a_refactoring_keeps_what_it_says(language_id: str) -> None:
    seen: Counter[str] = Counter()
    language = find_language(language_id)
    written = ("@ai\n" if language_id == "stf" else "") + ARGUMENTS

    @THOROUGH
    @example(written, written.index("1"), 0, "default", True)
    @given(
        documents(language_id), st.integers(0, 1 << 30), st.integers(0, 12), st.sampled_from([*SETTINGS]), st.booleans()
    )
    def law(text: str, at: int, length: int, settings: str, anywhere: bool) -> None:
        chosen = SETTINGS[settings]
        text = marked(text, chosen.markers)
        ask = Ask(language.open(text, chosen), language, chosen, 0, 0)
        possible = places(ask, anywhere=anywhere)
        first = at % len(possible)
        for last in {first, min(first + length, len(possible) - 1)}:
            ask = Ask(ask.document, language, chosen, possible[first], possible[last])
            old = read(text, language_id, chosen)
            for row, offer in refactorings(ask):
                seen[row.name] += not offer.refused
                assert bool(offer.edits) != bool(offer.refused)
                check_edits(offer.edits, text)
                PROMISES[row.name](ask, offer, old, read(edited(text, offer.edits), language_id, chosen))

    law()
    assert seen


def check_edits(edits: tuple[Edit, ...], text: str) -> None:
    assert all(0 <= each.start <= each.end <= len(text) for each in edits)
    assert all(one.end < other.start or one.end == other.start != one.start for one, other in pairwise(edits)), edits
    assert all(text[at - 1 : at + 1] != "\r\n" for each in edits for at in (each.start, each.end) if at)
