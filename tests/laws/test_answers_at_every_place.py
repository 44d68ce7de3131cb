"""Answers at a place do not depend on the history of edits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import LAWS
from llmblocks.core import sequence
from llmblocks.core.document import Document
from llmblocks.features.completion import complete, signature
from llmblocks.features.formatting import on_type
from llmblocks.features.marks import hints
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import Settings
from llmblocks.tags.syntax import Attribute, Tag
from oracle import whole
from oracle.client import applied
from oracle.texts import PIECES, Edit, edits, texts

_SHORT = 300
SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "boolean"}, "list": {"type": "array"}, "r": {"type": "object"}},
    "required": ["a"],
}
SETTINGS = Settings(
    gadgets=Gadgets((GadgetSchema("A", "Does it.", SCHEMA), GadgetSchema("Sum"))),
    declared_tags=(Tag("think", "", (Attribute("depth", True, "", ("1", "2")),)),),
    tags=("think", "tool", "answer"),
)


def answers(document: Document, language: Language, at: int) -> list[object]:
    ask = Ask(document, language, SETTINGS, at, at)
    typed = document.slice(at - 1, at)
    offered = [each._replace(more=None) for each in complete(ask)]
    return [offered, signature(ask), on_type(ask, typed) if typed else ()]


def places(text: str) -> Iterator[int]:
    """Yield every place of a short text; of a long one the ends of lines, where most is offered, and of their parts."""
    for at in range(len(text) + 1):
        if len(text) < _SHORT or text[at : at + 1] in ("", "\n", ":", ",", " ", ">"):
            yield at


@pytest.mark.parametrize(("least", "most"), [(3, 10), (40, 70)], ids=["short", "long"])
@pytest.mark.parametrize("language_id", PIECES)
def test_what_is_offered_and_hinted_is_that_of_the_text_alone(
    language_id: str, least: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sequence, "_SIZE", 4)
    language = find_language(language_id)

    number = max(LAWS // 40, 2) if least < 10 else max(LAWS // 250, 1)

    @settings(max_examples=number, deadline=None, suppress_health_check=list(HealthCheck))
    @given(texts(language_id, most, least=least), st.lists(edits(language_id), max_size=4))
    def law(text: str, several: list[Edit]) -> None:
        document = language.open(text, SETTINGS)
        before = text
        for edit in several:
            change = edit.made(text, whole.read(text, language_id, whole.MARKERS), before)
            before, text = text, applied(text, change)
            start, end, new = (0, len(document), change) if isinstance(change, str) else change
            document.edit(start, end, new)
        fresh = language.open(text, SETTINGS)
        for start, end in ((0, len(text)), (len(text) // 3, len(text) // 2)):
            assert hints(Ask(document, language, SETTINGS, start, end)) == hints(
                Ask(fresh, language, SETTINGS, start, end)
            )
        for at in places(text):
            assert answers(document, language, at) == answers(fresh, language, at), at

    law()


VALUE = "!!!GADGET_START:Long:long\n!!!ARG:a\n" + "a line of it\n" * 400 + "!!!GADGET_END\n"
CHATS = "@user name=Ada\nHi\n@ai name=Bob\n@call name=f id=c1\n{}\n" + "a line of it\n" * 400
LONG = (
    ("gadget", f"!!!GADGET_START:Far:far\n!!!GADGET_END\n{VALUE}!!!GADGET_START:A:x:"),
    ("gadget", f"!!!GADGET_START:Far:far\n!!!GADGET_END\n{VALUE}!!!GADGET_START:"),
    ("stf", f"{CHATS}@user name="),
    ("stf", f"{CHATS}@tool call_id="),
    ("stf", f"{CHATS}@"),
    ("stf", f"@ai\n!!!GADGET_START:Far:far\n!!!GADGET_END\n{VALUE}!!!GADGET_START:A:x:"),
)


@pytest.mark.parametrize(("language_id", "text"), LONG)
def test_names_are_found_far_away(language_id: str, text: str) -> None:
    language = find_language(language_id)
    assert answers(language.open(text, SETTINGS), language, len(text))[0]
