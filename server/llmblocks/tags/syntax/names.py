"""Tag names, and the patterns that find registered tags."""

from __future__ import annotations

import re
from collections.abc import Iterable

NAME = r"[A-Za-z_][A-Za-z0-9_-]*+"
SPACE = " \t\n\r"
"""What may follow a tag's name besides `>` and `/`; no other whitespace does."""

_NAME = re.compile(NAME)
_NEVER = "(?!)"


def is_name(text: str) -> bool:
    """Whether a tag of this name can be met: ASCII letters, digits, `_` and `-`, beginning with a letter or `_`."""
    return _NAME.fullmatch(text) is not None


def alternatives(names: Iterable[str]) -> str:
    """A pattern for any one of some names; it matches nothing where there are none."""
    return "|".join(sorted(map(re.escape, filter(is_name, names)))) or _NEVER


def text_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Match a run of visible text, and after it an opening tag's name (group 1) and the character that ends it (2).

    Shape: neither group is set where the text ends first; the run then stops before a `<` that may still become a tag.
    """
    known = alternatives(names)
    # A `<` that begins no registered tag takes along its name and the one character after it, whatever that is. This is
    # how `<<think>` comes to be missed: the second bracket belongs to the first.
    dull = rf"<(?!(?:{known})[>/ \t\n\r])(?:{NAME})?+[\s\S]"
    return re.compile(rf"[^<]*+(?:{dull}[^<]*+)*+(?:<({known})([>/ \t\n\r]))?+")


def content_pattern(name: str) -> re.Pattern[str]:
    """Match a run of a block's content, and after it the block's closing tag (group 1).

    Shape: the group is not set where the text ends first; the run then stops before a `<` that may still close.
    """
    closing = rf"/{re.escape(name)}>"
    return re.compile(rf"[^<]*+(?:<(?!{closing})(?:/(?:{NAME})?+)?+[\s\S][^<]*+)*+(<{closing})?+")
