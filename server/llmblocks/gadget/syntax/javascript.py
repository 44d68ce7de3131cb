"""The parts of JavaScript that decide the values of parameters: trimming, numbers, methods."""

from __future__ import annotations

import math
import re
from functools import cache

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


# compiled only for the few texts that need them
@cache
def _decimal() -> re.Pattern[str]:
    return re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@cache
def _prefixed() -> re.Pattern[str]:
    return re.compile(r"0(?:[xX](?P<x>[0-9a-fA-F]+)|[oO](?P<o>[0-7]+)|[bB](?P<b>[01]+))")


@cache
def _sign_and_digits() -> re.Pattern[str]:
    return re.compile(rf"[{SPACE}]*([+-]?)([0-9]+)")


def trim(text: str) -> str:
    """Remove white space from both ends, as in `String.prototype.trim`."""
    return text.strip(SPACE)


def number(text: str) -> Number | None:
    """Read a number as `Number(text)` does, with white space around it.

    Returns:
        A whole number as an `int` (as JavaScript writes the float64, so `9007199254740993` gives 9007199254740992 and
        `-0` gives 0), any other as a `float`; None for NaN, an infinity or a blank text.
    """
    text = text.strip(SPACE)
    if _decimal().fullmatch(text):
        return finite(text)
    found = _prefixed().fullmatch(text)
    if not found:
        return None
    base = {"x": 16, "o": 8, "b": 2}[found.lastgroup or "x"]
    digits = found[found.lastgroup or "x"].lstrip("0")
    if len(digits) * math.log2(base) > 1100:
        return None  # beyond the largest float64: skip the arithmetic
    try:
        return _whole(float(int(digits or "0", base)))
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
    """Return a whole float64 with the digits that JavaScript writes: 12345678901234567890 becomes 12345678901234567000.

    From 1e21 up, where JavaScript writes an exponent, it is the value itself.
    """
    return int(shown(value)) if _EXACT < abs(value) < 1e21 else int(value)


def leading_integer(text: str) -> Number | None:
    """Read the leading integer of a text as `parseInt(text, 10)` does: None is NaN, `inf` a number too long."""
    found = _sign_and_digits().match(text)
    if not found:
        return None
    sign, digits = found.groups()
    digits = digits.lstrip("0") or "0"
    if len(digits) > 309:
        return -math.inf if sign == "-" else math.inf
    value = int(digits)
    if value > _EXACT:
        rounded = float(digits)
        if math.isinf(rounded):
            return -rounded if sign == "-" else rounded
        value = int(rounded)
    return -value if sign == "-" else value


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
    if math.isnan(real):
        return "NaN"
    if math.isinf(real):
        return "Infinity" if real > 0 else "-Infinity"
    if real and not 1e-6 <= abs(real) < 1e21:
        return re.sub(r"e([+-])0", r"e\1", repr(real))
    from decimal import Decimal

    written = format(Decimal(repr(real)), "f").removesuffix(".0")
    return "0" if written == "-0" else written
