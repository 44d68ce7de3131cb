"""Paths to strings in JSON, such as `messages[role=assistant].content`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

PATH_FORM = "it must be a path such as messages[*].content or messages[role=assistant].content"
_STEP = re.compile(r"\[\*\]|\[([^\[\]=]+)=([^\[\]]*)\]|(?:\A|\.)([^.\[\]]+)")


class Items(NamedTuple):
    """The items of a list. With a `key`, only the objects with this value at it."""

    key: str = ""
    value: str = ""

    def takes(self, item: object) -> bool:
        """Return whether an item is one of them."""
        return not self.key or (isinstance(item, dict) and item.get(self.key) == self.value)


class Shape:
    """The parts of a JSON value that paths lead to. The end of a path has a `language_id`."""

    __slots__ = ("items", "language_id", "members")

    def __init__(self) -> None:
        self.language_id: str | None = None
        self.members: dict[str, Shape] = {}
        self.items: dict[Items, Shape] = {}

    @classmethod
    def of(cls, languages: Iterable[tuple[str, str]]) -> Shape:
        """Return the parts for some paths, each with its language."""
        found = cls()
        for path, language_id in languages:
            at = found
            for step in steps(path):
                at = at.members.setdefault(step, cls()) if isinstance(step, str) else at.items.setdefault(step, cls())
            at.language_id = language_id
        return found


def steps(path: str) -> list[str | Items]:
    """Return the names and lists in a path.

    Raises:
        ValueError: It is not a path.
    """
    found: list[str | Items] = []
    at = 0
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            raise ValueError(PATH_FORM)
        found.append(step[3] or Items(step[1] or "", step[2] or ""))
        at = step.end()
    if not found:
        raise ValueError(PATH_FORM)
    return found
