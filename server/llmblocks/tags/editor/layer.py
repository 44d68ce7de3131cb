"""Custom blocks as a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from llmblocks.contract.layer import Layer
from llmblocks.core.late import late
from llmblocks.tags import kinds
from llmblocks.tags.editor import nesting
from llmblocks.tags.editor.blocks import open_tag
from llmblocks.tags.scanner import TagScanner

if TYPE_CHECKING:
    from llmblocks.tags.declared import TagSettings
    from llmblocks.tags.editor import colours, completion, formatting, hover, problems, silences, streaming
else:
    colours, completion, formatting, hover, problems, silences, streaming = late(
        __package__, "colours completion formatting hover problems silences streaming"
    )


def _refuses_twin(name: str, settings: TagSettings) -> str:
    known = ", ".join(f"`{each}`" for each in settings.tags)
    reason = f"`{name}` is not a registered tag: use one of {known}, or add it to the settings"
    return "" if name in settings.tags else reason


def _marks(settings: TagSettings) -> tuple[tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]:
    typed = [(tag.name, tag.content.kinds) for tag in settings.declared_tags if tag.content is not None]
    return settings.tags, (*typed,)


LAYER: Final[Layer[TagSettings]] = Layer(
    name="tags",
    scanner=lambda settings: TagScanner(settings.tags),
    nesting=nesting.NESTING,
    hover=lambda: hover.WORDS,
    paint=lambda: colours.PAINT,
    facts=lambda settings: problems.facts(settings.tags, settings.declared_tags),
    complete=lambda caret, settings: completion.suggest(caret, settings.tags, settings.declared_tags),
    parts=lambda: nesting.parts,
    is_inside=lambda state: bool(open_tag(state)),
    decoded=lambda: streaming.decoded,
    style=lambda: formatting,
    streaming=lambda: streaming.STREAMING,
    closing=lambda caret, typed, _: completion.closing(caret, typed),
    ended=lambda caret: completion.ended(caret),
    headings=lambda: nesting.HEADINGS,
    name_kinds=lambda: nesting.NAME_KINDS,
    landmarks=nesting.blocks_begun_in,
    twins={nesting.BLOCK: kinds.NAME},
    refuses_twin=_refuses_twin,
    symbols=nesting.open_blocks_in,
    checks=(nesting.CHECK,),
    silencing=lambda: silences.SILENCING,
    text=frozenset((kinds.TEXT, kinds.CONTENT)),
    marks=_marks,
    paint_over=lambda marks, _: colours.paint_over(marks),
)
