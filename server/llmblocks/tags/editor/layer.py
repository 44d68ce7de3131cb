"""Custom blocks as a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from llmblocks.contract.layer import Layer
from llmblocks.core.late import late
from llmblocks.tags import kinds
from llmblocks.tags.editor.blocks import open_tag
from llmblocks.tags.editor.nesting import BLOCK, HEADINGS, NAME_KINDS, NESTING, blocks_begun_in
from llmblocks.tags.editor.open_blocks import CHECK, open_blocks_in
from llmblocks.tags.scanner import TagScanner

if TYPE_CHECKING:
    from llmblocks.tags.editor import (
        closing,
        colours,
        completion,
        decoded,
        formatting,
        hover,
        parts,
        problems,
        silences,
        streaming,
    )
    from llmblocks.tags.editor.settings import TagSettings
else:
    closing, colours, completion, decoded, formatting, hover, parts, problems, silences, streaming = late(
        __package__, "closing colours completion decoded formatting hover parts problems silences streaming"
    )


def _refuses_twin(name: str, settings: TagSettings) -> str:
    known = ", ".join(f"`{each}`" for each in settings.tags)
    return (
        ""
        if name in settings.tags
        else f"`{name}` is not a registered tag: use one of {known}, or add it to the settings"
    )


def _typed(settings: TagSettings) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the tags with declared content, each with its kind."""
    return tuple([(tag.name, tag.content.kinds) for tag in settings.declared_tags if tag.content is not None])


LAYER: Final[Layer[TagSettings]] = Layer(
    name="tags",
    scanner=lambda settings: TagScanner(settings.tags),
    nesting=NESTING,
    hover=lambda: hover.WORDS,
    paint=lambda: colours.PAINT,
    facts=lambda settings: problems.facts(settings.tags, settings.declared_tags),
    complete=lambda caret, settings: completion.suggest(caret, settings.tags, settings.declared_tags),
    parts=lambda: parts.parts,
    is_inside=lambda state: bool(open_tag(state)),
    decoded=lambda: decoded.decoded,
    style=lambda: formatting,
    streaming=lambda: streaming.STREAMING,
    closing=lambda caret, typed, _: closing.closing(caret, typed),
    ended=lambda caret: closing.ended(caret),
    headings=lambda: HEADINGS,
    name_kinds=lambda: NAME_KINDS,
    landmarks=blocks_begun_in,
    twins={BLOCK: kinds.NAME},
    refuses_twin=_refuses_twin,
    symbols=open_blocks_in,
    checks=(CHECK,),
    silencing=lambda: silences.SILENCING,
    text=frozenset((kinds.TEXT, kinds.CONTENT)),
    marks=lambda settings: (settings.tags, _typed(settings)),
    paint_over=lambda marks, _: colours.paint_over(marks),
)
