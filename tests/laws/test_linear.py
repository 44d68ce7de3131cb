"""Linear work, counted in characters that are looked at, not in seconds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from examples import examples
from laws.scanners import SUBJECTS, Subject
from laws.streamed import Stream
from laws.texts import texts
from llmblocks.core.document import Document
from llmblocks.core.scan import Scanned, Scanner

HELD_BACK = 100
"""More than any marker, and more than `auto` looks at to tell a dialect."""

ENDLESS = (
    *("!", "!!!GADGET_START:", "!!!GADGET_START:a\n!!!ARG:", "@/*\n", "@", "@user a=", "@user {", "@raw\n"),
    *(";", "@ ", "<", "</", "<think a=", "<think", "[", "[a\n~"),
)

every_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)


class Counting:
    """A scanner that adds up the text it is shown."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self.initial = scanner.initial
        self.seen = 0

    def scan(self, text: str, start: int, stop: int, state: Any, final: bool) -> Scanned:
        scanned = self._scanner.scan(text, start, stop, state, final)
        self.seen += (scanned.end if scanned.end > start else stop) - start
        return scanned


@every_subject
def test_no_more_is_held_back_than_a_marker_is_long(subject: Subject) -> None:
    @settings(max_examples=examples(200), deadline=None)
    @given(texts(*subject.pieces))
    def law(text: str) -> None:
        stream = Stream(subject.scanner())
        given_back = 0
        for fed, character in enumerate(text, start=1):
            given_back += sum(token.width for token in stream.feed(character))
            assert fed - given_back <= HELD_BACK

    law()


@every_subject
@pytest.mark.parametrize("beginning", ENDLESS)
def test_what_never_ends_is_given_back_as_it_comes(subject: Subject, beginning: str) -> None:
    for going_on in ("x", " ", "!", "<", "a=", "/"):
        stream = Stream(subject.scanner())
        fed = given_back = 0
        for chunk in [beginning, *[going_on] * (HELD_BACK + 50)]:
            given_back += sum(token.width for token in stream.feed(chunk))
            fed += len(chunk)
            assert fed - given_back <= HELD_BACK, going_on


@every_subject
def test_an_edit_looks_at_its_own_sections_however_long_the_document_is(subject: Subject) -> None:
    unit = "".join(piece for group in subject.pieces for piece in group if piece.endswith("\n")) + "plain text\n" * 20
    for repeats in (20, 500):
        scanner = Counting(subject.scanner())
        document = Document(scanner, unit * repeats)
        assert scanner.seen <= 2 * len(document)
        middle = document.line_start(document.sections.newlines // 2)
        at = middle + document.slice(middle, middle + 2 * len(unit)).index("plain text") + 3
        scanner.seen = 0
        change = document.edit(at, at, "x")
        assert len(change.removed) <= 3
        assert scanner.seen <= 2 * sum(section.length for section in change.removed) + len(unit)


@pytest.mark.parametrize(
    "unit",
    ["some words ", "<think>a</think>", "a <think>b</think> !!! @user ", "a line\n", "- [ ] a <think>b</think>\n"],
)
@every_subject
def test_an_edit_in_one_endless_line_or_section_looks_at_it_twice_at_most(subject: Subject, unit: str) -> None:
    scanner = Counting(subject.scanner())
    document = Document(scanner, unit * (300_000 // len(unit)))
    # a place is tried several times where signs are dense
    assert scanner.seen <= 4 * len(document)
    scanner.seen = 0
    document.edit(150_000, 150_000, "x")
    assert scanner.seen <= 4 * len(document)
