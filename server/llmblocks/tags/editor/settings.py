"""The settings that the editor's part of this format reads."""

from __future__ import annotations

from typing import Protocol

from llmblocks.tags.declared import Tag


class TagSettings(Protocol):
    """The settings of custom blocks."""

    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def declared_tags(self) -> tuple[Tag, ...]: ...
