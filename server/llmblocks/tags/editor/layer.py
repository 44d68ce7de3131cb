"""Custom blocks as a layer."""

from __future__ import annotations

from typing import Final, Protocol

from llmblocks.core.layer import Layer
from llmblocks.tags.editor.colours import PAINT
from llmblocks.tags.editor.completion import suggest
from llmblocks.tags.editor.hover import WORDS
from llmblocks.tags.editor.nesting import NESTING
from llmblocks.tags.editor.problems import facts
from llmblocks.tags.editor.scanner import TagScanner


class TagSettings(Protocol):
    """The settings that this format reads."""

    @property
    def tags(self) -> tuple[str, ...]: ...


LAYER: Final[Layer[TagSettings]] = Layer(
    name="tags",
    scanner=lambda settings: TagScanner(settings.tags),
    nesting=NESTING,
    hover=WORDS,
    paint=PAINT,
    facts=lambda settings: facts(settings.tags),
    complete=lambda caret, settings: suggest(caret, settings.tags),
)
