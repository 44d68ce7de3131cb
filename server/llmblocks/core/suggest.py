"""What could stand at a place: how a format tells what it would put there."""

from __future__ import annotations

from typing import NamedTuple


class Suggestion(NamedTuple):
    """Something to put in the place of what is typed already.

    Shape: `text` replaces the last `typed` code points in front of the cursor; `detail` is one sentence about it.
    """

    text: str
    typed: int
    detail: str
