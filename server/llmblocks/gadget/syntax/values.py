"""The values in the body of a call, and the parts of JavaScript that decide them: trimming, numbers, methods."""

from __future__ import annotations

import math
import re
from typing import Literal

from llmblocks.core.chunks import expect_text
from llmblocks.json5.finite import written

SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""The characters of `String.prototype.trim`: unlike `str.strip()`, with U+FEFF, without U+001C to U+001F and U+0085."""

SPACES = frozenset(["", *SPACE])
"""The same characters one by one, and the empty string."""

Number = int | float

_OF_TEXT = (
    "anchor at big blink bold charAt charCodeAt codePointAt concat endsWith fixed fontcolor fontsize includes indexOf "
    "isWellFormed italics lastIndexOf link localeCompare match matchAll normalize padEnd padStart repeat replace "
    "replaceAll search slice small split startsWith strike sub substr substring sup toLocaleLowerCase "
    "toLocaleUpperCase toLowerCase toUpperCase toWellFormed trim trimEnd trimLeft trimRight trimStart"
)
_OF_NUMBERS = frozenset(("toExponential", "toFixed", "toPrecision"))

METHODS: dict[type, frozenset[str]] = {
    str: frozenset(_OF_TEXT.split()),
    int: _OF_NUMBERS,
    float: _OF_NUMBERS,
    bool: frozenset(),
}
"""The methods of texts and of numbers, besides those of every object."""

_EXACT = 2**53


_DECIMAL = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_PREFIXED = r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)"


def number(text: str) -> Number | None:
    """Read a number as `Number(text)` does, a whole one as an `int`; None if it is not finite, or for a blank text."""
    text = text.strip(SPACE)
    if re.fullmatch(_DECIMAL, text):
        return finite(text)
    try:
        return _whole(float(int(text, 0))) if re.fullmatch(_PREFIXED, text) else None
    except OverflowError:
        return None


def finite(decimal: str) -> Number | None:
    """Return the float64 nearest to a decimal literal, as an `int` if it is whole; None if it overflows."""
    if len(decimal) < 16:
        try:
            return int(decimal)
        except ValueError:
            pass
    value = float(decimal)
    if not value.is_integer():
        return value if math.isfinite(value) else None
    return _whole(value)


def _whole(value: float) -> int:
    """Return a whole float64 with JavaScript's digits: 12345678901234567890 becomes 12345678901234567000."""
    return int(shown(value)) if _EXACT < abs(value) < 1e21 else int(value)


def leading_integer(text: str) -> Number | None:
    """Read the leading integer of a text as `parseInt(text, 10)` does: None is NaN, `inf` a number too long."""
    found = re.match(rf"[{SPACE}]*([+-]?)([0-9]+)", text)
    if not found:
        return None
    digits = found[2].lstrip("0") or "0"
    value: Number = math.inf if len(digits) > 309 else float(digits)
    value = value if math.isinf(value) else int(value)
    return -value if found[1] == "-" else value


def rounded(decimal: str) -> bool:
    """Return whether float64 rounds a decimal literal."""
    from decimal import Decimal

    value = float(decimal)
    return math.isfinite(value) and Decimal(repr(value)) != Decimal(decimal)


def shown(value: Number) -> str:
    """Write a number as `String(value)` does: `1`, `0.1`, `1e+21`."""
    if isinstance(value, int) and abs(value) <= _EXACT:
        return str(value)
    real = float(value)
    if math.isfinite(real):
        return written(real or 0.0).removesuffix(".0")
    return repr(real).replace("nan", "NaN").replace("inf", "Infinity")


Scalar = str | int | float | bool
Expected = Literal["string", "number", "boolean", "unknown"]
"""The type in a schema of the value at a pointer, as far as coercion needs it."""

BACKTICK = "`"
FENCE = BACKTICK * 3

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_OPENING_FENCE = rf"```(?:toml|yaml|json)?[{SPACE}]*\n"
_BOOLEANS = {"true": True, "false": False}

COERCIBLE = frozenset("tf-0123456789" + SPACE)
"""The first characters of values that are not text."""


def type_of(value: Scalar) -> Literal["boolean", "number", "text"]:
    """Return the type of a value, as messages name it."""
    return "boolean" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"


def strip_fences(text: str) -> str:
    """Trim a body and remove a Markdown fence around it, as llmist does before it splits arguments."""
    text = text.strip(SPACE)
    opening = re.match(_OPENING_FENCE, text, re.IGNORECASE | re.ASCII)
    return last_value(text[opening.end() :] if opening else text).lstrip(SPACE)


def last_value(text: str) -> str:
    """Return the last value of a body, as `strip_fences` leaves it."""
    text = text.rstrip(SPACE)
    return text[:-3].removesuffix("\n").rstrip(SPACE) if text.endswith(FENCE) else text


def coerce(text: str, expected: Expected = "unknown") -> Scalar:
    """Convert a text to the type its text suggests, or that a schema expects. Never raises.

    "42" -> 42, "true" -> True, " 42 " -> 42, "42\\n" -> "42\\n" (a value of several lines stays text). With "string":
    the text itself. With "number": every finite `Number(text)`: "1e5", "0x10", ".5". A value that does not fit stays
    text, for validation to refuse.

    Source: the gadget block format, "Automatic Type Coercion" and "Schema-Aware Coercion"; numbers are JavaScript's.
    """
    expect_text(text, "coerce")
    if expected == "unknown":
        if text.isdecimal() and len(text) < 16 and text.isascii():
            return int(text)
        if "\n" in text or text[:1] not in COERCIBLE:
            return text
        trimmed = text.strip(SPACE)
        if trimmed in _BOOLEANS:
            return _BOOLEANS[trimmed]
        found = finite(trimmed) if _NUMBER.fullmatch(trimmed) else None
    elif expected == "string" or "\n" in text:
        return text
    elif expected == "boolean":
        return _BOOLEANS.get(text.strip(SPACE), text)
    else:
        found = number(text)
    return text if found is None else found
