"""Every refactoring keeps what it says it keeps, on documents full of mistakes; judged by what the library decodes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import LAWS
from laws.test_fixes import OTHER, read
from llmblocks import Settings
from llmblocks.core.edits import Edit, edited
from llmblocks.features.refactoring import refactorings
from llmblocks.gadget import GadgetCall
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language
from llmblocks.refactors.refactoring import Offer, Refactoring
from llmblocks.refactors.registry import REFACTORINGS
from llmblocks.stf import decode
from llmblocks.tags import CustomBlock
from oracle.texts import texts

THOROUGH = settings(max_examples=LAWS, deadline=None, suppress_health_check=list(HealthCheck))
CALL = "!!!GADGET_START:G\n{}!!!GADGET_END\n"
JSON = (
    '{"a": 1, "b": {"c": ["x\\n@user", true]}}\n',
    '{"a": "1"}\n',
    '{"x/y": 1}\n',
    '[{"a": "!!!ARG:b"}]\n',
    "```json\n",
)
GADGET = (
    *[CALL.format(each) for each in JSON],
    *[CALL.format(f"!!!ARG:v\n{each}!!!ARG:w\n\n@x\n") for each in JSON],
    CALL.format("!!!ARG:i/0/a\n1\n!!!ARG:i/0/b\n x\n!!!ARG:i/1/a\ny\n```\n"),
    CALL.format("!!!ARG:i/1\nv\n!!!ARG: i/1 \nw\n!!!ARG:i/05\nu\n"),
)
PIECES = {
    "gadget": GADGET,
    "stf": (
        *GADGET,
        "@user name='A b'\n",
        "words\nmore words\n\n",
        "@embed\na.png\n",
        "@@x\n",
        ";y\n",
        "@/*\n",
        "@*/\n",
    ),
    "custom-blocks": ("<think>\nwords\n</think>\n", "<think>x</think> y\n"),
}


def documents(language_id: str) -> st.SearchStrategy[str]:
    pieces = st.lists(st.sampled_from((*PIECES[language_id], "a\n", " b")), max_size=6).map("".join)
    return st.one_of(
        texts(language_id, 8), st.builds("{}{}{}".format, texts(language_id, 3), pieces, texts(language_id, 3))
    )


def places(ask: Ask) -> list[int]:
    """Where there may be something to do: where tokens end, and where lines begin."""
    text = ask.document.text
    ends = accumulate([token.width for token in ask.document.tokens()], initial=0)
    lines = [at + 1 for at, character in enumerate(text) if character == "\n"]
    return sorted({0, *ends, *lines, len(text)} - {at for at in range(len(text)) if text[at - 1 : at + 1] == "\r\n"})


Read = tuple[Any, list[GadgetCall], list[Any]]


def told(call: GadgetCall) -> tuple[object, ...]:
    # calls without an id are numbered, so that a new one changes those behind it
    return call.name, repr(call.parameters), repr([(each.pointer, each.value) for each in call.arguments])


def differing(old: Read, new: Read) -> tuple[GadgetCall, GadgetCall] | None:
    """The one call that has changed; None if none has."""
    assert len(old[1]) == len(new[1])
    pairs = [(one, other) for one, other in zip(old[1], new[1], strict=True) if told(one) != told(other)]
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
        assert ask.language.id == "stf"  # in front of the first message nobody reads a call
        return
    before, after = [[repr(each.value) for each in call.arguments] for call in pair]
    assert before == after


def same_messages(_: Ask, offer: Offer, old: Read, new: Read) -> None:
    if not offer.refused:
        assert repr(old[0]) == repr(new[0])


def words(found: Read) -> tuple[str, list[str], list[Any]]:
    """The words, those in blocks, which are read behind the others of their message, and the calls."""
    text = "".join([each for each in found[2] if isinstance(each, str)])
    inside = ["".join(each.content.split()) for each in found[2] if isinstance(each, CustomBlock)]
    return "".join(text.split()), inside, [told(call) for call in found[1]]


def same_words(_: Ask, __: Offer, old: Read, new: Read) -> None:
    assert words(old) == words(new)


def one_more_call(ask: Ask, _: Offer, old: Read, new: Read) -> None:
    (made,) = (Counter(map(told, new[1])) - Counter(map(told, old[1]))).elements()
    assert not Counter(map(told, old[1])) - Counter(map(told, new[1]))
    (call,) = [call for call in new[1] if told(call) == made][:1]
    text = ask.document.slice(ask.start, ask.end)
    assert "".join(call.arguments[0].received.split()) in ("".join(text.split()), "".join(_unescaped(text).split()))


def _unescaped(text: str) -> str:
    return (
        text.replace("\n@@", "\n@")
        .replace("\n;;", "\n;")
        .removeprefix("@@"[:1] if text[:2] == "@@" else "")
        .removeprefix(";"[:1] if text[:2] == ";;" else "")
    )


def blocks(found: Read) -> Counter[str]:
    return Counter(repr(each) for each in found[2] if isinstance(each, CustomBlock))


def one_more_block(_: Ask, __: Offer, old: Read, new: Read) -> None:
    assert [told(call) for call in old[1]] == [told(call) for call in new[1]]
    assert not blocks(old) - blocks(new)
    assert (blocks(new) - blocks(old)).total() == 1


def one_less_block(ask: Ask, offer: Offer, old: Read, new: Read) -> None:
    one_more_block(ask, offer, new, old)


def is_text(ask: Ask, offer: Offer, _: Read, new: Read) -> None:
    start = ask.document.line_start(ask.document.position(ask.start)[0])
    end = ask.document.line_start(ask.document.position(max(ask.end - 1, ask.start))[0] + 1)
    text = ask.document.slice(start, end).replace("\r", "").strip("\n")
    transcript = decode(edited(ask.document.text, offer.edits))
    assert any(text in each.text.replace("\r", "") for each in transcript.messages)


def anything(_: Ask, __: Offer, ___: Read, ____: Read) -> None:
    """Its lines or its blanks are all that it changes."""


PROMISES: dict[str, Callable[[Ask, Offer, Read, Read], None]] = {
    "json-to-arguments": says_the_same,
    "arguments-to-json": says_the_same,
    "renumber": has_its_values,
    "new-message": same_words,
    "join-message": same_words,
    "convert-dialect": same_messages,
    "escape-lines": is_text,
    "break-markers": anything,
    "toggle-comment": anything,
    "uncomment-block": anything,
    "wrap-in-call": one_more_call,
    "wrap-in-block": one_more_block,
    "unwrap-block": one_less_block,
}


def test_each_refactoring_makes_a_promise() -> None:
    assert PROMISES.keys() == {row.name for row in REFACTORINGS}


def offered(ask: Ask) -> Iterator[tuple[Refactoring, Offer]]:
    for row, offer in refactorings(ask):
        yield row, offer.later() if offer.later else offer


@pytest.mark.parametrize("language_id", ["gadget", "stf", "custom-blocks"])
def test_a_refactoring_keeps_what_it_says(language_id: str) -> None:
    seen: Counter[str] = Counter()

    @THOROUGH
    @given(documents(language_id), st.integers(0, 1 << 30), st.integers(0, 12), st.booleans())
    def law(text: str, at: int, length: int, with_others: bool) -> None:
        chosen = Settings(markers=OTHER) if with_others else Settings()
        if with_others:
            for one, other in (("!!!GADGET_START:", OTHER.start), ("!!!GADGET_END", OTHER.end), ("!!!ARG:", OTHER.arg)):
                text = text.replace(one, other)
        language = find_language(language_id)
        ask = Ask(language.open(text, chosen), language, chosen, 0, 0)
        possible = places(ask)
        first = at % len(possible)
        for last in {first, min(first + length, len(possible) - 1)}:
            ask = Ask(ask.document, language, chosen, possible[first], possible[last])
            old = read(text, language_id, chosen)
            for row, offer in offered(ask):
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
