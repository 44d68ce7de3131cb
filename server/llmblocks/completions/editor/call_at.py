"""The call that is written at the caret."""

from __future__ import annotations

import re
from typing import NamedTuple

from llmblocks.completions.machine import OUTSIDE
from llmblocks.completions.scanner import State
from llmblocks.completions.shipped import template_called
from llmblocks.completions.template import TemplateField
from llmblocks.contract.arguments import Schema
from llmblocks.contract.caret import Caret, Signature
from llmblocks.core.layered import state_in

from .settings import CompletionSettings
from .view import regions_by

BEFORE_NAME = r"""(?:"(?:tool_)?name"\s*:\s*"|functions\.|function=|invoke name="|call:|\[TOOL_CALLS\])"""
_NAMED = re.compile(BEFORE_NAME + r"([\w.-]+)")
_KEY = re.compile(r"""[{,]\s*"?([A-Za-z_]\w*)"?\s*:|<parameter=([^<>\n]+)>|parameter name="([^"\n]+)\"""")
_VALUE = re.compile(r"""\s*(?:[^\s,{}<>"]+|"[^"]*)?\Z""")


class WrittenAt(NamedTuple):
    """A call around the caret."""

    schema: Schema
    key: str
    """The name of the argument whose value is written, empty for none."""


def field_at(caret: Caret, settings: CompletionSettings) -> TemplateField | None:
    """Return the field of the region at the caret; None outside of those with delimiters."""
    template = template_called(settings.template)
    for region in regions_by(template)(caret.section):
        field = region.field
        if field is not None and field.open is not None and region.content <= caret.offset <= region.content_end:
            return field
    state = state_in(caret.section.before, State)
    return None if state is None or state.field == OUTSIDE else template.fields[state.field]


def call_at(caret: Caret, settings: CompletionSettings) -> WrittenAt | None:
    """Return the call at the caret; None where no call of a known tool is."""
    if not settings.gadgets.names or (field := field_at(caret, settings)) is None or not field.is_structured:
        return None
    called = [*_NAMED.finditer(caret.section.text, 0, caret.offset)]
    schema = settings.gadgets.find(called[-1][1]) if called else None
    if schema is None:
        return None
    keys = [*_KEY.finditer(caret.section.text, called[-1].end(), caret.offset)]
    key = next(filter(None, keys[-1].groups()), "") if keys else ""
    between = caret.section.text[keys[-1].end() : caret.offset] if keys else ""
    is_value = keys and (_VALUE.match(between) or keys[-1][1] is None)
    return WrittenAt(schema, key if is_value else "")


def signature_at(caret: Caret, settings: CompletionSettings) -> Signature | None:
    """Return the parameters of the tool whose call is written at the caret; None outside of calls."""
    found = call_at(caret, settings)
    if found is None or found.schema.prepared is None:
        return None
    return found.schema.signature(found.key)._replace(in_value=bool(found.key))
