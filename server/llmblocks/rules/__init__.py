"""The rules: what can be wrong in a document, one file each."""

from llmblocks.rules.check import Checker
from llmblocks.rules.registry import RULES
from llmblocks.rules.rule import Rule

__all__ = ["RULES", "Checker", "Rule"]
