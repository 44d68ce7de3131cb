"""The gadget format as a layer."""

from __future__ import annotations

from typing import Final, Protocol

from llmblocks.core.layer import Layer
from llmblocks.gadget.editor.colours import PAINT
from llmblocks.gadget.editor.completion import suggest
from llmblocks.gadget.editor.hover import WORDS
from llmblocks.gadget.editor.nesting import NESTING
from llmblocks.gadget.editor.problems import FACTS
from llmblocks.gadget.editor.scanner import GadgetScanner
from llmblocks.gadget.syntax.markers import Markers


class GadgetSettings(Protocol):
    """The settings that this format reads."""

    @property
    def markers(self) -> Markers: ...


LAYER: Final[Layer[GadgetSettings]] = Layer(
    name="gadget",
    scanner=lambda settings: GadgetScanner(settings.markers),
    nesting=NESTING,
    hover=WORDS,
    paint=PAINT,
    facts=lambda _: FACTS,
    complete=lambda caret, settings: suggest(caret, settings.markers),
)
