"""The position of the caret, and the suggestions there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from llmblocks.core.scan import Kind

if TYPE_CHECKING:
    from llmblocks.core.section import Piece, Section
    from llmblocks.core.symbol import Symbol

SuggestionKind = Literal["keyword", "function", "parameter", "value", "reference", "key", "tag"]
NEARBY = 64
"""The most pieces before or after the caret in which names are looked for."""

REACH = 1 << 14
"""How many characters are looked at, before or after the caret: where pieces end must make no difference."""
FAR: Final = Kind("far")
"""In the place of tokens that are too far from the caret to look at."""


def _nothing(_: Piece) -> tuple[Symbol, ...]:
    return ()


def _nowhere() -> Iterator[Piece]:
    return iter(())


class Caret(NamedTuple):
    """The position of the caret.

    Shape: `offset` counts from the start of the section; `before` is the text before it on its line, `after` the text
           after it. `earlier` gives the pieces from that of the caret to the start of the document, nearest first,
           `later` those after it; `symbols` states the names of a piece.
    """

    section: Section
    offset: int
    before: str
    after: str = ""
    earlier: Callable[[], Iterator[Piece]] = _nowhere
    later: Callable[[], Iterator[Piece]] = _nowhere
    symbols: Callable[[Piece], tuple[Symbol, ...]] = _nothing

    def nearby(self) -> Iterator[Piece]:
        """The pieces around the caret, those before it first, nearest first."""
        yield from islice(self.earlier(), NEARBY)
        yield from islice(self.later(), NEARBY)

    def tokens_back(self) -> Iterator[tuple[Kind, str]]:
        """The tokens before the caret with their texts, the nearest first, no farther than `REACH`."""
        number, inside = self.section.piece_at(max(self.offset - 1, 0))
        inside += self.offset > 0
        here, seen = self.section.pieces[number], 0
        for piece in self.earlier():
            at = piece.length
            for kind, width in reversed(piece.tokens):
                at -= width
                if piece is here and at >= inside:
                    continue
                text = piece.text[at : min(at + width, inside if piece is here else piece.length)]
                seen += len(text)
                if seen > REACH:
                    return
                yield kind, text

    def tokens_ahead(self) -> Iterator[tuple[Kind, str]]:
        """The tokens after the caret with their texts. `FAR` stands for those that are farther than `REACH`."""
        number, inside = self.section.piece_at(max(self.offset - 1, 0))
        inside += self.offset > 0
        here, seen = self.section.pieces[number], 0
        for piece in chain((here,), self.later()):
            at = 0
            for kind, width in piece.tokens:
                end = at + width
                if piece is not here or end > inside:
                    text = piece.text[max(at, inside) if piece is here else at : end]
                    seen += len(text)
                    if seen > REACH:
                        yield FAR, ""
                        return
                    yield kind, text
                at = end


class Suggestion(NamedTuple):
    """A completion.

    Shape: `text` replaces the last `typed` code points before the caret and the first `over` after it; `detail`
           describes it in a sentence. `snippet` is the text with places to fill in, as editors read it; empty where
           there are none. `label` is shown in a list, where the text is too long for one. `more` gives further
           documentation in Markdown.
    """

    text: str
    typed: int
    detail: str
    kind: SuggestionKind = "keyword"
    snippet: str = ""
    over: int = 0
    label: str = ""
    more: Callable[[], str] | None = None


class Signature(NamedTuple):
    """The parameters of a call. Shape: `active` is the number of the parameter that is written, -1 for none of them.

    `parameters` are pairs: a part of `label`, and its documentation in Markdown.
    """

    label: str
    documentation: str
    parameters: tuple[tuple[str, str], ...]
    active: int = -1


def escaped(text: str) -> str:
    """A text in a snippet."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")
