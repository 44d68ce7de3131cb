"""Law 5 for names: an edit costs the names that it touches. Counted, not timed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from llmblocks.core.document import Document
from llmblocks.core.index import Index
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.core.symbol import Symbol
from llmblocks.facts.name_checks import NameCheck, NamedProblem
from llmblocks.languages.registry import find_language
from llmblocks.rules.name_findings import NameFindings, NameRule
from llmblocks.settings.values import DEFAULTS

CALLS = 2_000
CALL = "!!!GADGET_START:Read:r{n}:{needs}\n!!!ARG:path\nsrc/{n}.ts\n!!!GADGET_END\n"


class Counted:
    """A document whose index counts the sections that are read, the places and the names that are looked at."""

    def __init__(self, language_id: str, text: str) -> None:
        language = find_language(language_id)
        self.sections = self.places = 0
        self.names: list[str] = []
        self.neighbours: list[Section] = []
        self.document: Document = language.open(text, DEFAULTS)
        self._symbols = language.symbols
        counted = self

        class CountedIndex(Index):
            def number(self, section: Section) -> int:
                counted.places += 1
                return super().number(section)

        index = CountedIndex(self.document.sections, Query("counted symbols", self._read))
        checks = [check for layer in language.loaded for check in layer.checks]
        self.found = NameFindings(self.document, index, tuple([self._rule(check) for check in checks]))

    def edit(self, old: str, new: str) -> None:
        """Put one text in the place of another."""
        at = self.document.text.index(old)
        self.sections = self.places = 0
        self.names, self.neighbours = [], []
        self.found.note(self.document.edit(at, at + len(old), new))

    def codes(self) -> list[str]:
        return [each.code for each in self.found.findings()]

    def _read(self, section: Section) -> tuple[Symbol, ...]:
        self.sections += 1
        return self._symbols(section)

    def _rule(self, check: NameCheck) -> NameRule:
        def counted(index: Index, names: Iterable[Any]) -> Iterable[NamedProblem]:
            names = [*names]
            if check.of_texts:
                self.neighbours += [each for each in names if each in index.sections]
            else:
                self.names += names
            return check.check(index, names)

        return NameRule(check._replace(check=counted), check.rule.severity)


def calls(needs: str = "r{n}x") -> str:
    return "".join(CALL.format(n=n, needs=needs.format(n=max(n - 1, 0))) for n in range(CALLS))


@pytest.fixture(params=["gadget", "stf"])
def document(request: pytest.FixtureRequest) -> Counted:
    text = calls("r0" if request.param == "gadget" else "r1")
    return Counted(request.param, "@ai\n" + text if request.param == "stf" else text)


def test_a_keystroke_in_a_value_reads_one_section_and_judges_no_name(document: Counted) -> None:
    document.edit("src/1500.ts", "src/1500.tsx")
    assert (document.sections, document.names) == (1, [])
    # the call, and the one that it is the neighbour of
    assert len(document.neighbours) == 2
    assert document.places <= 3 * len(document.neighbours)


def test_a_keystroke_judges_no_name_where_calls_begin_within_lines_of_a_message() -> None:
    document = Counted("stf", "@ai\n" + calls("r1").replace("!!!GADGET_START", "  !!!GADGET_START"))
    document.edit("src/1500.ts", "src/1500.tsx")
    assert document.names == []
    assert len(document.neighbours) <= 3


@pytest.mark.slow
def test_another_id_costs_the_places_of_the_two_names(document: Counted) -> None:
    document.edit("Read:r1500:", "Read:other:")
    # the call depends on one that all depend on: that name was touched, the names of the others were not
    assert set(document.names) <= {"r1500", "other", "r0", "r1"}
    assert document.sections <= 2
    document = Counted("gadget", calls("r{n}"))
    document.edit("Read:r1999:", "Read:other:")
    assert {name for name in document.names if document.names.count(name) > 1} == {"r1999", "other", "r1998"}
    assert document.sections == 1


def test_a_long_chain_is_not_a_cycle_until_it_is_closed() -> None:
    document = Counted("gadget", calls("r{n}"))
    assert document.codes() == []
    document.edit("Read:r0:r0", f"Read:r0:r{CALLS - 1}")
    assert document.codes() == ["G112"] * CALLS
    document.edit(f"Read:r0:r{CALLS - 1}", "Read:r0:")
    assert document.codes() == []


def test_the_end_of_a_block_judges_the_blocks_beside_it() -> None:
    """Blocks that continue after a call, thousands of them."""
    message = "@ai\n<think>\n!!!GADGET_START:Read:r{n}\n!!!GADGET_END\n{end}\n"
    text = "".join(message.format(n=n, end="more" if n == 1000 else f"</think> {n}") for n in range(2000))
    document = Counted("stf", text)

    def unclosed() -> list[int]:
        return [each.start for each in document.found.findings() if each.code == "T001"]

    assert unclosed() == [text.index("<think>", text.index("r999"))]
    for old, new, count in (
        ("more", "</think>", 0),
        ("</think> 30\n", "more\n", 1),
        ("</think> 31\n", "x</think>\n", 1),
    ):
        document.edit(old, new)
        # three for each of the checks of calls and of blocks
        assert len(document.neighbours) <= 6
        assert len(unclosed()) == count
