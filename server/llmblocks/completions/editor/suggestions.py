"""Completion of delimiters, tools and arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from llmblocks.completions.delimiters import texts_of
from llmblocks.completions.shipped import template_called
from llmblocks.contract.arguments import Schema
from llmblocks.contract.caret import Caret, Suggestion

from .call_at import BEFORE_NAME, call_at, field_at
from .settings import CompletionSettings

_TYPED = re.compile(r"(?:<[^<>\s]*|\[[A-Z_/]*)\Z")
_NAME = re.compile(BEFORE_NAME + r"([\w.-]*)\Z")
_ARGUMENT = re.compile(r"""(?:[{,]\s*"|<parameter=|parameter name="|[{,]\s*)([A-Za-z_]\w*)?\Z""")


def suggest(caret: Caret, settings: CompletionSettings) -> Iterator[Suggestion]:
    """Yield the delimiters, tools and arguments that match the typed text."""
    if found := _NAME.search(caret.before):
        for name in settings.gadgets.names:
            if (schema := settings.gadgets.find(name)) is not None:
                yield Suggestion(name, len(found[1]), "A tool of the settings", "function", more=_about(schema))
    elif (argument := _ARGUMENT.search(caret.before)) and (call := call_at(caret, settings)):
        for member in call.schema.members:
            yield Suggestion(member.pointer, len(argument[1] or ""), member.summary, "parameter")
    elif typed := _TYPED.search(caret.before):
        field = field_at(caret, settings)
        if field is not None:
            texts = [(text, f"Closes {field.name}") for text in texts_of(field, opens=False)]
        else:
            fields = template_called(settings.template).fields
            texts = [(text, f"Begins {each.name}") for each in fields for text in texts_of(each, opens=True)]
        for text, detail in texts:
            if text.startswith(typed[0]):
                over = 1 if caret.after[:1] == text[-1:] else 0
                yield Suggestion(text, len(typed[0]), detail, "tag", over=over)


def _about(schema: Schema) -> Callable[[], str]:
    return lambda: schema.documentation
