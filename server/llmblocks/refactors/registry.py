"""All refactorings, in the order in which editors list them."""

from __future__ import annotations

from typing import Final

from llmblocks.refactors import comments, dialect, escape, inline, json_value, new_message, renumber, wrap
from llmblocks.refactors.refactoring import Refactoring

REFACTORINGS: Final[tuple[Refactoring, ...]] = (
    json_value.SPREAD,
    json_value.COLLECT,
    renumber.RENUMBER,
    new_message.EXTRACT,
    dialect.CONVERT,
    escape.ESCAPE,
    escape.BREAK,
    comments.COMMENT,
    comments.UNCOMMENT,
    wrap.IN_CALL,
    wrap.IN_BLOCK,
    inline.UNWRAP,
    inline.JOIN,
)
