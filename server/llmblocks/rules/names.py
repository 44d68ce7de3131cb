"""What settings may name besides rules: settings do not know the languages."""

from __future__ import annotations

from llmblocks.languages.registry import language_ids
from llmblocks.settings.rule_names import Known

KNOWN: Known = language_ids()
