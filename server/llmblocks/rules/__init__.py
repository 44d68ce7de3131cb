"""The rules, one file each."""

from llmblocks.lazy import TYPE_CHECKING, lazily

if TYPE_CHECKING:
    from llmblocks.rules.checker import Checker
    from llmblocks.rules.registry import RULES
    from llmblocks.rules.rule import Rule

__all__ = ["RULES", "Checker", "Rule"]

# Loaded on first access: checking a text needs none of the rules' examples.
__getattr__, __dir__ = lazily(__name__, {"checker": ("Checker",), "registry": ("RULES",), "rule": ("Rule",)})
