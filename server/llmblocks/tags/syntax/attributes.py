"""The attribute list between a tag's name and its `>`."""

from __future__ import annotations

import re
from typing import NamedTuple

# The characters of JavaScript's trim: unlike str.strip(), with U+FEFF, without U+001C to U+001F and U+0085.
TRIMMED = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

# An unclosed quote takes the rest of the list. Characters that fit nothing are skipped one at a time.
_ATTRIBUTE = re.compile(
    r"([A-Za-z_][A-Za-z0-9_-]*+)"
    r"""(?:[ \t\n\r]*+=[ \t\n\r]*+(?:"([^"]*+)("?)|'([^']*+)('?)|([^ \t\n\r>/]*+)))?+"""
)


# The same, with groups only for the value.
_VALUE = re.compile(
    r"([A-Za-z_][A-Za-z0-9_-]*+)"
    r"""(?:[ \t\n\r]*+=[ \t\n\r]*+(?:"([^"]*+)"?|'([^']*+)'?|([^ \t\n\r>/]*+)))?+"""
)


class PlacedAttribute(NamedTuple):
    """An attribute with its place.

    Offsets are code points from the start of the list; those of the value exclude its quotes, and equal the end of the
    name without a `=`. `quote` is `"`, `'` or empty.
    """

    name: str
    value: str
    name_start: int
    name_end: int
    value_start: int
    value_end: int
    quote: str
    closed: bool
    boolean: bool


def attributes(text: str) -> tuple[PlacedAttribute, ...]:
    """Return all attributes of a list in order, with repeated ones.

    Never raises; characters that belong to no attribute are skipped.
    """
    found = []
    stop = len(text.rstrip(TRIMMED))
    for match in _ATTRIBUTE.finditer(text, 0, stop):
        name_start, name_end = match.span(1)
        group = match.lastindex or 1
        if group == 1:
            found.append(PlacedAttribute(match[1], "", name_start, name_end, name_end, name_end, "", True, True))
            continue
        closed = True
        quote = ""
        if group != 6:
            closed = bool(match[group])
            group -= 1
            quote = '"' if group == 2 else "'"
        start, end = match.span(group)
        found.append(PlacedAttribute(match[1], match[group], name_start, name_end, start, end, quote, closed, False))
    return tuple(found)


def parse_attributes(text: str) -> dict[str, str]:
    """Read an attribute list as in the reference.

    `a="1" b='x y' c=3 d` -> {"a": "1", "b": "x y", "c": "3", "d": ""}; the last of a repeated name wins. Never raises;
    invalid characters are skipped. `__proto__` is never an attribute: assigning it to a JavaScript object has no
    effect.
    """
    found: dict[str, str] = {}
    # The trim at the end shows in an unquoted value or an unclosed quote; the one at the start never shows.
    if not text.endswith(('"', "'")):
        text = text.rstrip(TRIMMED)
    for name, double, single, bare in _VALUE.findall(text):
        found[name] = double or single or bare
    found.pop("__proto__", None)
    return found
