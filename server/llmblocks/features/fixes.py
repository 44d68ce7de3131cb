"""Fixes for the findings at a place, and for a whole document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.features.ignoring import ignoring
from llmblocks.hosts.hosted import edits_outside
from llmblocks.languages.ask import Ask
from llmblocks.rules.checker import checker_of
from llmblocks.rules.fix import Fix
from llmblocks.rules.fixing import TextReader, by_hand, fixed, suggested
from llmblocks.rules.languages_in_blocks import BlocksHost, ask_inside
from llmblocks.rules.proven import LONGEST, Prover
from llmblocks.rules.surroundings import surroundings

_MOST_FINDINGS = 32


class QuickFix(NamedTuple):
    """A fix that keeps its promise."""

    finding: Finding
    fix: Fix
    preferred: bool
    """Whether it is the preferred one of its finding."""


def of_line(ask: Ask) -> Ask:
    """Return the question about the whole line, if the position has no findings."""
    document = ask.document
    start, end = document.line_at(ask.start)
    end -= document.slice(end - 1, end) == "\n"
    if ask.end > end or any(True for _ in _findings(ask)):
        return ask
    return replace(ask, start=start, end=end)


def quick_fixes(ask: Ask) -> Iterator[QuickFix]:
    """Yield the fixes of the findings in a range, or at its ends."""
    prover = _prover(ask)
    findings = [*islice(_findings(ask), _MOST_FINDINGS)]
    # the first action must not ignore one finding while another has a fix
    known: set[tuple[int, int, str]] = set()
    for suggest in (suggested, by_hand, ignoring):
        for finding in findings:
            ask.pause()
            preferred = suggest is suggested
            found = prover.fixes(finding, suggest)
            if suggest is suggested:
                found += _in_block(ask, finding)
            for each in found:
                # two rules at one place may have the same remedy
                named = finding.start, finding.end, each.title
                if named not in known:
                    yield QuickFix(finding, each, preferred)
                    known.add(named)
                    preferred = False


def best_fixes(ask: Ask) -> Callable[[Finding], Fix | None]:
    """Return the preferred fix of each finding; None if no fix does what it says."""
    prover = _prover(ask)
    return lambda finding: next(chain(prover.fixes(finding, most=1), _in_block(ask, finding)), None)


def unregistered_tag(ask: Ask) -> str | None:
    """Return the name of the tag at a place, if settings could register it."""
    from llmblocks.rules.fixes.tags import unregistered_tag

    return unregistered_tag(ask)


def fix_all(ask: Ask) -> tuple[tuple[Edit, ...], int]:
    """Return the edits of all safe fixes of a document, and the number of fixes."""
    found = fixed(ask.document.text, ask.language, ask.settings, pause=ask.pause, other_files=ask.other_files)
    return found.edits, len(found.applied)


def _in_block(ask: Ask, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes of a finding in an embedded block that keep their promise there and change nothing else."""
    host = BlocksHost.of(ask.language, ask.settings)
    within = None if host is None else ask_inside(replace(ask, start=finding.start, end=finding.start))
    around = None if within is None else surroundings(ask.document, finding.start, finding.end, LONGEST)
    if host is None or within is None or around is None:
        return
    inner, start = within.ask, within.outside(0, 0)[0] - around.start
    block = next((each for each in host.find(around.text) if each.start == start), None)
    every = checker_of(inner.language, inner.settings).all(inner.document)
    same = [each for each in every if each.code == finding.code]
    found = next((each for each in same if within.outside(each.start, each.end) == (finding.start, finding.end)), None)
    if block is None or found is None:
        return
    for fix in _prover(inner).fixes(found):
        if edits := edits_outside(around.text, host, [(block, fix.edits)]):
            yield Fix(fix.title, (*[each.moved(around.start) for each in edits],), safe=fix.safe)


def _prover(ask: Ask) -> Prover:
    # the findings of a section are tried in turn
    return Prover(ask, lru_cache(maxsize=4)(TextReader(ask.language, ask.settings, ask.other_files).read))


def _findings(ask: Ask) -> Iterable[Finding]:
    if ask.known_findings is not None:
        return ask.known_findings(ask.start, ask.end)
    found = checker_of(ask.language, ask.settings).all(ask.document)
    return (each for each in found if each.start <= ask.end and each.end >= ask.start)
