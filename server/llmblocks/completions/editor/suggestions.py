"""Completion of delimiters, tools and arguments, and the call that is written at the caret."""

from __future__ import annotations

import re
from collections.abc import Iterator

from llmblocks.completions.machine import OUTSIDE, texts_of
from llmblocks.completions.scanner import State, regions_by
from llmblocks.completions.shipped import template_called
from llmblocks.completions.template import TemplateField
from llmblocks.contract.arguments import Schema
from llmblocks.contract.caret import Caret, Signature, Suggestion
from llmblocks.core.layered import state_in

from .layer import CompletionSettings

_BEFORE_NAME = r"""(?:"(?:tool_)?name"\s*:\s*"|functions\.|function=|invoke name="|call:|\[TOOL_CALLS\])"""
_NAMED = re.compile(_BEFORE_NAME + r"([\w.-]+)")
_KEY = re.compile(r"""[{,]\s*"?([A-Za-z_]\w*)"?\s*:|<parameter=([^<>\n]+)>|parameter name="([^"\n]+)\"""")
_VALUE = re.compile(r"""\s*(?:[^\s,{}<>"]+|"[^"]*)?\Z""")
_TYPED = re.compile(r"(?:<[^<>\s]*|\[[A-Z_/]*)\Z")
_NAME = re.compile(_BEFORE_NAME + r"([\w.-]*)\Z")
_ARGUMENT = re.compile(r"""(?:[{,]\s*"|<parameter=|parameter name="|[{,]\s*)([A-Za-z_]\w*)?\Z""")


def suggest(caret: Caret, settings: CompletionSettings) -> Iterator[Suggestion]:
    """Yield the delimiters, tools and arguments that match the typed text."""
    if found := _NAME.search(caret.before):
        for name in settings.gadgets.names:
            if (schema := settings.gadgets.find(name)) is not None:
                yield Suggestion(name, len(found[1]), "A tool of the settings", "function", more=schema.documentation)
    elif (argument := _ARGUMENT.search(caret.before)) and (call := _call_at(caret, settings)):
        for member in call[0].members:
            yield Suggestion(member.pointer, len(argument[1] or ""), member.summary, "parameter")
    elif typed := _TYPED.search(caret.before):
        field = _field_at(caret, settings)
        if field is not None:
            texts = [(text, f"Closes {field.name}") for text in texts_of(field, opens=False)]
        else:
            fields = template_called(settings.template).fields
            texts = [(text, f"Begins {each.name}") for each in fields for text in texts_of(each, opens=True)]
        for text, detail in texts:
            if text.startswith(typed[0]):
                over = 1 if caret.after[:1] == text[-1:] else 0
                yield Suggestion(text, len(typed[0]), detail, "tag", over=over)


def _field_at(caret: Caret, settings: CompletionSettings) -> TemplateField | None:
    """Return the field of the region at the caret; None outside of those with delimiters."""
    template = template_called(settings.template)
    for region in regions_by(template)(caret.section):
        field = region.field
        if field is not None and field.open is not None and region.content <= caret.offset <= region.content_end:
            return field
    state = state_in(caret.section.before, State)
    return None if state is None or state.field == OUTSIDE else template.fields[state.field]


def _call_at(caret: Caret, settings: CompletionSettings) -> tuple[Schema, str] | None:
    """Return the tool whose call is at the caret, and the argument whose value is written, empty for none."""
    if not settings.gadgets.names or (field := _field_at(caret, settings)) is None or not field.is_structured:
        return None
    called = [*_NAMED.finditer(caret.section.text, 0, caret.offset)]
    schema = settings.gadgets.find(called[-1][1]) if called else None
    if schema is None:
        return None
    keys = [*_KEY.finditer(caret.section.text, called[-1].end(), caret.offset)]
    key = next(filter(None, keys[-1].groups()), "") if keys else ""
    between = caret.section.text[keys[-1].end() : caret.offset] if keys else ""
    is_value = keys and (_VALUE.match(between) or keys[-1][1] is None)
    return schema, key if is_value else ""


def signature_at(caret: Caret, settings: CompletionSettings) -> Signature | None:
    """Return the parameters of the tool whose call is written at the caret; None outside of calls."""
    schema, key = _call_at(caret, settings) or (None, "")
    if schema is None or schema.prepared is None:
        return None
    return schema.signature(key)._replace(in_value=bool(key))
