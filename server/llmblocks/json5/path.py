"""Paths to strings in JSON, such as `messages[role=assistant].content`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

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
    """The parts of a JSON value that paths lead to. The end of a path has a `language_id`, as in `languages`."""

    def __init__(self, languages: Iterable[tuple[str, str]] = ()) -> None:
        self.language_id: str | None = None
        self.members: dict[str, Shape] = {}
        self.items: dict[Items, Shape] = {}
        for path, language_id in languages:
            at = self
            for step in steps(path):
                inside: dict[Any, Shape] = at.members if isinstance(step, str) else at.items
                at = inside.setdefault(step, Shape())
            at.language_id = language_id


def steps(path: str) -> list[str | Items]:
    """Return the names and lists in a path. Raises `ValueError` for anything else."""
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
