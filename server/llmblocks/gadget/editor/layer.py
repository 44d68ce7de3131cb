"""The gadget format as a layer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from llmblocks.core.layer import Layer
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.dependencies import CHECKS
from llmblocks.gadget.editor.names import names_of_piece
from llmblocks.gadget.editor.nesting import NESTING
from llmblocks.gadget.editor.problems import facts
from llmblocks.gadget.editor.scanner import GadgetScanner
from llmblocks.gadget.syntax.markers import Markers

if TYPE_CHECKING:
    from llmblocks.core.call_graph import GraphOf
    from llmblocks.core.caret import Caret, Signature, Suggestion
    from llmblocks.core.decoded import Decode
    from llmblocks.core.headings import Heading
    from llmblocks.core.hint import HintsOf
    from llmblocks.core.lens import Lenses
    from llmblocks.core.link import Link
    from llmblocks.core.naming import NameKind
    from llmblocks.core.paint import Paint
    from llmblocks.core.parts import PartsOf
    from llmblocks.core.places import Elsewhere
    from llmblocks.core.problem import Facts
    from llmblocks.core.query import Query
    from llmblocks.core.received import ReceivedAt
    from llmblocks.core.scan import Kind
    from llmblocks.core.section import Section
    from llmblocks.core.streaming import Streaming
    from llmblocks.core.style import Style
    from llmblocks.core.subject import Describe
    from llmblocks.gadget.schemas.gadgets import Gadgets


class GadgetSettings(Protocol):
    """The settings that this format reads."""

    @property
    def markers(self) -> Markers: ...
    @property
    def gadgets(self) -> Gadgets: ...


def _hover() -> Mapping[Kind, Describe[GadgetSettings]]:
    from llmblocks.gadget.editor.hover import WORDS

    return WORDS


def _paint() -> Mapping[Kind, Paint]:
    from llmblocks.gadget.editor.colours import PAINT

    return PAINT


def _paint_over(markers: Markers, default: Markers) -> Mapping[Kind, Paint]:
    from llmblocks.gadget.editor.colours import PAINT_OVER

    return {} if markers == default else PAINT_OVER


def _headings() -> Mapping[Kind, Heading]:
    from llmblocks.gadget.editor.outline import HEADINGS

    return HEADINGS


def _name_kinds() -> Mapping[str, NameKind]:
    from llmblocks.gadget.editor.naming import NAME_KINDS

    return NAME_KINDS


def _complete(caret: Caret, settings: GadgetSettings) -> Iterable[Suggestion]:
    from llmblocks.gadget.editor.completion import suggest

    return suggest(caret, settings.markers, settings.gadgets)


def _signature(caret: Caret, settings: GadgetSettings) -> Signature | None:
    if not settings.gadgets:
        return None
    from llmblocks.gadget.editor.signature import signature_at

    return signature_at(caret, settings.markers, settings.gadgets)


def _sources(section: Section, offset: int, settings: GadgetSettings) -> Sequence[Elsewhere]:
    if not settings.gadgets:
        return ()
    from llmblocks.gadget.editor.sources import sources

    return sources(section, offset, settings.gadgets)


def _hints() -> HintsOf[GadgetSettings]:
    from llmblocks.gadget.editor.hints import hints

    return hints


def _received() -> ReceivedAt[GadgetSettings]:
    from llmblocks.gadget.editor.received import received_at

    return received_at


def _lenses() -> Lenses[GadgetSettings]:
    from llmblocks.gadget.editor.lenses import LENSES

    return LENSES


def _graph() -> GraphOf[GadgetSettings]:
    from llmblocks.gadget.editor.graph import graph_of

    return graph_of


def _facts(settings: GadgetSettings) -> Facts:
    stated = facts(settings.markers)
    if not settings.gadgets:
        return stated
    from llmblocks.gadget.editor.schemas import with_schemas

    return with_schemas(stated, settings.gadgets, settings.markers.arg)


def _links(settings: GadgetSettings) -> Query[Section, tuple[Link, ...]] | None:
    if not settings.gadgets:
        return None
    from llmblocks.gadget.editor.links import links_to

    return links_to(settings.gadgets)


def _closing(caret: Caret, typed: str, settings: GadgetSettings) -> str:
    from llmblocks.gadget.editor.closing import closing

    return closing(caret, typed, settings.markers.end)


def _ended(caret: Caret) -> str:
    from llmblocks.gadget.editor.closing import ended

    return ended(caret)


def _parts() -> PartsOf:
    from llmblocks.gadget.editor.parts import parts

    return parts


def _decoded() -> Decode[GadgetSettings]:
    from llmblocks.gadget.editor.decoded import decoded

    return decoded


def _style() -> Style[GadgetSettings]:
    from llmblocks.gadget.editor import formatting

    return formatting


def _streaming() -> Streaming[GadgetSettings]:
    from llmblocks.gadget.editor.streaming import STREAMING

    return STREAMING


LAYER: Final[Layer[GadgetSettings]] = Layer(
    name="gadget",
    scanner=lambda settings: GadgetScanner(settings.markers),
    nesting=NESTING,
    hover=_hover,
    paint=_paint,
    facts=_facts,
    complete=_complete,
    parts=_parts,
    decoded=_decoded,
    style=_style,
    streaming=_streaming,
    graph=_graph,
    closing=_closing,
    ended=_ended,
    signature=_signature,
    headings=_headings,
    name_kinds=_name_kinds,
    sources=_sources,
    symbols=names_of_piece,
    checks=CHECKS,
    hints=_hints,
    links=_links,
    received=_received,
    lenses=_lenses,
    text=frozenset((kinds.TEXT, kinds.STRAY)),
    marks=lambda settings: settings.markers,
    paint_over=_paint_over,
)
