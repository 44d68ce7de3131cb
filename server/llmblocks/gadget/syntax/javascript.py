"""The parts of JavaScript that decide the values of parameters: trimming, numbers, methods."""

from __future__ import annotations

import math
import re

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
    """Read a number as `Number(text)` does, with white space around it.

    Returns:
        A whole number as an `int` (as JavaScript writes the float64, so `9007199254740993` gives 9007199254740992 and
        `-0` gives 0), any other as a `float`; None for NaN, an infinity or a blank text.
    """
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
    """Return a whole float64 with the digits that JavaScript writes: 12345678901234567890 becomes 12345678901234567000.

    From 1e21 up, where JavaScript writes an exponent, it is the value itself.
    """
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
