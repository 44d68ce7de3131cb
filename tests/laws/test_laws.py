"""The laws of the engine, for every scanner and every layering (see `ARCHITECTURE.md`).

The environment variable LLMBLOCKS_LAWS says how many documents are generated for each: 25 while developing, 1,000 in
`make test`, 50,000 in `make laws`.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import LAWS
from laws.laws import Edit, chunking_does_not_matter, edit_equals_reparse, tokens_cover_the_text
from laws.scanners import SUBJECTS, Subject
from laws.texts import texts
from llmblocks.core import sequence
from llmblocks.core.document import Document

THOROUGH = settings(
    max_examples=LAWS,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
every_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
sizes = st.lists(st.integers(1, 9), max_size=12)


def edits_of(subject: Subject) -> st.SearchStrategy[list[Edit]]:
    number = st.integers(0, 400)
    text = st.one_of(st.just(""), texts(*subject.pieces, longest=4))
    return st.lists(st.builds(Edit, number, st.one_of(st.just(0), st.integers(0, 40)), text), max_size=4)


@every_subject
def test_the_laws_hold(subject: Subject) -> None:
    scanner = subject.scanner()

    @THOROUGH
    @given(texts(*subject.pieces), sizes, edits_of(subject))
    def laws(text: str, chunks: list[int], edits: list[Edit]) -> None:
        tokens_cover_the_text(Document(scanner, text), text)
        chunking_does_not_matter(scanner, text, chunks)
        edit_equals_reparse(scanner, subject.nesting, text, edits)

    laws()


@every_subject
def test_the_laws_hold_where_sections_are_in_many_blocks(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequence, "_SIZE", 4)
    scanner = subject.scanner()

    @settings(THOROUGH, max_examples=max(LAWS // 4, 25))
    @given(texts(*subject.pieces), edits_of(subject))
    def laws(text: str, edits: list[Edit]) -> None:
        edit_equals_reparse(scanner, subject.nesting, text, edits)

    laws()
