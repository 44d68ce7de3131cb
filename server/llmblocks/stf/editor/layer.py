"""Simple Text Format as a layer."""

from __future__ import annotations

from typing import Final, Literal, Protocol

from llmblocks.core.layer import Layer
from llmblocks.stf.editor import kinds
from llmblocks.stf.editor.colours import PAINT
from llmblocks.stf.editor.comments import FACTS
from llmblocks.stf.editor.completion import suggest
from llmblocks.stf.editor.hover import WORDS
from llmblocks.stf.editor.nesting import NESTING
from llmblocks.stf.editor.scanner import StfScanner


class StfSettings(Protocol):
    """The settings that this format reads."""

    @property
    def dialect(self) -> Literal["@", ";", "auto"]: ...


LAYER: Final[Layer[StfSettings]] = Layer(
    name="stf",
    scanner=lambda settings: StfScanner(settings.dialect),
    nesting=NESTING,
    hover=WORDS,
    paint=PAINT,
    facts=lambda _: FACTS,
    complete=lambda caret, settings: suggest(caret, settings.dialect),
    comments=frozenset((kinds.COMMENT, kinds.COMMENT_LINE)),
)
