"""The colours of JSON5."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from llmblocks.contract.paint import Painted

# Line by line and without brackets: a comment line may cut a body anywhere, and the start of a section must not matter.
# So continued constructs are recognised by their form: a line of a comment begins with `*`, or has a lone `*/`.
_TOKEN: Final = re.compile(
    r"""(?P<comment>//[^\n\r]*+|/\*(?:(?!\*/)[^\n\r])*+(?:\*/)?+
        |^[ \t]*+\*(?:/|(?:(?!\*/)[^\n\r])*+(?:\*/)?+)|^(?:(?!/\*|\*/|//)[^\n\r"'])*+\*/)
    |(?P<string>(?:"(?:[^"\\\n\r]|\\[^\n\r])*+\\?+"?+|'(?:[^'\\\n\r]|\\[^\n\r])*+\\?+'?+)(?P<key>[ \t]*+:)?+)
    |(?P<number>[+-]?(?:0[xX][0-9a-fA-F]++|Infinity|NaN|(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][+-]?\d++)?+)
        (?![\w$]|\\u[0-9a-fA-F]{4}|[ \t]*+:))
    |(?P<word>(?:[\w$]|\\u[0-9a-fA-F]{4})++(?P<name>[ \t]*+:)?+)""",
    re.VERBOSE | re.MULTILINE,
)


def json5(text: str, at: int) -> Iterator[Painted]:
    """Yield the keys, strings, numbers, keywords and comments of JSON5 at an offset of a section."""
    for found in _TOKEN.finditer(text):
        start, end, role = found.start(), found.end(), found.lastgroup or ""
        if found["key"] is not None or found["name"] is not None:
            end, role = found.start("key" if found["key"] is not None else "name"), "property"
        elif role == "word":
            if found[0] not in ("true", "false", "null"):
                continue
            role = "keyword"
        yield Painted(at + start, at + end, role)
