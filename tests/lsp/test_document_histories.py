"""Texts edited through the protocol's eyes are what the specification makes of the same changes."""

from __future__ import annotations

from random import Random

import pytest

from examples import LAWS
from llmblocks.lsp.documents.places import Encoding
from llmblocks.lsp.documents.text import AnalysedText, Languages
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.settings.values import DEFAULTS
from lsp.naive_text import edited, lines_of, offset_of, position_of

PIECES = (
    *("a", "word ", "\n", "\n\n", "\r\n", "\r", "\r\r\n", "\u2028", "\x85", "\x0b\x0c\x1c", "\0", "é", "中"),
    *("\U0001f600", "e\u0301", "\ud83d", "\ude00", "!!!GADGET_START:Write:w1\n", "!!!ARG:path\n"),
    *("!!!GADGET_END", "!!!GADGET_END\r\n", "\n@user\n", "@/*\n", "@*/\n", "<think>", "</think>\n"),
)
HISTORIES = 8 * LAWS
BATCH = 1_000
LANGUAGES = Languages(DEFAULTS)


def open_as(text: str, language_id: str, encoding: Encoding) -> AnalysedText:
    opened = LANGUAGES.open(text, language_id, "file:///a", encoding)
    assert opened is not None
    return opened


def some_text(random: Random, most: int) -> str:
    return "".join(random.choices(PIECES, k=random.randrange(most)))


def some_place(random: Random, text: str) -> tuple[int, int]:
    """Mostly on a line, at times after its end or after the text."""
    lines = lines_of(text)
    line = random.randrange(len(lines) + 2)
    longest = len(lines[line][1]) if line < len(lines) else 3
    return line, random.choice((random.randrange(longest + 2), random.randrange(2 * longest + 9), 1 << 31))


@pytest.mark.parametrize("batch", range(max(HISTORIES // BATCH, 1)))
def test_a_random_history_gives_the_text_and_places_of_the_oracle(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        random = Random(seed)
        encoding: Encoding = ("utf-8", "utf-16", "utf-32")[seed % 3]
        expected = some_text(random, 30)
        text = open_as(expected, random.choice(("gadget", "stf", "custom-blocks")), encoding)
        for _ in range(random.randrange(1, 8)):
            new = some_text(random, 5)
            if random.random() < 0.1:
                whole = random.choice((expected.replace("a", new), some_text(random, 30)))
                text.apply(LspChange(None, whole))
                expected = whole
            else:
                start, end = some_place(random, expected), some_place(random, expected)
                end = start if random.random() < 0.4 else end
                text.apply(LspChange(LspRange(*start, *end), new))
                expected = edited(expected, start, end, new, encoding)
            place = some_place(random, expected)
            assert text.offset(*place) == offset_of(expected, *place, encoding), seed
        assert text.document.text == expected, seed
        offset = random.randrange(len(expected) + 1)
        assert text.position(offset) == position_of(expected, offset, encoding), seed


def test_diagnostics_move_when_the_last_lone_return_goes() -> None:
    text = open_as("\r\n<think>", "custom-blocks", "utf-8")
    text.apply(LspChange(LspRange(0, 0, 0, 0), "\r"))
    before = text.diagnostics()
    text.apply(LspChange(LspRange(0, 0, 1, 0), ""))
    after = open_as(text.document.text, "custom-blocks", "utf-8").diagnostics()
    assert text.diagnostics() == after != before


def test_a_return_that_is_typed_ends_the_line() -> None:
    text = open_as("ab\n", "gadget", "utf-16")
    for place, new in (((0, 0), "x"), ((0, 2), "\r"), ((0, 3), "y")):
        text.apply(LspChange(LspRange(*place, *place), new))
    assert text.document.text == "xay\rb\n"
