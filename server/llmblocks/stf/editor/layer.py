"""Simple Text Format as a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from llmblocks.contract.layer import Layer
from llmblocks.core.late import late
from llmblocks.stf import kinds
from llmblocks.stf.editor.name_checks import CHECKS
from llmblocks.stf.editor.names import names_in
from llmblocks.stf.editor.nesting import NESTING
from llmblocks.stf.editor.problems import facts
from llmblocks.stf.editor.stray_lines import CHECK
from llmblocks.stf.scanner import StfScanner
from llmblocks.stf.syntax.roles import Holders

if TYPE_CHECKING:
    from llmblocks.stf.editor import (
        closing,
        colours,
        completion,
        decoded,
        formatting,
        hover,
        links,
        naming,
        open_block,
        outline,
        parts,
        roles,
        silences,
        streaming,
    )
    from llmblocks.stf.editor.settings import StfSettings
else:
    closing, colours, completion, decoded, formatting, hover, links, naming, open_block = late(
        __package__, "closing colours completion decoded formatting hover links naming open_block"
    )
    outline, parts, roles, silences, streaming = late(__package__, "outline parts roles silences streaming")


def _scanner(settings: StfSettings) -> StfScanner:
    holders = Holders(settings.gadget_roles, settings.block_roles)
    if holders.is_default:
        return StfScanner(settings.dialect, has_default=bool(settings.default_role))
    return roles.RoleScanner(settings.dialect, settings.default_role, holders)


LAYER: Final[Layer[StfSettings]] = Layer(
    name="stf",
    scanner=_scanner,
    nesting=NESTING,
    hover=lambda: hover.WORDS,
    paint=lambda: colours.PAINT,
    facts=lambda settings: facts(bool(settings.default_role)),
    complete=lambda caret, settings: completion.suggest(caret, settings.dialect),
    parts=lambda: parts.parts,
    decoded=lambda: decoded.decoded,
    style=lambda: formatting,
    streaming=lambda: streaming.STREAMING,
    closing=lambda caret, typed, _: closing.closing(caret, typed),
    ended=lambda caret: closing.ended(caret),
    complete_comment=lambda caret, settings: completion.close_comment(caret, settings.dialect),
    closed=frozenset((kinds.BODY, kinds.PATH, kinds.ARGUMENTS, kinds.PLAIN_TEXT)),
    owns=lambda caret: bool(open_block.open_block(caret).name),
    headings=lambda: outline.HEADINGS,
    name_kinds=lambda: naming.NAME_KINDS,
    symbols=names_in,
    checks=(*CHECKS, CHECK),
    comments=frozenset((kinds.COMMENT, kinds.COMMENT_LINE)),
    silencing=lambda: silences.SILENCING,
    links=lambda _: links.links,
)
