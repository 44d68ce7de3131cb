"""All rules and their names, in one syntax: a code, a prefix of codes, or a name, in any case."""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import eq
from typing import Final, NamedTuple

from llmblocks.completions.rules import RULES as COMPLETIONS
from llmblocks.completions.template_rules import RULES as TEMPLATES
from llmblocks.facts.finding import PAGES
from llmblocks.facts.rule import Rule
from llmblocks.gadget.rules import RULES as GADGET
from llmblocks.settings.rules import COMMENT_RULES, DATA_RULES, DOCUMENT_RULES, SETTINGS_RULES
from llmblocks.stf.rules import RULES as STF
from llmblocks.tags.rules import RULES as TAGS

RULES: Final = (*COMMENT_RULES, *GADGET, *COMPLETIONS, *STF, *TAGS)
"""The rules about texts."""
ALL_RULES: Final = (*SETTINGS_RULES, *TEMPLATES, *DATA_RULES, *DOCUMENT_RULES, *RULES)
"""All rules of llmblocks."""
BY_CODE: Final = {rule.code: rule for rule in ALL_RULES}
"""All rules by their codes, also those of teams, once they are registered."""
NAMES: Final = {rule.code: rule.name for rule in ALL_RULES}
"""The name of each rule by its code."""
OWN_CODE: Final = re.compile(r"X|X[A-Z]{0,4}[0-9]{3}")
"""The codes of the rules of teams, and all of these."""
Known = tuple[str, ...]
"""The ids of the languages, which this module cannot import."""
_LONGEST = 100


def register(rules: Iterable[Rule]) -> None:
    """Make the codes and names of a team's rules known: the only names that are not known from the start."""
    for rule in rules:
        BY_CODE[rule.code] = rule
        NAMES[rule.code] = rule.name


def page_of(code: str) -> str:
    rule = BY_CODE.get(code)
    return rule.page if rule is not None and rule.check is not None else f"{PAGES}{code}.md"


class RuleTitle(NamedTuple):
    """A sentence about a rule, and its page."""

    text: str
    page: str


def titles() -> dict[str, RuleTitle]:
    """Return the names of rules for settings, by letters, codes and names, with their meanings."""
    found = {}
    for letter in sorted({code[0] for code in BY_CODE}):
        found[letter] = RuleTitle(f"All rules whose codes begin with {letter}.", f"{PAGES}README.md")
    for rule in BY_CODE.values():
        page = page_of(rule.code)
        found[rule.code] = RuleTitle(f"{rule.name}: {rule.summary}", page)
        found[rule.name] = RuleTitle(f"{rule.code}: {rule.summary}", page)
    return found


def codes_of(given: str | Iterable[str]) -> tuple[str, ...]:
    """Return the codes, or prefixes, of names, or of a text with commas. Raises `ValueError` for unknown or no name."""
    names = [*filter(None, map(str.strip, given.split(",")))] if isinstance(given, str) else [*given]
    if isinstance(given, str) and not names:
        raise ValueError("no rule given; `llmblocks explain` lists them")
    return tuple(dict.fromkeys(map(_code_of, names)))


def code_of(text: str) -> str | None:
    """Return the code, or prefix, that a text names in any case. A team's code may be unknown, without trust."""
    upper, lower = text.strip().upper(), text.strip().lower()
    if upper and (any(code.startswith(upper) for code in NAMES) or OWN_CODE.fullmatch(upper)):
        return upper
    return next((code for code, name in NAMES.items() if name == lower), None)


def codes_with(prefixes: Iterable[str]) -> tuple[str, ...]:
    return tuple([code for code in NAMES if code.startswith((*prefixes,))])


def nearest(text: str) -> str:
    """Return a suggestion for an unknown rule: the nearest rule, or else the command that lists all rules."""
    from difflib import get_close_matches

    text = text.strip()[:_LONGEST]
    near = get_close_matches(text.lower(), NAMES.values(), 1)
    if not near:
        # codes are similar to each other, so count the characters in the right place
        codes = sorted(get_close_matches(text.upper(), NAMES, len(NAMES)))
        near = sorted(codes, key=lambda code: -sum(map(eq, code, text.upper())))
    return f"did you mean {near[0]}?" if near else "`llmblocks explain` lists them"


def _code_of(text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"a rule is named by a str, not by {type(text).__name__}")
    code = code_of(text)
    if code is None:
        raise ValueError(f"no rule has the code or name {text.strip()[:_LONGEST]!r}; {nearest(text)}")
    return code
