"""The colours of requests."""

from __future__ import annotations

from typing import Final

from llmblocks.contract.paint import Paint, as_whole
from llmblocks.core.scan import Kind
from llmblocks.request.editor import kinds

PAINT: Final[dict[Kind, Paint]] = {
    kinds.SIGN: as_whole("operator"),
    kinds.ROLE: as_whole("type"),
    kinds.RESULT: as_whole("keyword"),
    kinds.RESULT_ID: as_whole("variable"),
    kinds.RESULT_END: as_whole("keyword"),
    kinds.MEDIA: as_whole("comment"),
    kinds.EXAMPLE: as_whole("keyword"),
    kinds.EXAMPLE_HEADER: as_whole("function"),
    kinds.EXAMPLE_POINTER: as_whole("property"),
}
