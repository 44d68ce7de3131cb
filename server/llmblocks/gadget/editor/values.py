"""Text of a value that the runtime drops or changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.facts.rule import NO_DATA, Rule
from llmblocks.gadget import rules
from llmblocks.gadget.syntax.javascript import SPACE, finite, rounded, shown
from llmblocks.gadget.syntax.values import FENCE, coerce

_LONG_NUMBER: Final = re.compile("[0-9][0-9.]{14}")
"""Matches a part of every number that float64 rounds."""
has_long_number: Final[Query[Section, bool]] = Query("long number", lambda lines: bool(_LONG_NUMBER.search(lines.text)))

EXACT_DIGITS: Final = 15
"""Float64 represents every number with fewer digits exactly."""

_FENCES = re.compile("`{3,}")
_RETURN = re.compile("\r\n?")
_LONE_RETURN = re.compile("\r(?!\n)")
_OWN_LINE = re.compile(r"(?:\r?\n|\A)[ \t]*\Z")
_OWN_LINE_OF_CHAT = re.compile(r"(?:\r{0,2}\n|\A)[ \t]*\Z")
"""The line end and the indent before an end marker or a fence."""
_MOST_DIGITS = 40


class ValueProblem(NamedTuple):
    """A problem of a value. Places count from the start of its text."""

    rule: Rule
    start: int
    end: int
    data: Mapping[str, object] = NO_DATA


def may_be_rounded(text: str, start: int, end: int) -> bool:
    """Return whether the value at a place may be a number that float64 rounds."""
    return end - start >= EXACT_DIGITS and _long_number_first().match(text, start, end) is not None


@cache
def _long_number_first() -> re.Pattern[str]:
    return re.compile(rf"[{SPACE}]*+-?{_LONG_NUMBER.pattern}")


def _kept_of(text: str, last: bool, crlf: bool) -> int:
    """Return the length of the part of a last value that reaches the gadget."""
    if not last:
        return len(text.removesuffix("\r\n" if crlf and text.endswith("\r\n") else "\n"))
    fence = _closing_fence(text)
    return len((text if fence < 0 else text[:fence]).rstrip(SPACE))


def _closing_fence(text: str) -> int:
    """Return the start of the backticks that the runtime removes from the end of a call; -1 without any."""
    end = len(text.rstrip(SPACE))
    return end - len(FENCE) if text.endswith(FENCE, 0, end) else -1


def lost_of(text: str, last: bool, closed: bool, crlf: bool) -> Iterator[ValueProblem]:
    """Yield the losses of a value.

    Args:
        text: The value with the line end after it.
        last: Whether it is the last value of its call.
        closed: Whether an end marker follows.
        crlf: Whether the chat around it reads `\\r\\n` as `\\n`.
    """
    kept = _kept_of(text, last, crlf)
    value = text[:kept]
    coerced = coerce(value.replace("\r\n", "\n") if crlf else value)
    number = None if isinstance(coerced, str) else coerced
    if number is not None:
        digits = value.strip(SPACE)
        if not isinstance(number, bool) and len(digits) > EXACT_DIGITS and rounded(digits):
            start = text.index(digits)
            shortened = digits if len(digits) <= _MOST_DIGITS else f"{digits[: _MOST_DIGITS - 1]}…"
            data = {"digits": shortened, "value": shown(finite(digits) or 0)}
            yield ValueProblem(rules.NUMBER_PRECISION_LOST, start, start + len(digits), data)
    elif "\r" in value:
        found = (_LONE_RETURN if crlf else _RETURN).search(value)
        if found:
            # with the line end after it, which the value may lack
            behind = "\r\n" if crlf else "" if found.group().endswith("\n") else "\n"
            end = found.end() + len(behind) * text.startswith(behind, found.end())
            yield ValueProblem(rules.CARRIAGE_RETURN_KEPT, found.start(), end)
    if not last:
        return
    fence = _closing_fence(text)
    # a fence on its own line may close one around all arguments, or one of the value
    is_inline = fence >= 0 and not _OWN_LINE.search(text[:fence])
    if fence >= 0 and (is_inline or len(_FENCES.findall(value)) % 2):
        yield ValueProblem(rules.CLOSING_FENCE_LOST, fence, fence + len(FENCE))
    elif fence >= 0 and not text[:fence].strip(" \t"):
        yield ValueProblem(rules.CLOSING_FENCE_LOST, fence, fence + len(FENCE), {"case": "value"})
    if closed:
        # before the end of a line of a chat, a return ends the line of the call
        own = _OWN_LINE_OF_CHAT if crlf else _OWN_LINE
        trimmed = own.sub("", text[: fence if fence >= 0 else len(text)])
        if len(trimmed) > kept and (number is None or not _is(coerce(trimmed.replace("\r\n", "\n")), number)):
            yield ValueProblem(rules.TRAILING_WHITESPACE_LOST, kept, len(trimmed))


def _is(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other
