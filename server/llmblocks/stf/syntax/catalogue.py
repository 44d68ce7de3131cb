"""Everything that can be wrong in Simple Text Format: codes, severities and wordings."""

from __future__ import annotations

from typing import Final

from llmblocks.core.finding import Severity
from llmblocks.core.problem import ProblemKind

UNMATCHED_COMMENT_END: Final = ProblemKind(
    "S001",
    "unmatched-comment-end",
    Severity.ERROR,
    "Unexpected block comment end",
    "no comment block is open here, and decoding fails; remove this line",
)
UNTERMINATED_COMMENT: Final = ProblemKind(
    "S002",
    "unterminated-comment",
    Severity.ERROR,
    "Unterminated block comment",
    "all text from here to the end is lost; end it with a line `{header}*/`",
)
