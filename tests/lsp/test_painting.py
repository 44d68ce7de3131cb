"""Semantic tokens in the numbers of the protocol, read back as a client does."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from examples import examples
from laws.texts import GADGET, STF, texts
from llmblocks.contents.content import Content
from llmblocks.contract.paint import ROLES
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.table import TABLE
from llmblocks.lsp.documents.places import Encoding
from llmblocks.lsp.documents.text import AnalysedText, Languages
from llmblocks.lsp.documents.tokens import between
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.settings.values import DEFAULTS, Settings
from llmblocks.tags.syntax import Tag


def opened(text: str, language: str, encoding: Encoding) -> AnalysedText:
    found = Languages(DEFAULTS).open(text, language, "", encoding)
    assert found is not None
    return found


def read(text: str, numbers: list[int], encoding: Encoding) -> list[tuple[str, str]]:
    """Return the colours of a client: role and text of each token."""
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    lines = [line.encode(codec, "surrogatepass") for line in re.split(r"\r\n|\n|\r", text)]
    found = []
    line = character = 0
    for down, across, length, role, _ in (numbers[at : at + 5] for at in range(0, len(numbers), 5)):
        line, character = line + down, across if down else character + across
        units = lines[line][character * width : (character + length) * width]
        assert len(units) == length * width, "a token ends on its line"
        found.append((ROLES[role], units.decode(codec, "surrogatepass")))
    return found


def test_a_very_large_document_is_coloured_by_ranges_alone() -> None:
    call = "!!!GADGET_START:G\n!!!ARG:a\n" + "x" * 4096 + "\n!!!GADGET_END\n"
    small, large = opened(call, "gadget", "utf-16"), opened(call * 1100, "gadget", "utf-16")
    span = {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}}
    whole, _, between = (each for each in TABLE if "semanticTokens" in each.method)
    assert data(whole.reply(Asker(small, {})))
    assert data(whole.reply(Asker(large, {}))) == []
    assert data(between.reply(Asker(large, span)))


def data(answer: Any) -> list[int]:
    numbers: list[int] = answer["data"]
    return numbers


def test_tokens_that_are_not_those_told_last_are_reported_whole() -> None:
    document = opened("!!!GADGET_START:G\n", "gadget", "utf-16")
    assert "data" in document.sent_tokens.delta(document, "1")
    assert "data" in document.sent_tokens.delta(document, "7")
    assert document.sent_tokens.delta(document, "2") == {"resultId": "3", "edits": []}


def test_a_range_has_the_tokens_of_what_it_touches_and_no_others() -> None:
    call = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!GADGET_END\n"
    document = opened(call * 5, "gadget", "utf-16")
    numbers = data(between(document, document, len(call) + 3, len(call) * 2 + 1))
    assert read(call * 5, numbers, "utf-16") == [
        ("keyword", "!!!GADGET_START:"),
        ("function", "G"),
        ("keyword", "!!!ARG:"),
        ("property", "a"),
        ("keyword", "!!!GADGET_END"),
        ("keyword", "!!!GADGET_START:"),
    ]
    assert numbers[0] == 4, "the second call begins on the fifth line"
    # what only touches an end of the range is not in it
    numbers = data(between(document, document, len("!!!GADGET_START:"), len("!!!GADGET_START:G\n")))
    assert read(call * 5, numbers, "utf-16") == [("function", "G")]


BLOCKS = Settings(
    tags=("calls", "chat"), declared_tags=(Tag("calls", content=Content("gadget")), Tag("chat", content=Content("stf")))
)


@pytest.mark.parametrize(("tag", "kind", "language"), [("calls", "gadget", "custom-blocks"), ("chat", "stf", "gadget")])
def test_a_block_of_another_language_has_the_colours_of_a_document(tag: str, kind: str, language: str) -> None:
    @hypothesis_settings(max_examples=examples(60), deadline=None)
    @given(texts(GADGET if kind == "gadget" else STF), st.booleans(), st.integers(0, 200), st.integers(0, 200))
    def law(inner: str, is_long: bool, start: int, size: int) -> None:
        inner = f"\n{inner}" + "a line that is long\n" * (900 if is_long else 0)
        text = f"Hi\n<{tag}>{inner}</{tag}>\n"
        document = Languages(BLOCKS).open(text, language, "", "utf-16")
        alone = Languages(BLOCKS).open(inner, kind, "", "utf-16")
        assert document is not None
        assert alone is not None
        whole, expected = (each.sent_tokens.full(each)["data"] for each in (document, alone))
        assert read(text, whole, "utf-16")[3:-3] == read(inner, expected, "utf-16")
        # a range of it, and all of it after a key
        some = read(text, between(document, document, start, start + size)["data"], "utf-16")
        every = read(text, whole, "utf-16")
        assert not some or any(every[at : at + len(some)] == some for at in range(len(every)))
        place = LspRange(1, len(tag) + 2, 1, len(tag) + 2)
        document.apply(LspChange(place, "x"))
        fresh = Languages(BLOCKS).open(document.document.text, language, "", "utf-16")
        assert fresh is not None
        assert document.sent_tokens.full(document) == {**fresh.sent_tokens.full(fresh), "resultId": "2"}

    law()
