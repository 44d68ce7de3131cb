"""The search for names: the better a name fits, the earlier it comes."""

from __future__ import annotations

import pytest

from llmblocks.features.outline import landmarks, ranking
from llmblocks.languages.ask import ask_all
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS

NAMES = ("ReadFile", "read", "Reader", "unread_file", "spread", "rear_end_a_d", "XMLRead", "write", "2read", "")


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("read", ["read", "Reader", "ReadFile", "2read", "XMLRead", "spread", "unread_file", "rear_end_a_d"]),
        ("READ", ["read", "Reader", "ReadFile", "2read", "XMLRead", "spread", "unread_file", "rear_end_a_d"]),
        ("file", ["ReadFile", "unread_file"]),
        ("read file", ["ReadFile", "unread_file"]),
        ("rf", ["ReadFile", "unread_file"]),
        ("xr", ["XMLRead"]),
        (".", []),
        ("readx", []),
    ],
)
def test_names_come_in_the_order_in_which_they_fit(typed: str, wanted: list[str]) -> None:
    rank = ranking(typed)
    found = sorted((fits, name) for name in NAMES if name and (fits := rank(name)) is not None)
    assert [name for _, name in found] == wanted


def test_everything_fits_nothing() -> None:
    rank = ranking("")
    assert all(rank(name) is not None for name in NAMES)


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [
        ("!!!GADGET_START:⟦Read⟧:⟦r1⟧:r0\n!!!ARG:a\nb\n!!!GADGET_END\n!!!GADGET_START:⟦Read⟧\n", "gadget"),
        (
            "@user id='⟦m1⟧'\n<⟦think⟧ a='b'>x</think>\n@ai\n@call name=x id=⟦c1⟧\n{}\n@tool call_id=c1\n"
            "!!!GADGET_START:⟦Read⟧:⟦r1⟧\n",
            "stf",
        ),
        ("<⟦think⟧>a<think>b</think> <x> <⟦answer⟧/>", "custom-blocks"),
    ],
)
def test_gadgets_ids_and_blocks_can_be_found(marked: str, language_id: str) -> None:
    language = find_language(language_id)
    text = marked.replace("⟦", "").replace("⟧", "")
    places: list[tuple[int, int]] = []
    begun = removed = 0
    for at, character in enumerate(marked):
        if character == "⟦":
            begun = at - removed
        elif character == "⟧":
            places.append((begun, at - removed))
        removed += character in "⟦⟧"
    found = [*landmarks(ask_all(language.open(text, DEFAULTS), language, DEFAULTS))]
    spans = [(each.name, each.start, each.end) for each in found]
    assert sorted(span[1:] for span in spans) == places
    assert all(text[start:end] == name for name, start, end in spans)
