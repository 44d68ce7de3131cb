"""Links from a text to files and pages."""

from __future__ import annotations

from typing import NamedTuple


class Link(NamedTuple):
    """A link. Shape: `start` and `end` in code points; `target` is a URL, or a path from the folder of the document."""

    start: int
    end: int
    target: str
