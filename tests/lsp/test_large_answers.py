"""Answers about large documents, and the colours of a block of another language."""

from __future__ import annotations

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
from llmblocks.lsp.documents.text import AnalysedText, Languages
from llmblocks.lsp.documents.tokens import between
from llmblocks.lsp.wire.limits import MAX_OUTLINED
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.settings.values import DEFAULTS, Settings
from llmblocks.tags.syntax import Tag
from oracle.places import Places

CALL = "!!!GADGET_START:Do:a\n!!!ARG:b\nc\n!!!GADGET_END\n"
UNITS = {
    "gadget": (CALL, ["Do:a"]),
    "stf": (f"@ai\n{CALL}@user id=u\nd\n", ["assistant: !!!GADGET_START:Do:a", "user u: d"]),
    "request": (f"=== USER ===\nhi\n\n=== ASSISTANT ===\n{CALL}", ["user: hi", "assistant"]),
}


def opened(text: str, language: str, settings: Settings = DEFAULTS) -> AnalysedText:
    found = Languages(settings).open(text, language, "", "utf-16")
    assert found is not None
    return found


def answer(method: str, text: str, language: str, params: Any = None) -> Any:
    (feature,) = (each for each in TABLE if each.method == f"textDocument/{method}")
    return feature.reply(Asker(opened(text, language), params or {}))


@pytest.mark.slow
@pytest.mark.parametrize("language", UNITS)
def test_an_outline_of_too_many_symbols_has_what_is_outermost_and_ends_with_a_last_one(language: str) -> None:
    unit, names = UNITS[language]
    assert any(each.get("children") for each in answer("documentSymbol", unit * 9, language))
    # the outermost symbols are within the limit, and all of them are not
    units = MAX_OUTLINED // len(names)
    outermost = answer("documentSymbol", unit * units, language)
    assert [each["name"] for each in outermost] == names * units
    assert not any(each.get("children") for each in outermost)
    text = unit * (units + 9)
    *first, rest = answer("documentSymbol", text, language)
    assert [each["name"] for each in first] == names * units
    assert rest["name"] == "… (the outline ends here)"
    assert rest["range"] == Places(text, "utf-16").range(len(unit) * units, len(text))


def test_a_very_large_document_is_coloured_by_ranges_alone() -> None:
    call = "!!!GADGET_START:G\n!!!ARG:a\n" + "x" * 4096 + "\n!!!GADGET_END\n"
    span = {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}}
    assert answer("semanticTokens/full", call, "gadget")["data"]
    assert answer("semanticTokens/full", call * 1100, "gadget")["data"] == []
    assert answer("semanticTokens/range", call * 1100, "gadget", span)["data"]


def read(text: str, numbers: list[int]) -> list[tuple[str, str]]:
    """Return the colours of a client: role and text of each token."""
    places, found, line, character = Places(text, "utf-16"), [], 0, 0
    for down, across, length, role, _ in (numbers[at : at + 5] for at in range(0, len(numbers), 5)):
        line, character = line + down, across if down else character + across
        start, end = (places.offset({"line": line, "character": at}) for at in (character, character + length))
        found.append((ROLES[role], text[start:end]))
    return found


def test_a_range_has_the_tokens_of_what_it_touches_and_no_others() -> None:
    document = opened(CALL * 5, "gadget")
    name = [("keyword", "!!!GADGET_START:"), ("function", "Do"), ("variable", "a")]
    body = [("keyword", "!!!ARG:"), ("property", "b"), ("keyword", "!!!GADGET_END"), ("keyword", "!!!GADGET_START:")]
    begun = len("!!!GADGET_START:")
    for start, end, expected in (
        (len(CALL) + 3, len(CALL) * 2 + 1, [*name, *body]),
        # what only touches an end of the range is not in it
        (begun, begun + 2, name[1:2]),
    ):
        assert read(CALL * 5, between(document, document, start, end)["data"]) == expected


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
        document, alone = opened(text, language, BLOCKS), opened(inner, kind, BLOCKS)
        every, expected = (each.sent_tokens.full(each)["data"] for each in (document, alone))
        assert read(text, every)[3:-3] == read(inner, expected)
        # a range of it, and all of it after a key
        some = read(text, between(document, document, start, start + size)["data"])
        whole = read(text, every)
        assert not some or any(whole[at : at + len(some)] == some for at in range(len(whole)))
        place = LspRange(1, len(tag) + 2, 1, len(tag) + 2)
        document.apply(LspChange(place, "x"))
        fresh = opened(document.document.text, language, BLOCKS)
        assert document.sent_tokens.full(document) == {**fresh.sent_tokens.full(fresh), "resultId": "2"}

    law()
