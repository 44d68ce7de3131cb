"""Random texts through all that the server does with a text: nothing raises, edits agree with a fresh parse."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz.traffic import PIECES
from llmblocks.core import sequence
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.lsp.answers.ask import Asker, Feature
from llmblocks.lsp.answers.table import TABLE
from llmblocks.lsp.documents.places import Encoding
from llmblocks.lsp.documents.text import AnalysedText, Languages
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.lsp.wire.rpc import RequestError
from llmblocks.settings.values import Settings
from llmblocks.tags.syntax import Attribute, Tag
from oracle import texts as rich

EXAMPLES = int(40 * float(os.environ.get("LLMBLOCKS_FUZZ_SECONDS", "5")))
TYPES = {"a": "boolean", "list": "array", "r": "object"}
PROPERTIES = {name: {"type": kind} for name, kind in TYPES.items()}
SCHEMA = {"type": "object", "properties": PROPERTIES, "required": ["a"]}
SETTINGS = Settings(
    gadgets=Gadgets((GadgetSchema("A", "Does it.", SCHEMA), GadgetSchema("Sum"))),
    declared_tags=(Tag("think", "", (Attribute("depth", True, "", ("1", "2")),)),),
    tags=("think", "tool", "answer"),
)
LANGUAGES = Languages(SETTINGS)
URI = "file:///w/a"
_UNORDERED = ("textDocument/foldingRange", "textDocument/codeLens")

places = st.tuples(st.integers(0, 12), st.integers(0, 30))
encodings = st.sampled_from(("utf-8", "utf-16", "utf-32"))


def texts(language_id: str, most: int) -> st.SearchStrategy[str]:
    pieces = st.sampled_from(rich.PIECES.get(language_id, rich.GADGET))
    return st.lists(st.one_of(st.sampled_from(PIECES), pieces), max_size=most).map("".join)


def told(text: AnalysedText, at: tuple[int, int], typed: str) -> list[Any]:
    """Return every answer about a text, as JSON values."""
    line, character = at
    place = {"line": line, "character": character}
    span = {"start": place, "end": {"line": line + 3, "character": character}}
    params: dict[str, Any] = {"textDocument": {"uri": URI}, "position": place, "range": span, "newName": "x"}
    params |= {"context": {"diagnostics": [], "includeDeclaration": True, "triggerKind": 1}, "query": "a"}
    params |= {"positions": [place], "options": {"tabSize": 2, "insertSpaces": True}, "ch": typed}
    answers = [_answer(feature, params, text) for feature in TABLE]
    return [*answers, text.diagnostics()]


def _answer(feature: Feature, params: Any, text: AnalysedText) -> object:
    try:
        answer = feature.reply(Asker(text, params, uri=URI))
        # folds and lenses have no order: they come in that in which they were found
        return sorted(answer, key=str) if feature.method in _UNORDERED else answer
    except RequestError as refusal:
        # a name that cannot be renamed
        return refusal.message


@pytest.mark.parametrize("language_id", ["gadget", "request", "stf", "custom-blocks"])
def test_an_edited_text_tells_what_the_same_text_opened_tells(
    language_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sequence, "_SIZE", 4)
    edits = st.lists(st.tuples(places, places, texts(language_id, 4)), max_size=6)
    looks = st.lists(st.tuples(places, st.sampled_from("/\n>:!@")), min_size=1, max_size=3)

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(texts(language_id, 30), edits, encodings, looks)
    def holds(start: str, changes: list[Any], encoding: Encoding, looks: list[Any]) -> None:
        text = LANGUAGES.open(start, language_id, URI, encoding)
        assert text is not None
        for number, (first, last, new) in enumerate(changes):
            text.apply(LspChange(LspRange(*first, *last), new))
            # changes on one line may wait until somebody asks
            if number % 2:
                text.diagnostics()
        fresh = LANGUAGES.open(text.document.text, language_id, URI, encoding)
        assert fresh is not None
        for place, typed in looks:
            assert told(text, place, typed) == told(fresh, place, typed)

    holds()
