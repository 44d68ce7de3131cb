"""The position of the caret, and the suggestions there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol, TypeVar

from llmblocks.core.scan import Kind

if TYPE_CHECKING:
    from llmblocks.core.section import Piece, Section
    from llmblocks.core.symbol import Symbol

SuggestionKind = Literal["keyword", "function", "parameter", "value", "reference", "key", "tag"]
NEARBY = 1 << 15
"""How far from the caret names are looked for, in characters."""

REACH = 1 << 14
"""How many characters are looked at, before or after the caret: where pieces end must make no difference."""
FAR: Final = Kind("far")
"""In the place of tokens that are too far from the caret to look at."""


class Starts(Protocol):
    """Anything at a place of some lines."""

    @property
    def start(self) -> int:
        """Its first code point, counted from the start of these."""
        ...


S = TypeVar("S", bound=Starts)


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

    def lines_back(self) -> Iterator[tuple[Piece, int]]:
        """The lines of the caret and those before them, the nearest first, each with how much is in front of it."""
        _, inside, _ = self.section.find(max(self.offset - 1, 0))
        for number, lines in enumerate(self.earlier()):
            yield lines, lines.length if number else inside + (self.offset > 0)

    def names_back(self) -> Iterator[Symbol]:
        """The names that begin before the caret, the nearest first, no farther than `NEARBY`."""
        return (each for _, each in self.stated_back(self.symbols))

    def names_ahead(self) -> Iterator[Symbol]:
        """The names that begin behind the caret, no farther than `NEARBY`."""
        return (each for _, each in self.stated_ahead(self.symbols))

    def stated_back(self, stated: Callable[[Piece], Sequence[S]]) -> Iterator[tuple[int, S]]:
        """What lines state that begins before the caret, the nearest first, each with its distance.

        Shape: lines state in order. Nothing is farther than `NEARBY`: which lines are together makes no difference.
        """
        seen = 0
        for lines, end in self.lines_back():
            seen += end
            if seen - lines.length > NEARBY:
                return
            for each in reversed(stated(lines)):
                if 0 < seen - each.start <= NEARBY:
                    yield seen - each.start, each

    def stated_ahead(self, stated: Callable[[Piece], Sequence[S]]) -> Iterator[tuple[int, S]]:
        """The same for what begins behind the caret."""
        _, inside, here = self.section.find(max(self.offset - 1, 0))
        start = -inside - (self.offset > 0)
        for piece in chain((here,), self.later()):
            if start > NEARBY:
                return
            for each in stated(piece):
                if 0 <= start + each.start <= NEARBY:
                    yield start + each.start, each
            start += piece.length

    def text_back(self, length: int) -> str:
        """The lines before the caret that begin within a distance of it."""
        parts, size = list[str](), 0
        for lines, end in self.lines_back():
            parts.append(lines.text[:end])
            size += end
            if size > length:
                break
        text = "".join(reversed(parts))
        return text if size <= length else text[-length - 1 :].partition("\n")[2]

    def text_ahead(self, length: int) -> str:
        """The text behind the caret, as far as a distance of it."""
        _, inside, piece = self.section.find(max(self.offset - 1, 0))
        here = piece.text[inside + (self.offset > 0) :]
        parts, size = [here], len(here)
        for piece in self.later():
            if size >= length:
                break
            parts.append(piece.text)
            size += piece.length
        return "".join(parts)[:length]

    def tokens_back(self) -> Iterator[tuple[Kind, str]]:
        """The tokens before the caret with their texts, the nearest first, no farther than `REACH`."""
        _, inside, here = self.section.find(max(self.offset - 1, 0))
        inside, seen = inside + (self.offset > 0), 0
        for piece in self.earlier():
            at = piece.length
            for kind, width in reversed(piece.tokens):
                at -= width
                if piece is here and at >= inside:
                    continue
                text = piece.text[at : min(at + width, inside if piece is here else piece.length)]
                room = REACH - seen
                seen += len(text)
                # a token is told as far as that, however it is stored
                if room or not text:
                    yield kind, text[max(len(text) - room, 0) :]
                if seen > REACH:
                    return

    def tokens_ahead(self) -> Iterator[tuple[Kind, str]]:
        """The tokens after the caret with their texts. `FAR` stands for those that are farther than `REACH`."""
        _, inside, here = self.section.find(max(self.offset - 1, 0))
        inside, seen = inside + (self.offset > 0), 0
        for piece in chain((here,), self.later()):
            at = 0
            for kind, width in piece.tokens:
                end = at + width
                if piece is not here or end > inside:
                    text = piece.text[max(at, inside) if piece is here else at : end]
                    room = REACH - seen
                    seen += len(text)
                    if room or not text:
                        yield kind, text[:room]
                    if seen > REACH:
                        yield FAR, ""
                        return
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
    goes_on: bool = False
    doubled: int = 0


class Signature(NamedTuple):
    """The parameters of a call. Shape: `active` is the number of the parameter that is written, -1 for none of them.

    `parameters` are pairs: a part of `label`, and its documentation in Markdown.
    """

    label: str
    documentation: str
    parameters: tuple[tuple[str, str], ...]
    active: int = -1
    in_value: bool = False


def quoted_value(typed: str, after: str, ends: str, breaks: str = "") -> tuple[str, int]:
    """The quote of a value, or the one to write, and how much of what is behind the caret belongs to the value.

    Shape: `typed` is the value so far with its quote; one without a quote ends in front of a character of `ends`. One
           whose quote has no partner behind the caret, or has it behind one of `breaks`, has nothing there.
    """
    quote = typed[:1] if typed[:1] in ("'", '"') else ""
    stops = quote + breaks if quote else ends
    over = next((at for at, each in enumerate(after) if each in stops), len(after))
    if quote:
        over = over + 1 if after.startswith(quote, over) else 0
    return quote or '"', over


def escaped(text: str) -> str:
    """A text in a snippet."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def choice(text: str) -> str:
    """One of the texts to choose from in a snippet."""
    return escaped(text).replace(",", "\\,").replace("|", "\\|")
