"""The laws of the engine, for every scanner and every layering (see `ARCHITECTURE.md`).

The environment variable LLMBLOCKS_LAWS says how many documents are generated for each: 25 while developing, 1,000 in
`make test`, 50,000 in `make laws`.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from examples import LAWS
from laws.laws import Edit, chunking_does_not_matter, edit_equals_reparse, tokens_cover_the_text
from laws.scanners import SUBJECTS, Subject
from laws.texts import texts
from llmblocks.core import sequence
from llmblocks.core.document import Document
from llmblocks.core.scan import Scanned, Scanner

DOCUMENTS = LAWS
THOROUGH = settings(
    max_examples=DOCUMENTS,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
UNTIL_BROKEN = settings(
    THOROUGH, max_examples=20_000, database=None, phases=[Phase.generate], report_multiple_bugs=False
)
"""For what must fail: the first failure is enough, however large it is."""
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

    @settings(THOROUGH, max_examples=max(DOCUMENTS // 4, 25))
    @given(texts(*subject.pieces), edits_of(subject))
    def laws(text: str, edits: list[Edit]) -> None:
        edit_equals_reparse(scanner, subject.nesting, text, edits)

    laws()


class Impatient:
    """A broken scanner: it never holds anything back."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self.initial = scanner.initial

    def scan(self, text: str, start: int, stop: int, state: Any, final: bool) -> Scanned:
        return self._scanner.scan(text, start, stop, state, True)


class Alike:
    """A state that equals any other."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Alike)

    def __hash__(self) -> int:
        return 0


class Confused:
    """A broken scanner: no two of its states differ, so an edit changes nothing after its own section."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self.initial = Alike(scanner.initial)

    def scan(self, text: str, start: int, stop: int, state: Any, final: bool) -> Scanned:
        scanned = self._scanner.scan(text, start, stop, state.state, final)
        cuts = tuple(cut._replace(state=Alike(cut.state)) for cut in scanned.cuts)
        return scanned._replace(state=Alike(scanned.state), cuts=cuts)


# dialects, markers and templates of completions share a scanner, and a layered one has those of its layers
ALONE = [
    each for each in SUBJECTS if not re.search(r" in (?!stf$)|completion of (?!think$)|markers|stf [@;]", each.name)
]


@pytest.mark.parametrize(
    "subject", [subject for subject in ALONE if subject.holds_back], ids=lambda subject: subject.name
)
def test_a_scanner_that_holds_nothing_back_breaks_the_laws(subject: Subject) -> None:
    @seed(1)
    @UNTIL_BROKEN
    @given(texts(*subject.pieces), sizes)
    def law(text: str, chunks: list[int]) -> None:
        chunking_does_not_matter(Impatient(subject.scanner()), text, chunks)

    with pytest.raises(AssertionError):
        law()


@pytest.mark.slow
@pytest.mark.parametrize(
    "subject", [subject for subject in ALONE if not subject.independent], ids=lambda subject: subject.name
)
def test_states_that_do_not_differ_break_the_laws(subject: Subject) -> None:
    @seed(1)
    @UNTIL_BROKEN
    @given(texts(*subject.pieces), edits_of(subject))
    def law(text: str, edits: list[Edit]) -> None:
        edit_equals_reparse(Confused(subject.scanner()), subject.nesting, text, edits)

    with pytest.raises(AssertionError):
        law()
