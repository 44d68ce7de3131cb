"""The error that validators of settings raise: see the stand-in for pydantic."""

from __future__ import annotations

from collections.abc import Mapping


class PydanticCustomError(ValueError):
    """An error with a type and a text of its own."""

    def __init__(self, kind: str, template: str, context: Mapping[str, object] | None = None) -> None:
        super().__init__(template.format_map(context or {}))
        self.type = kind
