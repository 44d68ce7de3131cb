"""Semantic tokens in the numbers of the protocol, read back as a client does."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

from laws.texts import GADGET, STF, TAGS, texts
from llmblocks.core.paint import ROLES
from llmblocks.features.paint import paint, painted
from llmblocks.lsp.answers.ask import read_ask
from llmblocks.lsp.answers.table import TABLE
from llmblocks.lsp.answers.tokens import encode
from llmblocks.lsp.documents.columns import Encoding
from llmblocks.lsp.documents.text import Languages, Text
from llmblocks.settings.values import DEFAULTS


def opened(text: str, language: str, encoding: Encoding) -> Text:
    found = Languages(DEFAULTS).open(text, language, "", encoding)
    assert found is not None
    return found


def read(text: str, numbers: list[int], encoding: Encoding) -> list[tuple[str, str]]:
    """What a client colours: role and text of each token."""
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


@pytest.mark.parametrize("language", ["gadget", "stf", "custom-blocks"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_a_client_colours_what_is_painted(language: str, encoding: Encoding) -> None:
    @hypothesis_settings(max_examples=300, deadline=None)
    @given(texts(GADGET, STF, TAGS))
    def law(text: str) -> None:
        document = opened(text, language, encoding)
        sections = list(painted(read_ask({}, "document", document)))
        expected = [
            (each.role, placed.section.slice(each.start, each.end))
            for placed in sections
            for each in paint(placed.section, document.language.paint)
        ]
        numbers = json.loads(encode(iter(sections), document))["data"]
        assert read(text, numbers, encoding) == expected

    law()


def test_a_very_large_document_is_coloured_by_ranges_alone() -> None:
    call = "!!!GADGET_START:G\n!!!ARG:a\n" + "x" * 4096 + "\n!!!GADGET_END\n"
    small, large = opened(call, "gadget", "utf-16"), opened(call * 1100, "gadget", "utf-16")
    span = {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}}
    whole, between = (each for each in TABLE if "semanticTokens" in each.method)
    nothing: dict[str, list[int]] = {"data": []}
    assert whole.reply({}, small) != nothing
    assert whole.reply({}, large) == nothing
    assert between.reply(span, large) != nothing
