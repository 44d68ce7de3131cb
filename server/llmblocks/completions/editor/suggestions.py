"""Completion of delimiters, tools and arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from llmblocks.completions.delimiters import texts_of
from llmblocks.completions.machine import OUTSIDE
from llmblocks.completions.scanner import State
from llmblocks.completions.shipped import template_called
from llmblocks.contract.caret import Caret, Suggestion
from llmblocks.core.layered import state_in

from .settings import CompletionSettings
from .view import regions_by

_TYPED = re.compile(r"(?:<[^<>\s]*|\[[A-Z_/]*)\Z")
_BEFORE = r"""(?:"(?:tool_)?name"\s*:\s*"|functions\.|function=|invoke name="|call:|\[TOOL_CALLS\])"""
_NAME = re.compile(_BEFORE + r"([\w.-]*)\Z")
_ARGUMENT = re.compile(r"""(?:[{,]\s*"|<parameter=|parameter name="|[{,]\s*)([A-Za-z_]\w*)?\Z""")
_CALLED = re.compile(_BEFORE + r"([\w.-]+)")


def suggest(caret: Caret, settings: CompletionSettings) -> Iterator[Suggestion]:
    """Yield the delimiters, tools and arguments that match the typed text."""
    template = template_called(settings.template)
    number = _open_at(caret, settings)
    field = None if number == OUTSIDE else template.fields[number]
    if typed := _TYPED.search(caret.before):
        if field is not None:
            texts = [(text, f"Closes {field.name}") for text in texts_of(field, opens=False)]
        else:
            texts = [(text, f"Begins {each.name}") for each in template.fields for text in texts_of(each, opens=True)]
        for text, detail in texts:
            if text.startswith(typed[0]):
                over = 1 if caret.after[:1] == text[-1:] else 0
                yield Suggestion(text, len(typed[0]), detail, "tag", over=over)
        return
    if not settings.gadgets.names:
        return
    if found := _NAME.search(caret.before):
        for name in settings.gadgets.names:
            yield Suggestion(name, len(found[1]), "A tool of the settings", "function")
    elif field is not None and field.is_structured and (argument := _ARGUMENT.search(caret.before)):
        called = [*_CALLED.finditer(caret.section.text, 0, caret.offset)]
        schema = settings.gadgets.find(called[-1][1]) if called else None
        known = schema.prepared.json if schema is not None and schema.prepared is not None else None
        names = known.get("properties") if isinstance(known, dict) else None
        for name in names if isinstance(names, dict) else ():
            yield Suggestion(name, len(argument[1] or ""), f"An argument of {called[-1][1]}", "parameter")


def _open_at(caret: Caret, settings: CompletionSettings) -> int:
    """Return the number of the field of the region at the caret."""
    for region in regions_by(template_called(settings.template))(caret.section):
        field = region.field
        if field is not None and field.open is not None and region.content <= caret.offset <= region.content_end:
            return field.number
    state = state_in(caret.section.before, State)
    return OUTSIDE if state is None else state.field
