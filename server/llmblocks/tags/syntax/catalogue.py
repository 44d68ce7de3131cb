"""The catalogue of problems with custom blocks: codes, severities and wordings."""

from __future__ import annotations

from typing import Final

from llmblocks.core.problem import Case, ProblemKind
from llmblocks.core.severity import Severity

_MISSPELT = "it stays text; write '{better}' if you mean that tag"

UNCLOSED_BLOCK: Final = ProblemKind(
    "T001",
    "unclosed-block",
    Severity.WARNING,
    "The block <{tag}> is never closed",
    "all text from here to the end is its content; close it with </{tag}>",
    {
        "in-message": Case(
            "The block <{tag}> is never closed",
            "all text from here to the end of its message is its content; close it with </{tag}>",
        )
    },
)
STRAY_CLOSING_TAG: Final = ProblemKind(
    "T002",
    "stray-closing-tag",
    Severity.WARNING,
    "</{tag}> closes no block",
    "it stays in the visible text; remove it",
)
SPACED_CLOSING_TAG: Final = ProblemKind(
    "T003",
    "spaced-closing-tag",
    Severity.WARNING,
    "Blank in a closing tag",
    "it is content and closes nothing; write </{tag}>",
)
MISSPELT_TAG: Final = ProblemKind(
    "T004",
    "misspelt-tag",
    Severity.WARNING,
    "'{name}' is not a registered tag",
    _MISSPELT,
    {"guess": Case("'{name}' is not a registered tag", _MISSPELT, Severity.INFORMATION)},
)
NESTED_SAME_TAG: Final = ProblemKind(
    "T005",
    "nested-same-tag",
    Severity.WARNING,
    "<{tag}> inside its own block is content",
    "the first </{tag}> closes the outer block; close that one first",
)
ANGLE_BRACKET_IN_ATTRIBUTE: Final = ProblemKind(
    "T006",
    "angle-bracket-in-attribute",
    Severity.WARNING,
    "'>' ends the tag inside the value of '{attribute}'",
    "the rest of the tag is content; remove the '>' from the value",
    {
        "self-closing": Case(
            "'/>' closes the tag inside the value of '{attribute}'",
            "the rest of the tag is visible text; remove the '>' from the value",
        )
    },
)
DUPLICATE_ATTRIBUTE: Final = ProblemKind(
    "T007",
    "duplicate-attribute",
    Severity.WARNING,
    "Attribute '{attribute}' is given again after this one",
    "the last one counts; remove this one",
)
SLASH_ENDS_UNQUOTED_VALUE: Final = ProblemKind(
    "T008",
    "slash-ends-unquoted-value",
    Severity.WARNING,
    "The value of '{attribute}' ends at its first '/'",
    "the rest is lost; quote the value",
    {
        "attributes": Case(
            "The value of '{attribute}' ends at its first '/'",
            "the rest is read as other attributes ({names}); quote the value",
        )
    },
)
SWALLOWED_OPENING_BRACKET: Final = ProblemKind(
    "T009",
    "swallowed-opening-bracket",
    Severity.WARNING,
    "Tag hidden by the '<' before it",
    "it is read as text; remove that '<', or put a blank after it",
)
SPACED_SELF_CLOSING: Final = ProblemKind(
    "T010",
    "spaced-self-closing",
    Severity.WARNING,
    "'/ >' does not close the tag",
    "the tag opens a block; write '/>' without a blank",
)
UNKNOWN_ATTRIBUTE: Final = ProblemKind(
    "T101",
    "unknown-attribute",
    Severity.WARNING,
    "<{tag}> has no attribute '{attribute}'",
    "no program expects this value; {hint}, or declare it in the settings",
)
MISSING_ATTRIBUTE: Final = ProblemKind(
    "T102",
    "missing-attribute",
    Severity.WARNING,
    "<{tag}> needs the attribute '{attribute}'",
    "the settings require it; add it to the tag",
)
RULED: Final = (
    UNCLOSED_BLOCK,
    STRAY_CLOSING_TAG,
    SPACED_CLOSING_TAG,
    MISSPELT_TAG,
    NESTED_SAME_TAG,
    ANGLE_BRACKET_IN_ATTRIBUTE,
    DUPLICATE_ATTRIBUTE,
    SLASH_ENDS_UNQUOTED_VALUE,
    SWALLOWED_OPENING_BRACKET,
    SPACED_SELF_CLOSING,
    UNKNOWN_ATTRIBUTE,
    MISSING_ATTRIBUTE,
)
"""The kinds with a rule, which an editor reports."""
