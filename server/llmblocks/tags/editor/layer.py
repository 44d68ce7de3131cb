"""Custom blocks as a layer: their nesting, their names, and blocks that continue after their section."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from llmblocks.contract.headings import Heading, NameKind, Title, first_words
from llmblocks.contract.layer import Layer
from llmblocks.core.index import Index
from llmblocks.core.late import late
from llmblocks.core.nest import Nesting
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.core.symbol import PlacedSymbol, Symbol
from llmblocks.facts.name_checks import PlacedProblem, forward_check
from llmblocks.tags import kinds
from llmblocks.tags.editor.blocks import LISTED, begun_in, blocks_in, open_tag, tag_near
from llmblocks.tags.rules import T001_UNCLOSED_BLOCK
from llmblocks.tags.scanner import TagScanner

if TYPE_CHECKING:
    from llmblocks.tags.editor import answers, problems, values
    from llmblocks.tags.syntax import TagSettings
else:
    answers, problems, values = late(__package__, "answers problems values")

BLOCK: Final = "custom-block"

NESTING: Final = Nesting(
    opens={kinds.OPENING: BLOCK},
    closes={kinds.CLOSED: BLOCK, kinds.SELF_CLOSED: BLOCK},
    # Blocks do not nest: a tag in a block is its content.
    ends={BLOCK: frozenset((BLOCK,))},
)


def blocks_begun_in(section: Section) -> tuple[Symbol, ...]:
    """Return the opening tags."""
    return tuple([Symbol("definition", BLOCK, each.tag, each.start + 1, each.name_end) for each in begun_in(section)])


def _title(text: str, start: int, end: int) -> Title:
    opened = text.find(">", end)
    content = opened + 1 if opened >= 0 else len(text)
    until = text.find("</", content)
    return Title(text[start:end], first_words(text, content, until if until >= 0 else len(text)))


def _tag(text: str, start: int, end: int) -> str | None:
    return None if text.endswith("</", 0, start) else text[start:end]


NAME_KINDS: Final[Mapping[str, NameKind]] = {BLOCK: NameKind("block", entry="block")}
HEADINGS: Final[Mapping[Kind, Heading]] = {kinds.NAME: Heading("block", BLOCK, _title, _tag)}


def parts(section: Section, spans: Sequence[Span], number: int) -> Iterator[tuple[int, int]]:
    """Yield the tag, its attributes, and their values with quotes."""
    tag = tag_near(section, spans[number].start)
    if tag is None or spans[number].kind not in LISTED | kinds.BRACKETS | {kinds.NAME}:
        return
    yield (tag.start, tag.end) if spans[number].start < tag.end else (tag.content_end, tag.block_end)
    for each in tag.attributes:
        yield each.start, each.end
        if each.quote:
            yield each.value - 1, each.end


OPEN: Final = "open block"
"""A block that does not end in its section, named by its tag; with a `<` after it if its tag has no `>` there."""
TAG_END: Final = "end of a tag"
"""The `>` of a tag that begins in an earlier section."""
END: Final = "end of a block"
"""The end of an open block; "cut" if the text around the block ends it inside its content."""
CUT: Final = "cut"


def open_blocks_in(section: Section) -> tuple[Symbol, ...]:
    """Return the beginnings and ends of blocks that are not both in a section."""
    found: list[Symbol] = []
    for part in blocks_in(section):
        is_cut = part.ends and not part.closed and part.ended
        if part.begins and (is_cut or not part.ends):
            # up to its `>` or to the end of its line
            line_end = part.text.find("\n", part.start)
            end = part.start + len(part.text[part.start : line_end if line_end >= 0 else None].rstrip("\r"))
            name, end = (part.tag, min(end, part.end)) if part.ended else (f"{part.tag}<", end)
            found.append(Symbol("definition", OPEN, name, part.start, end))
        elif not part.begins and part.ended and part.end and not part.self_closing:
            found.append(Symbol("definition", TAG_END, "", part.bracket, part.bracket))
        if part.ends and (is_cut or not part.begins):
            stop = max(part.block_end - 1, 0)
            found.append(Symbol("definition", END, CUT if is_cut else "", stop, stop))
    return (*found,)


def _unclosed(index: Index, block: PlacedSymbol) -> PlacedProblem | None:
    # blocks do not nest: the first end after an opening belongs to it
    number = index.count_before("definition", END, block)
    data = {"tag": block.symbol.name.removesuffix("<")}
    if number < index.count("definition", END):
        is_closed = index.nth("definition", END, number).symbol.name != CUT
        data["case"] = "in-message"
    else:
        is_closed = not open_tag(index.sections[-1].after)
    return None if is_closed else PlacedProblem(block, data)


CHECK: Final = forward_check(T001_UNCLOSED_BLOCK, ("definition", OPEN), (OPEN, TAG_END, END), _unclosed)


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
    nesting=NESTING,
    hover=lambda: answers.WORDS,
    paint=lambda: answers.PAINT,
    facts=lambda settings: problems.facts(settings.tags, settings.declared_tags),
    complete=lambda caret, settings: answers.suggest(caret, settings.tags, settings.declared_tags),
    parts=lambda: parts,
    is_inside=lambda state: bool(open_tag(state)),
    decoded=lambda: values.decoded,
    style=lambda: values,
    streaming=lambda: values.STREAMING,
    closing=lambda caret, typed, _: answers.closing(caret, typed),
    ended=lambda caret: answers.ended(caret),
    headings=lambda: HEADINGS,
    name_kinds=lambda: NAME_KINDS,
    landmarks=blocks_begun_in,
    twins={BLOCK: kinds.NAME},
    refuses_twin=_refuses_twin,
    symbols=open_blocks_in,
    checks=(CHECK,),
    silencing=lambda: problems.SILENCING,
    text=frozenset((kinds.TEXT, kinds.CONTENT)),
    marks=_marks,
    paint_over=lambda marks, _: answers.paint_over(marks),
)
