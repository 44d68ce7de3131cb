"""Tag names, and the patterns that find registered tags."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

NAME = r"[A-Za-z_][A-Za-z0-9_-]*+"
SPACE = " \t\n\r"
"""The whitespace that may follow a tag's name, besides `>` and `/`."""

_NAME = re.compile(NAME)
_NEVER = "(?!)"


def is_name(text: str) -> bool:
    """Return whether a tag can have this name: ASCII letters, digits, `_` and `-`, beginning with a letter or `_`."""
    return _NAME.fullmatch(text) is not None


def alternatives(names: Iterable[str]) -> str:
    """Return a pattern for any of some names; without names, it matches nothing."""
    return "|".join(sorted(map(re.escape, filter(is_name, names)))) or _NEVER


def text_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Match a run of visible text, and after it an opening tag's name (group 1) and the character that ends it (2).

    Returns:
        If the text ends first, no group is set, and the run stops before a `<` that may still become a tag.
    """
    known = alternatives(names)
    # A `<` that begins no registered tag consumes its name and the next character, whatever that is. This is
    # why `<<think>` is missed: the second bracket belongs to the first.
    dull = rf"<(?!(?:{known})[>/ \t\n\r])(?:{NAME})?+[\s\S]"
    return re.compile(rf"[^<]*+(?:{dull}[^<]*+)*+(?:<({known})([>/ \t\n\r]))?+")


@lru_cache(maxsize=256)
def content_pattern(name: str) -> re.Pattern[str]:
    """Match a run of a block's content, and after it the block's closing tag (group 1).

    Returns:
        If the text ends first, the group is not set, and the run stops before a `<` that may still close the block.
    """
    closing = rf"/{re.escape(name)}>"
    return re.compile(rf"[^<]*+(?:<(?!{closing})(?:/(?:{NAME})?+)?+[\s\S][^<]*+)*+(<{closing})?+")
