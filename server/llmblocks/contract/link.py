"""Links from a text to files and pages."""

from __future__ import annotations

from typing import NamedTuple


class Link(NamedTuple):
    """A link, in code points."""

    start: int
    end: int
    target: str
    """A URL, or a path from the folder of the document."""
