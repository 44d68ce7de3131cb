"""Raw completions as a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from llmblocks.completions import scanner
from llmblocks.completions.editor.facts import REJECTED, facts
from llmblocks.completions.machine import OUTSIDE
from llmblocks.completions.shipped import template_called
from llmblocks.contract.layer import Layer
from llmblocks.core.late import late
from llmblocks.core.nest import Nesting

if TYPE_CHECKING:
    from llmblocks.completions.editor import colours, hover, outline, streaming, suggestions
    from llmblocks.completions.editor.settings import CompletionSettings
else:
    colours, hover, outline, streaming, suggestions = late(__package__, "colours hover outline streaming suggestions")

REGION: Final = "region"
NESTING: Final = Nesting(
    opens={scanner.OPEN: REGION, scanner.OPENED: REGION},
    closes={scanner.CLOSE: REGION, scanner.CLOSED: REGION},
    # regions do not nest
    ends={REGION: frozenset((REGION,))},
    leads=frozenset((scanner.PENDING,)),
)
LAYER: Final[Layer[CompletionSettings]] = Layer(
    name="completions",
    scanner=lambda settings: scanner.CompletionScanner(template_called(settings.template)),
    nesting=NESTING,
    hover=lambda: hover.WORDS,
    paint=lambda: colours.PAINT,
    facts=lambda settings: facts(settings.template, settings.gadgets),
    complete=lambda caret, settings: suggestions.suggest(caret, settings),
    signature=lambda caret, settings: suggestions.signature_at(caret, settings),
    is_inside=lambda state: scanner.region_in(state) != OUTSIDE,
    rejected=lambda: REJECTED,
    decoded=lambda: streaming.decoded,
    streaming=lambda: streaming.STREAMING,
    headings=lambda: outline.HEADINGS,
    text=frozenset((scanner.TEXT, scanner.CONTENT)),
    marks=lambda settings: settings.template,
    paint_over=lambda marks, default: colours.paint_over(marks, default),
)
