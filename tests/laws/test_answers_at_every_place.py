"""Answers at a place do not depend on the history of edits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import LAWS
from llmblocks.core import sequence
from llmblocks.core.document import Document
from llmblocks.core.section import Section
from llmblocks.core.sequence import Sections
from llmblocks.features.completion import caret_of, complete, signature
from llmblocks.features.marks import hints
from llmblocks.features.on_type import on_type
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.languages.ask import Ask
from llmblocks.languages.language import Language
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import Settings
from llmblocks.tags.declared import Attribute, Tag
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


@pytest.mark.parametrize(
    "line", ["!!!GADGET_START:A:x:", "!!!GADGET_START:", "!!!", "@user name=", "@tool call_id=", "@"]
)
def test_completion_looks_at_as_many_sections_however_long_the_document_is(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []

    def counted(sides: Callable[..., Iterator[Section]]) -> Callable[..., Iterator[Section]]:
        def sections(*around: object) -> Iterator[Section]:
            for section in sides(*around):
                looked[-1] += 1
                yield section

        return sections

    for sides in ("backward", "onward"):
        monkeypatch.setattr(Sections, sides, counted(getattr(Sections, sides)))
    unit = "@user name=Ada\nHello\n@ai\n@call name=f id=c1\n{}\n!!!GADGET_START:A:a:b\n!!!GADGET_END\n"
    language = find_language("stf")
    for number in (400, 800):
        looked.append(0)
        text = f"{unit * number}{line}\n{unit * number}"
        at = len(unit) * number + len(line)
        assert complete(Ask(language.open(text, SETTINGS), language, SETTINGS, at, at))
    assert 0 < looked[0] == looked[1]


@pytest.mark.parametrize(("language_id", "first"), [("gadget", ""), ("stf", "@user\nA name begins the text\n")])
def test_what_sections_state_is_as_far_from_the_caret_as_it_is(language_id: str, first: str) -> None:
    call = "!!!GADGET_START:A:a:b\n!!!ARG:x\na value\n!!!GADGET_END\nwords\n"
    text = first + call + "@user name=Ada id=u\nHi\n@ai\n" * 2 + "@ai\n" + call * 2
    language = find_language(language_id)
    document = language.open(text, SETTINGS)
    stated, start = [], 0
    for section in document.sections:
        stated += [(start + each.start, each) for each in language.symbols(section)]
        start += section.length
    assert len({at for at, _ in stated}) > 8
    assert (stated[0][0] == 0) is bool(first)
    for at in range(len(text) + 1):
        caret, _ = caret_of(Ask(document, language, SETTINGS, at, at))
        assert caret is not None
        assert [*caret.stated_back(language.symbols)] == [
            (at - its, each) for its, each in reversed(stated) if its < at
        ]
        assert [*caret.stated_ahead(language.symbols)] == [(its - at, each) for its, each in stated if its >= at]
