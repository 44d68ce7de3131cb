"""The position of the caret, and the suggestions there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol, TypeVar

from llmblocks.core.scan import Kind

if TYPE_CHECKING:
    from llmblocks.core.section import Section
    from llmblocks.core.symbol import Symbol

SuggestionKind = Literal["keyword", "function", "parameter", "value", "reference", "key", "tag"]
NEARBY = 1 << 15
"""How far from the caret names are looked for, in characters."""

REACH = 1 << 14
"""The number of characters that are read before and after the caret."""
FAR: Final = Kind("far")
"""In the place of tokens that are too far from the caret to look at."""


class Starts(Protocol):
    """Anything at a place of some lines."""

    @property
    def start(self) -> int:
        """Its first code point, counted from the start of these."""
        ...


S = TypeVar("S", bound=Starts)


def _nothing(_: Section) -> tuple[Symbol, ...]:
    return ()


def _nowhere() -> Iterator[Section]:
    return iter(())


class Caret(NamedTuple):
    """The position of the caret.

    Shape: `offset` counts from the start of the section; `before` is the text before it on its line, `after` the text
           after it. `earlier` gives the sections from that of the caret to the start of the document, nearest first,
           `later` those after it; `symbols` states the names of a section.
    """

    section: Section
    offset: int
    before: str
    after: str = ""
    earlier: Callable[[], Iterator[Section]] = _nowhere
    later: Callable[[], Iterator[Section]] = _nowhere
    symbols: Callable[[Section], tuple[Symbol, ...]] = _nothing

    def sections_back(self) -> Iterator[tuple[Section, int]]:
        """The section of the caret and those before it, the nearest first, each with how much is before the caret."""
        for number, section in enumerate(self.earlier()):
            yield section, section.length if number else self.offset

    def names_back(self) -> Iterator[Symbol]:
        """The names that begin before the caret, the nearest first, no farther than `NEARBY`."""
        return (each for _, each in self.stated_back(self.symbols))

    def names_ahead(self) -> Iterator[Symbol]:
        """The names that begin behind the caret, no farther than `NEARBY`."""
        return (each for _, each in self.stated_ahead(self.symbols))

    def stated_back(self, stated: Callable[[Section], Sequence[S]]) -> Iterator[tuple[int, S]]:
        """What sections state that begins before the caret, the nearest first, each with its distance.

        Sections state in order. Nothing is farther than `NEARBY`.
        """
        seen = 0
        for section, end in self.sections_back():
            seen += end
            if seen - section.length > NEARBY:
                return
            for each in reversed(stated(section)):
                if 0 < seen - each.start <= NEARBY:
                    yield seen - each.start, each

    def stated_ahead(self, stated: Callable[[Section], Sequence[S]]) -> Iterator[tuple[int, S]]:
        """The same for what begins behind the caret."""
        start = -self.offset
        for section in chain((self.section,), self.later()):
            if start > NEARBY:
                return
            for each in stated(section):
                if 0 <= start + each.start <= NEARBY:
                    yield start + each.start, each
            start += section.length

    def text_back(self, length: int) -> str:
        """The lines before the caret that begin within a distance of it."""
        parts, size = list[str](), 0
        for section, end in self.sections_back():
            parts.append(section.text[:end])
            size += end
            if size > length:
                break
        text = "".join(reversed(parts))
        return text if size <= length else text[-length - 1 :].partition("\n")[2]

    def text_ahead(self, length: int) -> str:
        """The text behind the caret, as far as a distance of it."""
        here = self.section.text[self.offset :]
        parts, size = [here], len(here)
        for section in self.later():
            if size >= length:
                break
            parts.append(section.text)
            size += section.length
        return "".join(parts)[:length]

    def tokens_back(self) -> Iterator[tuple[Kind, str]]:
        """The tokens before the caret with their texts, the nearest first, no farther than `REACH`."""
        seen = 0
        for section, end in self.sections_back():
            at = section.length
            for kind, width in reversed(section.tokens):
                at -= width
                if at >= end:
                    continue
                text = section.text[at : min(at + width, end)]
                room = REACH - seen
                seen += len(text)
                if room or not text:
                    yield kind, text[max(len(text) - room, 0) :]
                if seen > REACH:
                    return

    def tokens_ahead(self) -> Iterator[tuple[Kind, str]]:
        """The tokens after the caret with their texts. `FAR` stands for those that are farther than `REACH`."""
        seen = 0
        for number, section in enumerate(chain((self.section,), self.later())):
            at, inside = 0, 0 if number else self.offset
            for kind, width in section.tokens:
                end = at + width
                if end > inside:
                    text = section.text[max(at, inside) : end]
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
           there are none. `label` is shown in a list, where the text is too long for one, and `aside` beside it.
           `more` gives further documentation in Markdown.
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
    aside: str = ""


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
