"""How a format explains its tokens."""

from __future__ import annotations

from collections.abc import Callable

from llmblocks.core.section import Section, Span

Describe = Callable[[Section, Span], "str | None"]
"""From a token at its place in a section to Markdown; None where there is nothing to say."""
