"""The gadget format as a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from llmblocks.contract.layer import Layer
from llmblocks.core.late import late
from llmblocks.gadget import kinds
from llmblocks.gadget.editor.calls import CHECKS, NESTING, GadgetSettings, names_in
from llmblocks.gadget.editor.problems import facts
from llmblocks.gadget.scanner import GadgetScanner

if TYPE_CHECKING:
    from llmblocks.gadget.editor import answers, completion, fates, hover, values
else:
    answers, completion, fates, hover, values = late(__package__, "answers completion fates hover values")

LAYER: Final[Layer[GadgetSettings]] = Layer(
    name="gadget",
    scanner=lambda settings: GadgetScanner(settings.markers),
    nesting=NESTING,
    hover=lambda: hover.WORDS,
    paint=lambda: answers.PAINT,
    facts=lambda settings: facts(settings.markers, settings.gadgets),
    complete=lambda caret, settings: completion.suggest(caret, settings.markers, settings.gadgets),
    closed=frozenset((kinds.HEADER, kinds.POINTER)),
    parts=lambda: answers.parts,
    decoded=lambda: values.decoded,
    style=lambda: values,
    streaming=lambda: values.STREAMING,
    graph=lambda: fates.graph_of,
    rejected=lambda: fates.REJECTED,
    closing=lambda caret, typed, settings: completion.closing(caret, typed, settings.markers.end),
    ended=lambda caret: completion.ended(caret),
    signature=lambda caret, settings: completion.signature_at(caret, settings.markers, settings.gadgets),
    headings=lambda: answers.HEADINGS,
    name_kinds=lambda: answers.NAME_KINDS,
    sources=lambda section, offset, settings: answers.sources(section, offset, settings.gadgets),
    symbols=names_in,
    checks=CHECKS,
    hints=lambda: hover.hints,
    links=lambda settings: answers.links_to(settings.gadgets) if settings.gadgets else None,
    received=lambda: hover.received_at,
    lenses=lambda: hover.LENSES,
    text=frozenset((kinds.TEXT, kinds.STRAY)),
    marks=lambda settings: settings.markers,
    paint_over=lambda markers, default: {} if markers == default else answers.PAINT_OVER,
)
