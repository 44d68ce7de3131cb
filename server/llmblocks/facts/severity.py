"""Severities of findings."""

from __future__ import annotations

from enum import IntEnum


class Severity(IntEnum):
    """The severity of a finding, numbered as in the language server protocol."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4
