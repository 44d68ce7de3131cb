"""The catalogue of problems with settings: codes, severities and wordings."""

from __future__ import annotations

from typing import Final

from llmblocks.core.problem import Case, ProblemKind
from llmblocks.core.severity import Severity

INVALID_SETTING: Final = ProblemKind(
    "C001",
    "invalid-setting",
    Severity.ERROR,
    "{setting} is {value}",
    "{need}; {effect}",
    cases={
        "name": Case("{setting}: the name is {value}", "{need}; {effect}"),
        "rule": Case("{setting}: no rule has the code or name {value}", "{need}; it is left out"),
        "whole": Case("the settings are {value}", "they must be an object; the defaults are used"),
        "too many": Case("there are more than {most} names in the settings", "the defaults are used"),
        "more": Case("and {count} more problems in the settings: correct these first"),
        "unreadable": Case("the settings cannot be read: {reason}", "the defaults are used"),
    },
)
UNKNOWN_SETTING: Final = ProblemKind("C002", "unknown-setting", Severity.WARNING, "unknown setting {setting}", "{hint}")
UNREADABLE_SCHEMA: Final = ProblemKind("C003", "unreadable-schema", Severity.ERROR, "{reason}")
OVERLAPPING_MARKERS: Final = ProblemKind(
    "C004", "overlapping-markers", Severity.ERROR, "{reason}", "the default markers are used"
)

RULED: Final = (INVALID_SETTING, UNKNOWN_SETTING, UNREADABLE_SCHEMA, OVERLAPPING_MARKERS)
"""All of them; none is stated by a format."""
