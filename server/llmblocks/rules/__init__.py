"""The rules: what can be wrong in a document, one file each."""

from llmblocks.rules.check import Checker, checker_for
from llmblocks.rules.registry import RULES
from llmblocks.rules.rule import Rule

__all__ = ["RULES", "Checker", "Rule", "checker_for"]
