"""The colours of custom blocks."""

from __future__ import annotations

from typing import Final

from llmblocks.core.paint import Paint, as_whole
from llmblocks.core.scan import Kind
from llmblocks.tags.editor import kinds

PAINT: Final[dict[Kind, Paint]] = {
    **dict.fromkeys(
        (kinds.OPENING, kinds.OPENED, kinds.SELF_CLOSED, kinds.CLOSING, kinds.CLOSED, kinds.EQUALS),
        as_whole("operator"),
    ),
    kinds.NAME: as_whole("type"),
    kinds.ATTRIBUTE: as_whole("property"),
    kinds.QUOTE: as_whole("string"),
    kinds.VALUE: as_whole("string"),
}
