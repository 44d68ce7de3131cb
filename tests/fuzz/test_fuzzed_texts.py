"""Random texts through all that the server does with a text: nothing raises, edits agree with a fresh parse."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz.traffic import PIECES
from llmblocks.lsp.answers.ask import Asker, Feature
from llmblocks.lsp.answers.table import TABLE
from llmblocks.lsp.documents.places import Encoding
from llmblocks.lsp.documents.text import AnalysedText, Languages
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.lsp.wire.rpc import RequestError
from llmblocks.settings.values import DEFAULTS

EXAMPLES = int(40 * float(os.environ.get("LLMBLOCKS_FUZZ_SECONDS", "5")))
LANGUAGES = Languages(DEFAULTS)
URI = "file:///w/a"
_UNORDERED = ("textDocument/foldingRange", "textDocument/codeLens")

texts = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
places = st.tuples(st.integers(0, 12), st.integers(0, 30))
edits = st.lists(st.tuples(places, places, st.lists(st.sampled_from(PIECES), max_size=4).map("".join)), max_size=6)
encodings = st.sampled_from(("utf-8", "utf-16", "utf-32"))


def open_as(text: str, language_id: str, encoding: Encoding) -> AnalysedText:
    opened = LANGUAGES.open(text, language_id, URI, encoding)
    assert opened is not None
    return opened


def told(text: AnalysedText, line: int, character: int) -> list[Any]:
    """Return all that a client can be reported of a text, as JSON values."""
    place = {"line": line, "character": character}
    span = {"start": place, "end": {"line": line + 3, "character": character}}
    params: dict[str, Any] = {"textDocument": {"uri": URI}, "position": place, "range": span, "newName": "x", "ch": "/"}
    params |= {"context": {"diagnostics": [], "includeDeclaration": True, "triggerKind": 1}, "query": "a"}
    params |= {"positions": [place], "options": {"tabSize": 2, "insertSpaces": True}}
    answers = [_answer(feature, params, text) for feature in TABLE]
    return [text.diagnostics(), *answers]


def _answer(feature: Feature, params: Any, text: AnalysedText) -> object:
    try:
        answer = feature.reply(Asker(text, params, uri=URI))
        # folds and lenses have no order: they come in that in which they were found
        return sorted(answer, key=str) if feature.method in _UNORDERED else answer
    except RequestError as refusal:
        # a name that cannot be renamed
        return refusal.message


@pytest.mark.parametrize("language_id", ["gadget", "request", "stf", "custom-blocks"])
def test_an_edited_text_tells_what_the_same_text_opened_tells(language_id: str) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(texts, edits, encodings, places)
    def holds(start: str, changes: list[Any], encoding: Encoding, place: tuple[int, int]) -> None:
        text = open_as(start, language_id, encoding)
        for first, last, new in changes:
            text.apply(LspChange(LspRange(*first, *last), new))
            text.diagnostics()
        fresh = open_as(text.document.text, language_id, encoding)
        assert told(text, *place) == told(fresh, *place)

    holds()
