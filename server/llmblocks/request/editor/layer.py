"""The requests of an agent as a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from llmblocks.contract.layer import Layer
from llmblocks.core.late import late
from llmblocks.request.editor import kinds
from llmblocks.request.editor.names import names_in
from llmblocks.request.editor.nesting import NESTING
from llmblocks.request.editor.scanner import RequestScanner

if TYPE_CHECKING:
    from llmblocks.request.editor import colours, completion, decoded, hover, outline, streaming
    from llmblocks.request.editor.settings import RequestSettings
else:
    colours, completion, decoded, hover, outline, streaming = late(
        __package__, "colours completion decoded hover outline streaming"
    )


LAYER: Final[Layer[RequestSettings]] = Layer(
    name="request",
    scanner=lambda settings: RequestScanner(settings.markers),
    nesting=NESTING,
    hover=lambda: hover.WORDS,
    paint=lambda: colours.PAINT,
    complete=lambda caret, settings: completion.suggest(caret, settings),
    closed=frozenset((kinds.PROMPT, kinds.OUTPUT, kinds.MEDIA, kinds.EXAMPLE_HEADER, kinds.EXAMPLE_POINTER)),
    headings=lambda: outline.HEADINGS,
    symbols=names_in,
    streaming=lambda: streaming.STREAMING,
    decoded=lambda: decoded.decoded,
)
