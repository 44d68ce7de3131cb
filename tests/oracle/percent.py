"""A problem that any text can have, so that findings are where no rule of ours puts them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from llmblocks.core.finding import Related, Severity
from llmblocks.core.problem import Facts, Problem, ProblemKind
from llmblocks.core.section import Piece
from llmblocks.languages.registry import LANGUAGES
from llmblocks.rules import check
from llmblocks.rules.registry import RULES
from llmblocks.rules.rule import Rule
from oracle.findings import CODES, PERCENT

_KIND = ProblemKind(PERCENT, "percent", Severity.ERROR, "percent")


def _local(piece: Piece) -> Iterator[Problem]:
    for found in re.finditer("%[%\r]*", piece.text):
        start, end = found.span()
        yield Problem(_KIND, start, end, {}, (Related(end - 1, end, "its end"),))


_FACTS = Facts(_local, lambda _, __: ())


def installed(patch: pytest.MonkeyPatch) -> None:
    """Let the checkers that are made from now on have this rule, and those that the oracle knows."""
    rule = Rule(_KIND, "tags", "A percent sign.", "None.", bad="%", good="")
    patch.setattr(check, "RULES", (*(each for each in RULES if each.code in CODES), rule))
    for language in LANGUAGES:
        layers = tuple(
            replace(layer, facts=lambda _: _FACTS) if layer.name == "tags" else layer for layer in language.loaded
        )
        patch.setitem(vars(language), "loaded", layers)
