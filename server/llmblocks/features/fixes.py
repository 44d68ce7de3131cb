"""Fixes for the findings at a place and for a whole document, comments that silence a finding, and refactorings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.facts.silence import SIGN, Silencing
from llmblocks.hosts.hosted import edits_outside
from llmblocks.languages.ask import Ask
from llmblocks.refactors.refactoring import Offer, Refactoring, is_proved
from llmblocks.refactors.refactorings import REFACTORINGS
from llmblocks.rules.checker import checker_of
from llmblocks.rules.fix import Fix, changing
from llmblocks.rules.fixing import TextReader, by_hand, fixed, suggested
from llmblocks.rules.languages_in_blocks import BlocksHost, ask_inside
from llmblocks.rules.proven import LONGEST, Prover
from llmblocks.rules.surroundings import surroundings
from llmblocks.settings.rules import COMMENT_RULES

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
    inner, start = within.ask, within.start - around.start
    block = next((each for each in host.find(around.text) if each.start == start), None)
    every = checker_of(inner.language, inner.settings).all(inner.document)
    same = [each for each in every if each.code == finding.code]
    there = finding.start - within.start, finding.end - within.start
    found = next((each for each in same if (each.start, each.end) == there), None)
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


_OF_COMMENTS = frozenset(kind.code for kind in COMMENT_RULES)
_BOM = "\ufeff"


def ignoring(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Yield the fixes that silence a finding: at its place, then in the whole text."""
    outermost = ask.language.loaded[0]
    if outermost.silencing is None or finding.code in _OF_COMMENTS:
        return
    silencing = outermost.silencing()
    title = f"Ignore {finding.code} for {silencing.target}"
    # before a byte-order mark, a line would not be a comment
    top = 1 if ask.document.slice(0, 1) == _BOM else 0
    start = max(silencing.anchor(ask.document, finding.start), top)

    def fix(title: str, edit: Edit) -> Fix:
        # in a format without comments, they would be part of the text
        return Fix(title, (edit,)) if outermost.comments else changing(title, edit)

    longer = _longer(ask, silencing, start, finding.code)
    if longer is not None:
        yield fix(title, longer)
    yield fix(title, _comment(ask, silencing, start, f"ignore[{finding.code}]"))
    yield fix(f"Ignore {finding.code} in this file", _comment(ask, silencing, top, f"ignore-file[{finding.code}]"))


def _comment(ask: Ask, silencing: Silencing, start: int, says: str) -> Edit:
    document = ask.document
    _, end = document.line_at(start)
    newline = "\r\n" if document.slice(end - 2, end) == "\r\n" else "\n"
    begin, close = silencing.signs(document, start)
    return Edit(start, start, f"{begin}{SIGN} {says}{close}{newline}")


def _longer(ask: Ask, silencing: Silencing, start: int, code: str) -> Edit | None:
    """Return the edit that adds a code to the comment on the line before, if there is one."""
    document = ask.document
    before, _ = document.line_at(start - 1)
    if not start or SIGN not in document.slice(before, start):
        return None
    placed = document.section_at(before)
    for silence in silencing.find(placed.section):
        first, last = placed.start + silence.start, placed.start + silence.end
        if before <= first and last <= start and silence.codes and not (silence.of_file or silence.unread):
            at = placed.start + silence.codes[-1].end
            return Edit(at, at, f", {code}")
    return None


def refactorings(ask: Ask) -> Iterator[tuple[Refactoring, Offer]]:
    """Yield the applicable refactorings that lead to the values that they expect."""
    for each in REFACTORINGS:
        if each.layer in ask.language.layers:
            for offer in each.offer(ask):
                if not offer.edits or is_proved(ask, offer):
                    yield each, offer
