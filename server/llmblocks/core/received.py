"""A call as a program receives it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from llmblocks.core.section import Section

S = TypeVar("S", contravariant=True)


class ReceivedCall(NamedTuple):
    """A call. Shape: `json` are its parameters, empty where it has none that can be read; `notes` are sentences."""

    title: str
    json: str
    notes: tuple[str, ...] = ()


ReceivedAt = Callable[[Section, int, S], "ReceivedCall | None"]
"""The call at an offset in a section; None outside of calls."""
