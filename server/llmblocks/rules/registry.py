"""All rules there are."""

from __future__ import annotations

from llmblocks.rules import g101, g102, g103, s001, s002
from llmblocks.rules.rule import Rule

RULES: tuple[Rule, ...] = (g101.RULE, g102.RULE, g103.RULE, s001.RULE, s002.RULE)
