"""Custom blocks as a layer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

from llmblocks.core.layer import Layer
from llmblocks.tags.editor import kinds
from llmblocks.tags.editor.declared import DeclaredTag
from llmblocks.tags.editor.facts import facts
from llmblocks.tags.editor.long_blocks import CHECKS, symbols_of_piece
from llmblocks.tags.editor.naming import NAME_KINDS, blocks_of_piece
from llmblocks.tags.editor.nesting import BLOCK, NESTING
from llmblocks.tags.editor.scanner import TagScanner

if TYPE_CHECKING:
    from llmblocks.core.caret import Caret, Suggestion
    from llmblocks.core.decoded import Decode
    from llmblocks.core.headings import Heading
    from llmblocks.core.naming import NameKind
    from llmblocks.core.paint import Paint
    from llmblocks.core.parts import PartsOf
    from llmblocks.core.scan import Kind
    from llmblocks.core.silence import Silencing
    from llmblocks.core.streaming import Streaming
    from llmblocks.core.style import Style
    from llmblocks.core.subject import Describe


class TagSettings(Protocol):
    """The settings that this format reads."""

    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def declared_tags(self) -> tuple[DeclaredTag, ...]: ...


def _hover() -> Mapping[Kind, Describe[TagSettings]]:
    from llmblocks.tags.editor.hover import WORDS

    return WORDS


def _paint() -> Mapping[Kind, Paint]:
    from llmblocks.tags.editor.colours import PAINT

    return PAINT


def _paint_over(names: tuple[str, ...], default: tuple[str, ...]) -> Mapping[Kind, Paint]:
    from llmblocks.tags.editor.colours import paint_over

    return paint_over(names, default)


def _headings() -> Mapping[Kind, Heading]:
    from llmblocks.tags.editor.outline import HEADINGS

    return HEADINGS


def _name_kinds() -> Mapping[str, NameKind]:
    return NAME_KINDS


def _refuses_twin(name: str, settings: TagSettings) -> str:
    known = ", ".join(f"`{each}`" for each in settings.tags)
    return (
        ""
        if name in settings.tags
        else f"`{name}` is not a registered tag: use one of {known}, or add it to the settings"
    )


def _complete(caret: Caret, settings: TagSettings) -> Iterable[Suggestion]:
    from llmblocks.tags.editor.completion import suggest

    return suggest(caret, settings.tags, settings.declared_tags)


def _closing(caret: Caret, typed: str, _: TagSettings) -> str:
    from llmblocks.tags.editor.closing import closing

    return closing(caret, typed)


def _ended(caret: Caret) -> str:
    from llmblocks.tags.editor.closing import ended

    return ended(caret)


def _silencing() -> Silencing:
    from llmblocks.tags.editor.silences import SILENCING

    return SILENCING


def _parts() -> PartsOf:
    from llmblocks.tags.editor.parts import parts

    return parts


def _decoded() -> Decode[TagSettings]:
    from llmblocks.tags.editor.decoded import decoded

    return decoded


def _style() -> Style[TagSettings]:
    from llmblocks.tags.editor import formatting

    return formatting


def _streaming() -> Streaming[TagSettings]:
    from llmblocks.tags.editor.streaming import STREAMING

    return STREAMING


def _is_inside(state: Any) -> bool:
    from llmblocks.tags.editor.view import open_tag

    return bool(open_tag(state))


LAYER: Final[Layer[TagSettings]] = Layer(
    name="tags",
    scanner=lambda settings: TagScanner(settings.tags),
    nesting=NESTING,
    hover=_hover,
    paint=_paint,
    facts=lambda settings: facts(settings.tags, settings.declared_tags),
    complete=_complete,
    parts=_parts,
    is_inside=_is_inside,
    decoded=_decoded,
    style=_style,
    streaming=_streaming,
    closing=_closing,
    ended=_ended,
    headings=_headings,
    name_kinds=_name_kinds,
    landmarks=blocks_of_piece,
    twins={BLOCK: kinds.NAME},
    refuses_twin=_refuses_twin,
    symbols=symbols_of_piece,
    piece_checks=CHECKS,
    silencing=_silencing,
    text=frozenset((kinds.TEXT, kinds.CONTENT)),
    marks=lambda settings: settings.tags,
    paint_over=_paint_over,
)
