"""Raw completions as a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from llmblocks.completions.editor.facts import REJECTED, facts
from llmblocks.completions.editor.nesting import NESTING
from llmblocks.completions.machine import OUTSIDE
from llmblocks.completions.scanner import CONTENT, TEXT, CompletionScanner, region_in
from llmblocks.completions.shipped import template_called
from llmblocks.contract.layer import Layer
from llmblocks.core.late import late

if TYPE_CHECKING:
    from llmblocks.completions.editor import call_at, colours, decoded, hover, outline, streaming, suggestions
    from llmblocks.completions.editor.settings import CompletionSettings
else:
    call_at, colours, decoded, hover, outline, streaming, suggestions = late(
        __package__, "call_at colours decoded hover outline streaming suggestions"
    )


LAYER: Final[Layer[CompletionSettings]] = Layer(
    name="completions",
    scanner=lambda settings: CompletionScanner(template_called(settings.template)),
    nesting=NESTING,
    hover=lambda: hover.WORDS,
    paint=lambda: colours.PAINT,
    facts=lambda settings: facts(settings.template, settings.gadgets),
    complete=lambda caret, settings: suggestions.suggest(caret, settings),
    signature=lambda caret, settings: call_at.signature_at(caret, settings),
    is_inside=lambda state: region_in(state) != OUTSIDE,
    rejected=lambda: REJECTED,
    decoded=lambda: decoded.decoded,
    streaming=lambda: streaming.STREAMING,
    headings=lambda: outline.HEADINGS,
    text=frozenset((TEXT, CONTENT)),
    marks=lambda settings: settings.template,
    paint_over=lambda marks, default: colours.paint_over(marks, default),
)
