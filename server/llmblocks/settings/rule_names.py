"""The names of rules in settings and on the command line: a code, a prefix of codes, or a name."""

from __future__ import annotations

from collections.abc import Mapping
from operator import eq
from typing import NamedTuple

Rules = Mapping[str, str]
"""The name of each rule by its code."""
_LONGEST = 100


class Known(NamedTuple):
    """The names that settings may use: the rules, and the ids of the languages."""

    rules: Rules
    languages: tuple[str, ...]


def code_of(text: str, rules: Rules) -> str | None:
    """The code, or prefix of codes, that a text names in any case; None if it names no rule."""
    upper, lower = text.strip().upper(), text.strip().lower()
    if upper and any(code.startswith(upper) for code in rules):
        return upper
    return next((code for code, name in rules.items() if name == lower), None)


def nearest(text: str, rules: Rules) -> str:
    """A suggestion for a text that names no rule: the nearest rule, or else the command that lists all rules."""
    from difflib import get_close_matches

    text = text.strip()[:_LONGEST]
    near = get_close_matches(text.lower(), rules.values(), 1)
    if not near:
        # all codes are alike: what counts is how many characters stand where they should
        codes = sorted(get_close_matches(text.upper(), rules, len(rules)))
        near = sorted(codes, key=lambda code: -sum(map(eq, code, text.upper())))
    return f"did you mean {near[0]}?" if near else "`llmblocks explain` lists them"
