"""The codes and names of all rules, without their documentation, and the names that settings may use."""

from __future__ import annotations

from llmblocks.languages.registry import language_ids
from llmblocks.settings.rule_names import NAMES, Known

__all__ = ["KNOWN", "NAMES"]

KNOWN = Known(language_ids())
"""What settings may name besides rules."""
