"""Simple Text Format as a layer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, Literal, Protocol

from llmblocks.core.layer import Layer
from llmblocks.stf.editor import kinds
from llmblocks.stf.editor.name_checks import CHECKS
from llmblocks.stf.editor.names import names_of_piece
from llmblocks.stf.editor.nesting import NESTING
from llmblocks.stf.editor.problems import facts
from llmblocks.stf.editor.scanner import StfScanner
from llmblocks.stf.editor.stray_lines import CHECKS as PIECE_CHECKS
from llmblocks.stf.syntax.roles import Holders

if TYPE_CHECKING:
    from llmblocks.core.caret import Caret, Suggestion
    from llmblocks.core.decoded import Decode
    from llmblocks.core.headings import Heading
    from llmblocks.core.link import Link
    from llmblocks.core.naming import NameKind
    from llmblocks.core.paint import Paint
    from llmblocks.core.parts import PartsOf
    from llmblocks.core.query import Query
    from llmblocks.core.scan import Kind
    from llmblocks.core.section import Section
    from llmblocks.core.silence import Silencing
    from llmblocks.core.streaming import Streaming
    from llmblocks.core.style import Style
    from llmblocks.core.subject import Describe


class StfSettings(Protocol):
    """The settings that this format reads."""

    @property
    def dialect(self) -> Literal["@", ";", "auto"]: ...
    @property
    def default_role(self) -> str: ...
    @property
    def gadget_roles(self) -> tuple[str, ...]: ...
    @property
    def block_roles(self) -> tuple[str, ...]: ...


def _scanner(settings: StfSettings) -> StfScanner:
    holders = Holders(settings.gadget_roles, settings.block_roles)
    if holders.is_default:
        return StfScanner(settings.dialect, has_default=bool(settings.default_role))
    from llmblocks.stf.editor.roles import RoleScanner

    return RoleScanner(settings.dialect, settings.default_role, holders)


def _hover() -> Mapping[Kind, Describe[StfSettings]]:
    from llmblocks.stf.editor.hover import WORDS

    return WORDS


def _paint() -> Mapping[Kind, Paint]:
    from llmblocks.stf.editor.colours import PAINT

    return PAINT


def _headings() -> Mapping[Kind, Heading]:
    from llmblocks.stf.editor.outline import HEADINGS

    return HEADINGS


def _name_kinds() -> Mapping[str, NameKind]:
    from llmblocks.stf.editor.naming import NAME_KINDS

    return NAME_KINDS


def _links(_: StfSettings) -> Query[Section, tuple[Link, ...]]:
    from llmblocks.stf.editor.links import links

    return links


def _complete(caret: Caret, settings: StfSettings) -> Iterable[Suggestion]:
    from llmblocks.stf.editor.completion import suggest

    return suggest(caret, settings.dialect)


def _owns(caret: Caret) -> bool:
    from llmblocks.stf.editor.open_block import open_block

    return bool(open_block(caret).name)


def _complete_comment(caret: Caret, settings: StfSettings) -> Iterable[Suggestion]:
    from llmblocks.stf.editor.completion import close_comment

    return close_comment(caret, settings.dialect)


def _closing(caret: Caret, typed: str, _: StfSettings) -> str:
    from llmblocks.stf.editor.closing import closing

    return closing(caret, typed)


def _ended(caret: Caret) -> str:
    from llmblocks.stf.editor.closing import ended

    return ended(caret)


def _silencing() -> Silencing:
    from llmblocks.stf.editor.silences import SILENCING

    return SILENCING


def _parts() -> PartsOf:
    from llmblocks.stf.editor.parts import parts

    return parts


def _decoded() -> Decode[StfSettings]:
    from llmblocks.stf.editor.decoded import decoded

    return decoded


def _style() -> Style[StfSettings]:
    from llmblocks.stf.editor import formatting

    return formatting


def _streaming() -> Streaming[StfSettings]:
    from llmblocks.stf.editor.streaming import STREAMING

    return STREAMING


LAYER: Final[Layer[StfSettings]] = Layer(
    name="stf",
    scanner=_scanner,
    nesting=NESTING,
    hover=_hover,
    paint=_paint,
    facts=lambda settings: facts(bool(settings.default_role)),
    complete=_complete,
    parts=_parts,
    decoded=_decoded,
    style=_style,
    streaming=_streaming,
    closing=_closing,
    ended=_ended,
    complete_comment=_complete_comment,
    closed=frozenset((kinds.BODY, kinds.ARGUMENTS, kinds.PLAIN_TEXT)),
    owns=_owns,
    headings=_headings,
    name_kinds=_name_kinds,
    symbols=names_of_piece,
    checks=CHECKS,
    piece_checks=PIECE_CHECKS,
    comments=frozenset((kinds.COMMENT, kinds.COMMENT_LINE)),
    silencing=_silencing,
    links=_links,
)
