"""The settings of the examples of rules."""

from __future__ import annotations

import tomllib

from llmblocks.facts.rule import Rule
from llmblocks.gadget.schemas.gadgets import Gadgets
from llmblocks.gadget.schemas.reading import read_gadgets
from llmblocks.languages.registry import language_ids
from llmblocks.settings.check import check_settings
from llmblocks.settings.given import as_given
from llmblocks.settings.values import Settings


def settings_of(rule: Rule) -> Settings:
    """The settings for the examples of a rule."""
    settings = check_settings(as_given(tomllib.loads(rule.toml)), language_ids()).settings
    return settings._replace(gadgets=Gadgets.of(read_gadgets(rule.gadgets).gadgets)) if rule.gadgets else settings
