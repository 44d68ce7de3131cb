"""The gadget format as a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from llmblocks.contract.layer import Layer
from llmblocks.core.late import late
from llmblocks.gadget import kinds
from llmblocks.gadget.editor import dependencies, outcomes, repeated_calls
from llmblocks.gadget.editor.calls import names_in
from llmblocks.gadget.editor.nesting import NESTING
from llmblocks.gadget.editor.problems import facts
from llmblocks.gadget.scanner import GadgetScanner

if TYPE_CHECKING:
    from llmblocks.facts.problem import Facts
    from llmblocks.gadget.editor import (
        closing,
        colours,
        completion,
        decoded,
        fates,
        formatting,
        graph,
        hints,
        hover,
        lenses,
        links,
        naming,
        outline,
        parts,
        received,
        schemas,
        signature,
        sources,
        streaming,
    )
    from llmblocks.gadget.editor.settings import GadgetSettings
else:
    closing, colours, completion, decoded, fates, formatting, graph, hints, hover, lenses = late(
        __package__, "closing colours completion decoded fates formatting graph hints hover lenses"
    )
    links, naming, outline, parts, received, schemas, signature, sources, streaming = late(
        __package__, "links naming outline parts received schemas signature sources streaming"
    )


def _facts(settings: GadgetSettings) -> Facts:
    stated = facts(settings.markers)
    return schemas.with_schemas(stated, settings.gadgets) if settings.gadgets else stated


LAYER: Final[Layer[GadgetSettings]] = Layer(
    name="gadget",
    scanner=lambda settings: GadgetScanner(settings.markers),
    nesting=NESTING,
    hover=lambda: hover.WORDS,
    paint=lambda: colours.PAINT,
    facts=_facts,
    complete=lambda caret, settings: completion.suggest(caret, settings.markers, settings.gadgets),
    closed=frozenset((kinds.HEADER, kinds.POINTER)),
    parts=lambda: parts.parts,
    decoded=lambda: decoded.decoded,
    style=lambda: formatting,
    streaming=lambda: streaming.STREAMING,
    graph=lambda: graph.graph_of,
    rejected=lambda: fates.REJECTED,
    closing=lambda caret, typed, settings: closing.closing(caret, typed, settings.markers.end),
    ended=lambda caret: closing.ended(caret),
    signature=lambda caret, settings: (
        signature.signature_at(caret, settings.markers, settings.gadgets) if settings.gadgets else None
    ),
    headings=lambda: outline.HEADINGS,
    name_kinds=lambda: naming.NAME_KINDS,
    sources=lambda section, offset, settings: (
        sources.sources(section, offset, settings.gadgets) if settings.gadgets else ()
    ),
    symbols=names_in,
    checks=(*dependencies.CHECKS, *outcomes.CHECKS, repeated_calls.CHECK),
    hints=lambda: hints.hints,
    links=lambda settings: links.links_to(settings.gadgets) if settings.gadgets else None,
    received=lambda: received.received_at,
    lenses=lambda: lenses.LENSES,
    text=frozenset((kinds.TEXT, kinds.STRAY)),
    marks=lambda settings: settings.markers,
    paint_over=lambda markers, default: {} if markers == default else colours.PAINT_OVER,
)
