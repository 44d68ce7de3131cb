"""The severities of problems, as settings choose them."""

from __future__ import annotations

from llmblocks.completions.template_rules import TEMPLATES
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity
from llmblocks.settings.rules import SCHEMAS, SETTINGS
from llmblocks.settings.values import Settings, SeverityName

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
