"""The attribute list between a tag's name and its `>`."""

from __future__ import annotations

import re
from typing import NamedTuple

# What JavaScript's trim strips, which is not what str.strip() does: U+FEFF is in, U+001C to U+001F and U+0085 are not.
TRIMMED = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

# A quote that is never closed takes the rest of the list. What fits nothing here is skipped, one character at a time.
_ATTRIBUTE = re.compile(
    r"([A-Za-z_][A-Za-z0-9_-]*+)"
    r"""(?:[ \t\n\r]*+=[ \t\n\r]*+(?:"([^"]*+)("?)|'([^']*+)('?)|([^ \t\n\r>/]*+)))?+"""
)


# The same, with nothing in groups but what a value needs.
_VALUE = re.compile(
    r"([A-Za-z_][A-Za-z0-9_-]*+)"
    r"""(?:[ \t\n\r]*+=[ \t\n\r]*+(?:"([^"]*+)"?|'([^']*+)'?|([^ \t\n\r>/]*+)))?+"""
)


class Attribute(NamedTuple):
    """One attribute of a list, with its place.

    Shape: offsets are code points from the start of the list; those of the value leave out its quotes, and are both
           the end of the name where the attribute has no `=`. `quote` is `"`, `'` or empty.
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


def attributes(text: str) -> tuple[Attribute, ...]:
    """Every attribute of a list, in its order, repeated ones too.

    Errors: none; characters that belong to no attribute are skipped.
    """
    found = []
    stop = len(text.rstrip(TRIMMED))
    for match in _ATTRIBUTE.finditer(text, 0, stop):
        name_start, name_end = match.span(1)
        group = match.lastindex or 1
        if group == 1:
            found.append(Attribute(match[1], "", name_start, name_end, name_end, name_end, "", True, True))
            continue
        closed = True
        quote = ""
        if group != 6:
            closed = bool(match[group])
            group -= 1
            quote = '"' if group == 2 else "'"
        start, end = match.span(group)
        found.append(Attribute(match[1], match[group], name_start, name_end, start, end, quote, closed, False))
    return tuple(found)


def parse_attributes(text: str) -> dict[str, str]:
    """Read an attribute list as the reference does.

    Shape:  `a="1" b='x y' c=3 d` -> {"a": "1", "b": "x y", "c": "3", "d": ""}; the last of a repeated name wins.
    Errors: none; what fits nothing is skipped. `__proto__` is never an attribute: assigning it to a JavaScript object
            is without effect.
    """
    found: dict[str, str] = {}
    # The trailing trim is visible in an unquoted value or an unclosed quote; the leading one nowhere.
    if not text.endswith(('"', "'")):
        text = text.rstrip(TRIMMED)
    for name, double, single, bare in _VALUE.findall(text):
        found[name] = double or single or bare
    found.pop("__proto__", None)
    return found
