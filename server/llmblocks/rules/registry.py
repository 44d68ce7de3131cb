"""All rules there are."""

from __future__ import annotations

from llmblocks.rules.gadget import g101, g102, g103
from llmblocks.rules.rule import Rule
from llmblocks.rules.stf import s001, s002

RULES: tuple[Rule, ...] = (g101.RULE, g102.RULE, g103.RULE, s001.RULE, s002.RULE)
NAMES = {rule.code: rule.name for rule in RULES}
"""The name of each rule by its code."""
