"""The findings about a host of embedded texts, not about one of these."""

from __future__ import annotations

from llmblocks.core.places import order
from llmblocks.facts.finding import Finding
from llmblocks.facts.fingerprint import with_fingerprints
from llmblocks.hosts.embedded import EmbeddedText, EmbeddedTexts
from llmblocks.hosts.hosted import moved_outside
from llmblocks.languages.registry import find_language
from llmblocks.rules.checker import checker_of
from llmblocks.rules.severities import severity_of
from llmblocks.settings.values import Settings


def host_findings(found: EmbeddedTexts, settings: Settings, text: str = "") -> list[Finding]:
    """Return the problems of a host, and those of its texts with open parts, in order."""
    told = [each.finding(severity) for each in found.problems if (severity := severity_of(each.rule, settings))]
    if settings.baseline:
        told = with_fingerprints(told, text)
    for versions in found.versions:
        told += _independent(versions, settings)
    return sorted(told, key=order)


def _independent(versions: tuple[EmbeddedText, ...], settings: Settings) -> list[Finding]:
    """Return the findings common to all versions of a text."""
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
    language = find_language(embedded.language_id)
    checker = checker_of(language, settings)
    document = language.open(embedded.text, settings)
    names = checker.names(document)
    of_names = {*names.findings()} if names is not None else set()
    return [moved_outside(each, embedded) for each in checker.all(document) if each not in of_names]
