"""The contract of a format with selections that grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from llmblocks.core.section import Section, Span

PartsOf: TypeAlias = Callable[[Section, Sequence[Span], int], Iterable[tuple[int, int]]]
"""From a section, its tokens and the number of one of them to the stretches in and around it, as code points."""
