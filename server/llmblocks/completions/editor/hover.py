"""Hover texts of regions."""

from __future__ import annotations

import json
from typing import Final

from llmblocks.completions import scanner
from llmblocks.completions.content import value_of
from llmblocks.completions.machine import TextRegion
from llmblocks.completions.output import typed, types_of
from llmblocks.completions.scanner import region_at
from llmblocks.completions.shipped import template_called
from llmblocks.contract.answers import Describe, Subject
from llmblocks.contract.markup import block, text_size
from llmblocks.core.scan import Kind

from .settings import CompletionSettings


def _region(subject: Subject[CompletionSettings]) -> str | None:
    template = template_called(subject.settings.template)
    at = subject.offset
    if subject.span.kind is scanner.PENDING or subject.span.end <= at:
        at = min(at, subject.span.end - 1)
    region = region_at(subject.section, at, template)
    if region is None:
        return None
    if subject.span.kind is scanner.CONTENT and region.field is not None and not region.field.is_structured:
        return None
    return _described(subject, region)


def _described(subject: Subject[CompletionSettings], region: TextRegion) -> str | None:
    field = region.field
    assert field is not None
    text = subject.section.text[region.content : region.content_end]
    value, malformed = value_of(field, text, region.captures)
    lines = [f"**{field.name}**" if region.closed or field.close is None else f"**{field.name}**, never closed"]
    if malformed is not None:
        lines.append(f"It has no value: {malformed.reason}. The program gets nothing of it.")
    elif isinstance(value, str):
        lines.append(text_size(value))
    else:
        lines.append(block(json.dumps(_typed(subject.settings, value), indent=2, ensure_ascii=False), "json"))
    return "\n\n".join(lines)


def _typed(settings: CompletionSettings, value: object) -> object:
    """Return a call as its tool receives it."""
    function = value.get("function") if isinstance(value, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    schema = settings.gadgets.find(name) if isinstance(name, str) else None
    if schema is None or schema.prepared is None:
        return value
    return typed(value, {str(name): types_of(schema.prepared.json)})


WORDS: Final[dict[Kind, Describe[CompletionSettings]]] = dict.fromkeys(
    (scanner.OPEN, scanner.OPENED, scanner.CLOSE, scanner.CLOSED, scanner.PENDING, scanner.CONTENT), _region
)
