"""The problems and fixes that the rules of a team state. Their functions may fail: then that is a finding."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Final

from llmblocks.core.edits import Edit
from llmblocks.core.section import Section
from llmblocks.facts.finding import Finding
from llmblocks.facts.problem import Facts, Problem
from llmblocks.facts.rule import Rule, Spot
from llmblocks.rules.fix import Fix, everywhere
from llmblocks.settings.rules import C001_INVALID_SETTING

logger = logging.getLogger(__name__)
_MOST_REASON: Final = 200


def own_facts(rules: tuple[Rule, ...]) -> Facts:
    def problems(section: Section) -> Iterator[Problem]:
        for rule in rules:
            yield from _problems(rule, section)

    return Facts((*rules, C001_INVALID_SETTING), problems)


def _problems(rule: Rule, section: Section) -> Iterator[Problem]:
    assert rule.check is not None, "the rule of a team"
    try:
        found = [_problem(rule, each, section) for each in rule.check(section)]
    # any error of anybody's code: no other rule is to suffer from it
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"[:_MOST_REASON]
        end = section.text.find("\n")
        data = {"case": "rule failed", "rule": rule.code, "why": reason}
        yield Problem(C001_INVALID_SETTING, 0, end if end >= 0 else section.length, data)
    else:
        yield from found


def _problem(rule: Rule, found: Spot, section: Section) -> Problem:
    """Raises any, for places that are not in the section, and for data without a word of the message."""
    problem = Problem(rule, *found)
    for start, end in [problem[1:3], *[each[:2] for each in problem.related]]:
        if not 0 <= start <= end <= section.length:
            raise ValueError(f"{start} to {end} is not a place in a section of {section.length} characters")
    rule.message(problem.data)
    return problem


def own_fixes(rule: Rule, finding: Finding, text: str) -> Iterator[Fix]:
    """Yield the fixes of a team's rule, untried. One that fails, or whose edits are impossible, is dropped."""
    assert callable(rule.fix), "a rule with a function"
    try:
        for title, given, safe in [*rule.fix(finding, text)]:
            edits = tuple([Edit(*each) for each in given])
            places = [place for edit in edits for place in edit[:2]]
            if edits and places == sorted(places) and places[0] >= 0 and places[-1] <= len(text):
                # what an unsafe one makes of the values is for a person to judge
                yield Fix(str(title), edits, safe=True) if safe else everywhere(str(title), *edits)
    except Exception as error:
        logger.warning("the fix of %s failed: %s: %s", rule.code, type(error).__name__, error)
