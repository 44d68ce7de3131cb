"""The message made from the values of regions."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from llmblocks.completions.content import Malformed, value_of
from llmblocks.completions.template import Template, TemplateField
from llmblocks.completions.tools import Tools, typed


class MessageValues:
    """The values of a message, by field name."""

    def __init__(self, template: Template, tools: Tools) -> None:
        self._template = template
        self._tools = tools
        self.values: dict[str, Any] = deepcopy(dict(template.defaults))

    def add(self, field: TemplateField, text: str, captures: Mapping[str, str]) -> tuple[Any, Malformed | None]:
        """Read a region; return its value, or the reason why it has none."""
        value, malformed = value_of(field, text, captures)
        if malformed is not None:
            return None, malformed
        value, values = typed(value, self._tools), self.values
        if field.join is not None:
            if not isinstance(value, str):
                return None, Malformed("only texts can be joined", 0, len(text))
            before = values.get(field.name)
            values[field.name] = value if before is None else before + field.join + value
        elif field.repeats:
            values.setdefault(field.name, []).append(value)
        else:
            values[field.name] = value
        return value, None

    def missing(self) -> list[str]:
        """Return the required fields without a value."""
        return [each.name for each in self._template.fields if not each.optional and each.name not in self.values]

    def message(self) -> dict[str, Any]:
        """Return the values without the empty ones. Fields in the template's defaults always stay."""
        kept = self._template.defaults
        return {name: value for name, value in self.values.items() if name in kept or not _is_empty(value)}


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, list | dict | str) and not value)
