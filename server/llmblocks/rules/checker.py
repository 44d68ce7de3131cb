"""The checker: it applies the rules of a language and its settings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from heapq import merge
from typing import TYPE_CHECKING

from llmblocks.completions.template_rules import TEMPLATES
from llmblocks.contract.other_files import ALONE, OtherFiles
from llmblocks.core.document import Document
from llmblocks.core.index import Index
from llmblocks.core.places import order
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.facts.fingerprint import with_fingerprints
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity
from llmblocks.facts.silence import SIGNS
from llmblocks.languages.language import Language
from llmblocks.rules.name_findings import NameFindings, NameRule
from llmblocks.settings.rules import COMMENT_RULES, SCHEMAS, SETTINGS
from llmblocks.settings.values import Settings, SeverityName

if TYPE_CHECKING:
    from llmblocks.facts.finding import Finding
    from llmblocks.facts.silence import Silence
    from llmblocks.hosts.embedded import EmbeddedText, EmbeddedTexts
    from llmblocks.rules.silences import Silences


@lru_cache(maxsize=16)
def checker_of(language: Language, settings: Settings) -> Checker:
    """Return the cached checker for a language and settings. Creating it costs a fifth of the check of a short text."""
    return Checker(language, settings)


def check_text(language: Language, settings: Settings, text: str, other_files: OtherFiles = ALONE) -> Iterator[Finding]:
    """Return the findings of a text in order."""
    checker = checker_of(language, settings)
    return checker.all(language.open(text, settings), other_files)


class Checker:
    """The rules of one language and one user, applied section by section; their answers are cached on the sections."""

    findings: Query[Section, tuple[Finding, ...]]
    """Returns the findings of a section in order. Places count from its start."""

    def __init__(self, language: Language, settings: Settings) -> None:
        self._language = language
        self._has_baseline = bool(settings.baseline)
        facts = [layer.facts(settings) for layer in language.loaded if layer.facts is not None]
        if own := tuple([rule for rule in settings.rules if rule.layer in language.layers]):
            from llmblocks.rules.own_facts import own_facts

            facts.append(own_facts(own))
        if any(tag.content is not None for tag in settings.declared_tags):
            from llmblocks.rules.languages_in_blocks import facts_of_blocks

            facts += facts_of_blocks(language, settings, lambda inner, text: check_text(inner, settings, text))
        self._facts = tuple(facts)
        checks = [check for layer in language.loaded for check in layer.checks]
        rules = [rule for facts in self._facts for rule in facts.rules] + [check.rule for check in checks]
        if language.repeats:
            # a runtime wrote the text: nobody can complete it there
            rules = [rule for rule in rules if not rule.unfinished]
        chosen = {rule: severity_of(rule, settings) for rule in rules}
        self._severities = {rule: severity for rule, severity in chosen.items() if severity is not None}
        self._off = {rule.code for rule, severity in chosen.items() if severity is None}
        self._of_names = tuple(
            [
                NameRule(check, self._severities[check.rule], self._has_baseline)
                for check in checks
                if check.rule in self._severities
            ]
        )
        self._of_silences = {
            rule: severity for rule in COMMENT_RULES if (severity := severity_of(rule, settings)) is not None
        }
        self._silencing = language.loaded[0].silencing
        self._comments: Query[Section, tuple[Silence, ...]] = Query("comments that silence", self._comments_of)
        self.findings = Query("findings", self._findings_of)

    def count_findings(self, section: Section) -> int:
        if self._of_names:
            # they are kept, and read from the same facts as findings
            self._language.symbols(section)
        return len(self.findings(section))

    def names(self, document: Document, other_files: OtherFiles = ALONE) -> NameFindings | None:
        """Return the findings about the names of a document of a session, or None if no rule needs them."""
        if self._language.repeats or not self._of_names:
            return None
        index = Index(document.sections, self._language.symbols, other_files)
        return NameFindings(document, index, self._of_names)

    def signed(self, sections: Iterable[Section]) -> list[Section]:
        """Return the sections with comments that silence something, or resemble one."""
        if self._silencing is None:
            return []
        one, two, three = SIGNS
        found = (each for each in sections if one in (text := each.text) or two in text or three in text)
        return [section for section in found if self._comments(section)]

    def silences(self, document: Document, signed: Collection[Section], names: NameFindings | None) -> Silences | None:
        """Return the silenced findings of a document, or None. `signed` are all sections that `signed` returns."""
        if not signed or self._silencing is None:
            return None
        from llmblocks.rules.silences import Silences

        found = self._codes(document, names)
        made = Silences(document, self._silencing(), signed, self._comments, found, self._off, self._of_silences)
        if self._has_baseline and made.findings:
            made.findings = with_fingerprints(made.findings, document.text)
        return made

    def all(self, document: Document, other_files: OtherFiles = ALONE) -> Iterator[Finding]:
        """Return the findings of a whole document in order. Places count from its start."""
        names = self.names(document, other_files)
        silences = self.silences(document, self.signed(document.sections), names)
        placed = document.placed()
        of_sections = (finding.moved(start) for section, start, *_ in placed for finding in self.findings(section))
        found = merge(of_sections, names.findings() if names else (), key=order)
        if silences is None:
            return found
        left = (finding for finding in found if not silences.hides(finding.code, finding.start))
        return merge(left, silences.findings, key=order)

    def _codes(self, document: Document, names: NameFindings | None) -> Iterator[tuple[str, int]]:
        """Yield the code and the place of every finding, unordered."""
        for section, start, *_ in document.placed():
            for finding in self.findings(section):
                yield finding.code, start + finding.start
        for section, named in names.by_section.items() if names else ():
            start = document.sections.place_of(section).start
            for each in named:
                yield each.code, start + each.start

    def _comments_of(self, section: Section) -> tuple[Silence, ...]:
        from llmblocks.rules.silences import comments_of

        assert self._silencing is not None, "the outermost format has comments"
        inner = [layer.silencing() for layer in self._language.loaded[1:] if layer.silencing is not None]
        return comments_of(section, self._silencing(), inner)

    def _findings_of(self, section: Section) -> tuple[Finding, ...]:
        severities = self._severities
        found = [
            problem.finding(severities[problem.rule])
            for facts in self._facts
            for problem in facts.problems(section)
            if problem.rule in severities
        ]
        if len(found) > 1:
            found.sort(key=order)
        return (*(with_fingerprints(found, section.text) if self._has_baseline else found),)


def host_findings(found: EmbeddedTexts, settings: Settings, text: str = "") -> list[Finding]:
    """Return the problems of a host, and those of its texts with open parts, in order."""
    told = [each.finding(severity) for each in found.problems if (severity := severity_of(each.rule, settings))]
    if settings.baseline:
        told = with_fingerprints(told, text)
    for versions in found.versions:
        told += _independent(versions, settings)
    return sorted(told, key=order)


def _independent(versions: tuple[EmbeddedText, ...], settings: Settings) -> list[Finding]:
    first, *others = versions
    found = _findings(first, settings)
    for each in others:
        if not found:
            break
        there = {(one.code, one.start, one.end, one.message) for one in _findings(each, settings)}
        found = [one for one in found if (one.code, one.start, one.end, one.message) in there]
    return found


def _findings(embedded: EmbeddedText, settings: Settings) -> list[Finding]:
    """Return the findings that do not depend on names in the open parts."""
    from llmblocks.hosts.hosted import moved_outside
    from llmblocks.languages.registry import find_language

    language = find_language(embedded.language_id)
    checker = checker_of(language, settings)
    document = language.open(embedded.text, settings)
    names = checker.names(document)
    of_names = {*names.findings()} if names is not None else set()
    return [moved_outside(each, embedded) for each in checker.all(document) if each not in of_names]


_OF_SETTINGS = (SETTINGS, SCHEMAS, TEMPLATES)


def severity_of(rule: Rule, settings: Settings) -> Severity | None:
    """Return the severity of a problem; None if it is off.

    The longest prefix of its code decides: among the severities, and between `select` and `ignore`, where `ignore` wins
    a tie. Problems of settings are reported regardless of `select`.
    """
    selected = _longest(rule.code, settings.select) if settings.select else 0
    if rule.layer in _OF_SETTINGS:
        selected = max(selected, 0)
    if selected < 0 or (settings.ignore and _longest(rule.code, settings.ignore) >= selected):
        return None
    chosen: SeverityName | None = None
    longest = -1
    for prefix, name in settings.severity:
        if rule.code.startswith(prefix) and len(prefix) > longest:
            chosen, longest = name, len(prefix)
    if chosen is None:
        return rule.severity
    return None if chosen == "off" else Severity[chosen.upper()]


def _longest(code: str, prefixes: tuple[str, ...]) -> int:
    """Return the length of the longest prefix of a code among some, or -1."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)
