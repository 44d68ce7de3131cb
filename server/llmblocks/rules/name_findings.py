"""Findings about the names of a document, updated by each edit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple
from weakref import WeakValueDictionary

from llmblocks.core.document import Change, Document
from llmblocks.core.index import Index
from llmblocks.core.places import Related, order
from llmblocks.core.section import Remembers, Section
from llmblocks.facts.finding import Finding
from llmblocks.facts.fingerprint import with_fingerprints
from llmblocks.facts.name_checks import NameCheck, NamedProblem
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity


class NameRule(NamedTuple):
    check: NameCheck
    severity: Severity
    has_baseline: bool = False


class Anchor:
    """A section that has findings or is mentioned by some, or its replacement with the same names."""

    __slots__ = ("__weakref__", "section")

    def __init__(self, section: Section) -> None:
        self.section = section


class Target(NamedTuple):
    """A mentioned place, in code points from the start of its section."""

    anchor: Anchor
    start: int
    end: int
    message: str


class NamedFinding(Remembers):
    """A finding about a name, in a section or its replacement with the same names."""

    __slots__ = ("anchor", "data", "elsewhere", "end", "related", "rule", "start")

    def __init__(self, rule: NameRule, problem: NamedProblem, anchor: Anchor, related: tuple[Target, ...]) -> None:
        self.memory = None
        self.rule = rule
        self.anchor = anchor
        self.start, self.end = problem.place.symbol[3:]
        self.data = problem.data
        self.elsewhere = problem.elsewhere
        self.related = related

    @property
    def section(self) -> Section:
        return self.anchor.section

    @property
    def code(self) -> str:
        return self.rule.check.rule.code

    @property
    def is_inside(self) -> bool:
        """Whether all its places are in its section."""
        return not self.related and self.end <= self.section.length

    @property
    def finding(self) -> Finding:
        """The finding without its places in this document, counted from the section. Of thousands, few are shown."""
        found = Problem(self.rule.check.rule, self.start, self.end, self.data).finding(self.rule.severity)
        if self.rule.has_baseline:
            [found] = with_fingerprints([found], self.section.text)
        return found.__replace__(elsewhere=self.elsewhere) if self.elsewhere else found


class NameFindings:
    """The findings of a document that its index shows."""

    def __init__(self, document: Document, index: Index, rules: tuple[NameRule, ...]) -> None:
        self.by_section: dict[Section, tuple[NamedFinding, ...]] = {}
        """The findings in each section, unordered."""
        self.index = index
        self._document = document
        self._rules = rules
        self._found: dict[Rule, dict[str | Section, tuple[NamedFinding, ...]]] = {rule.check.rule: {} for rule in rules}
        self._anchors: WeakValueDictionary[Section, Anchor] = WeakValueDictionary()
        touched = index.all()
        for rule in rules:
            self._check(rule, rule.check.affected(index, touched))

    @property
    def count(self) -> int:
        return sum(map(len, self.by_section.values()))

    def note(self, change: Change) -> Mapping[str, set[str]]:
        """Register an edit of the document; return the names that it touched, by kind."""
        touched = self.index.note(change)
        for old, new in touched.replaced:
            self._replace(old, new)
        for rule in self._rules:
            if touched.names or rule.check.of_texts:
                self._check(rule, rule.check.affected(self.index, touched))
        return touched.names

    def other_files_changed(self) -> bool:
        """Check the names that depend on other files again; return whether a finding changed."""

        def known() -> list[dict[str | Section, list[tuple[Section, Finding]]]]:
            return [
                {name: [(each.section, each.finding) for each in found] for name, found in names.items() if found}
                for names in [self._found[rule.check.rule] for rule in rules]
            ]

        rules = [each for each in self._rules if each.check.across_files]
        before, touched = known(), self.index.all()
        for rule in rules:
            self._check(rule, rule.check.affected(self.index, touched))
        return before != known()

    def findings(self) -> list[Finding]:
        return sorted([self.placed(each) for found in self.by_section.values() for each in found], key=order)

    def placed(self, found: NamedFinding) -> Finding:
        """Return a finding with all its places, counted from the start of the document."""
        related = tuple([Related(*self._span(other), other.message) for other in found.related])
        moved = found.finding.moved(self.index.start_of(found.section))
        return moved.__replace__(related=related) if related else moved

    def _span(self, target: Target) -> tuple[int, int]:
        start = self.index.start_of(target.anchor.section)
        return start + target.start, start + target.end

    def _replace(self, old: Section, new: Section) -> None:
        """Move the findings of a section to its replacement with the same names."""
        if old in self.by_section:
            self.by_section[new] = self.by_section.pop(old)
        for found in self._found.values():
            if old in found:
                found[new] = found.pop(old)
        anchor = self._anchors.pop(old, None)
        if anchor is not None:
            anchor.section = new
            self._anchors[new] = anchor

    def _check(self, rule: NameRule, names: Collection[str | Section]) -> None:
        if not names:
            return
        found = self._found[rule.check.rule]
        self._drop({each for name in names for each in found.pop(name, ())})
        self._add(rule, rule.check.check(self.index, names))

    def _add(self, rule: NameRule, problems: Iterable[NamedProblem]) -> None:
        by_key = self._found[rule.check.rule]
        key_rows: dict[str | Section, list[NamedFinding]] = {}
        section_rows: dict[Section, list[NamedFinding]] = {}
        for problem in problems:
            related = tuple(
                [Target(self._anchor(place.section), *place.symbol[3:], message) for place, message in problem.related]
            )
            found = NamedFinding(rule, problem, self._anchor(problem.place.section), related)
            key_rows.setdefault(problem.key, []).append(found)
            section_rows.setdefault(found.section, []).append(found)
        for key, found_by_key in key_rows.items():
            by_key[key] = (*by_key.get(key, ()), *found_by_key)
        for section, found_in_section in section_rows.items():
            self.by_section[section] = (*self.by_section.get(section, ()), *found_in_section)

    def _drop(self, gone: set[NamedFinding]) -> None:
        for section in {found.section for found in gone}:
            left = tuple([each for each in self.by_section.pop(section) if each not in gone])
            if left:
                self.by_section[section] = left

    def _anchor(self, section: Section) -> Anchor:
        anchor = self._anchors.get(section)
        if anchor is None:
            anchor = self._anchors[section] = Anchor(section)
        return anchor
