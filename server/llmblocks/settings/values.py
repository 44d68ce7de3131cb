"""The settings as plain values. `settings/model.py` validates them, and is loaded only for that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from llmblocks.gadget.syntax.markers import Markers

Dialect = Literal["auto", "@", ";"]
SeverityName = Literal["off", "hint", "information", "warning", "error"]
Delivery = Literal["auto", "push", "pull"]

DEFAULT_TAGS = ("think", "thinking", "reasoning", "answer", "artifact", "tool", "result")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, with their defaults.

    Shape: `select` and `ignore` hold codes or prefixes of codes, an empty `select` means all; `severity` pairs codes or
           prefixes with their severities; `tags` are the names of custom blocks.
    """

    markers: Markers = field(default_factory=Markers)
    dialect: Dialect = "auto"
    tags: tuple[str, ...] = DEFAULT_TAGS
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, SeverityName], ...] = ()
    max_diagnostics: int = 2000
    max_size_mb: float = 50.0
    delivery: Delivery = "auto"


DEFAULTS = Settings()
