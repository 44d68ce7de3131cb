"""Running the rules that a language and its settings ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from llmblocks.core.document import Document
from llmblocks.core.finding import Finding, Severity
from llmblocks.core.section import Section
from llmblocks.languages.language import Language
from llmblocks.rules.registry import RULES
from llmblocks.rules.rule import Rule
from llmblocks.settings.values import Settings, SeverityName

_SEVERITIES: dict[SeverityName, Severity] = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "information": Severity.INFORMATION,
    "hint": Severity.HINT,
}


class Checker:
    """The rules of one language and one user, to be asked section by section.

    What it finds is remembered on the section. One `Checker` is made for each set of settings, and kept.
    """

    __slots__ = ("_rules", "_settings")

    def __init__(self, language: Language, settings: Settings) -> None:
        self._settings = settings
        self._rules = tuple(
            (rule, severity)
            for rule in RULES
            if rule.layer in language.layers and (severity := severity_of(rule, settings)) is not None
        )

    def __call__(self, section: Section) -> tuple[Finding, ...]:
        """The findings of one section in the order of their places, counted from its start."""
        return section.remember(self._find)

    def weigh(self, section: Section) -> int:
        """How many findings a section has: what `Document` wants to know of each.

        Most sections have none: nothing is kept on these, which is half the memory of a large document.
        """
        found = self._find(section)
        if found:
            section.remember_only(self._find, found)
        else:
            section.forget()
        return len(found)

    def all(self, document: Document) -> Iterator[Finding]:
        """The findings of a whole document, places counted from its start."""
        for placed in document.placed():
            for finding in self(placed.section):
                yield finding.moved(placed.start)

    def _find(self, section: Section) -> tuple[Finding, ...]:
        found = [
            finding if finding.severity is severity else replace(finding, severity=severity)
            for rule, severity in self._rules
            for finding in rule.check(section, self._settings)
        ]
        if len(found) > 1:
            found.sort(key=lambda finding: (finding.start, finding.end, finding.code))
        return tuple(found)


def severity_of(rule: Rule, settings: Settings) -> Severity | None:
    """What a rule is reported as; None where it is off. The longest prefix of its code that settings name decides."""
    if settings.select and not rule.code.startswith(settings.select):
        return None
    if rule.code.startswith(settings.ignore) if settings.ignore else False:
        return None
    chosen: SeverityName | None = None
    longest = -1
    for prefix, name in settings.severity:
        if rule.code.startswith(prefix) and len(prefix) > longest:
            chosen, longest = name, len(prefix)
    if chosen is None:
        return rule.severity
    return None if chosen == "off" else _SEVERITIES[chosen]
