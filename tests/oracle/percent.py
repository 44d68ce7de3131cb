"""A problem that any text can have, so that findings are where no rule of ours puts them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import pytest

from llmblocks.contract.layer import Layer
from llmblocks.core.places import Related
from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem
from llmblocks.facts.rule import Rule
from llmblocks.languages.registry import LANGUAGES
from llmblocks.settings.values import Settings
from oracle.findings import CODES, PERCENT

_KIND = Rule("percent", about="", bad="%", good="", layer="gadget", code=PERCENT, name="percent")


def _problems(section: Section) -> Iterator[Problem]:
    for found in re.finditer("%[%\r]*", section.text):
        start, end = found.span()
        yield Problem(_KIND, start, end, {}, (Related(end - 1, end, "its end"),))


def installed(patch: pytest.MonkeyPatch) -> None:
    """Let new checkers report this problem, and those that the oracle knows."""
    for language in LANGUAGES:
        patch.setitem(vars(language), "loaded", tuple(map(_with_known_problems, language.loaded)))


def _with_known_problems(layer: Layer[Settings]) -> Layer[Settings]:
    stated = layer.facts
    if stated is None:
        return layer

    def facts(settings: Settings) -> Facts:
        found = stated(settings)
        known = tuple(rule for rule in found.rules if rule.code in CODES)
        if layer.name != "tags":
            return found._replace(rules=known)
        # the innermost layer is in every language
        return Facts((_KIND, *known), lambda section: chain(found.problems(section), _problems(section)))

    return layer._replace(facts=facts)
