"""The codes and names of all rules, without their documentation."""

from __future__ import annotations

from llmblocks.gadget.syntax.catalogue import RULED as GADGET
from llmblocks.languages.registry import language_ids
from llmblocks.rules.catalogue import RULED as SILENCES
from llmblocks.settings.catalogue import RULED as SETTINGS
from llmblocks.settings.rule_names import Known
from llmblocks.stf.syntax.catalogue import RULED as STF
from llmblocks.tags.syntax.catalogue import RULED as TAGS

NAMES = {kind.code: kind.name for kind in (*SETTINGS, *SILENCES, *GADGET, *STF, *TAGS)}
"""The name of each rule by its code."""
KNOWN = Known(NAMES, language_ids())
"""The names that settings may use."""
