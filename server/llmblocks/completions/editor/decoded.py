"""The regions of a completion, as a program decodes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.completions.content import value_of
from llmblocks.completions.machine import machine_of
from llmblocks.completions.regions import regions_of
from llmblocks.completions.shipped import template_called
from llmblocks.contract.decoded import Decoded, DecodedValue

if TYPE_CHECKING:
    from .settings import CompletionSettings


def decoded(text: str, settings: CompletionSettings) -> Decoded:
    """Return each region with its value, and the text outside of regions."""
    values: Decoded = []
    free: list[str] = []
    before = 0
    for region in regions_of(machine_of(template_called(settings.template)), text):
        field = region.field
        if field is None or field.open is None:
            free.append(text[region.content : region.content_end])
            before += region.content_end - region.content
            continue
        value, malformed = value_of(field, text[region.content : region.content_end], region.captures)
        parts = (("value", repr(value)),)
        values.append(DecodedValue(field.name, parts, accepted=malformed is None, before=before))
    return [*values, "".join(free)]
