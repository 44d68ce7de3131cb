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
"""The largest distance from the caret at which names are looked up, in characters."""

REACH = 1 << 14
"""The number of characters that are read before and after the caret."""
FAR: Final = Kind("far")
"""Stands for tokens that are too far from the caret to read."""


class Starts(Protocol):
    """Anything with a place in some lines: its first code point, counted from their start."""

    @property
    def start(self) -> int: ...


S = TypeVar("S", bound=Starts)


class Caret(NamedTuple):
    """The position of the caret."""

    section: Section
    offset: int
    """Code points from the start of the section."""
    before: str
    """The text before it on its line."""
    after: str = ""
    """The text after it on its line."""
    earlier: Callable[[], Iterator[Section]] = lambda: iter(())
    """Yields the sections from that of the caret to the start of the document, nearest first."""
    later: Callable[[], Iterator[Section]] = lambda: iter(())
    """Yields the sections after that of the caret."""
    symbols: Callable[[Section], tuple[Symbol, ...]] = lambda _: ()
    """Returns the names of a section."""

    def sections_back(self) -> Iterator[tuple[Section, int]]:
        """Yield the section of the caret and earlier ones, nearest first, with the length of their text before it."""
        for number, section in enumerate(self.earlier()):
            yield section, section.length if number else self.offset

    def stated_back(self, stated: Callable[[Section], Sequence[S]]) -> Iterator[tuple[int, S]]:
        """Yield the items of sections that begin before the caret, at most `NEARBY` away, each with its distance."""
        seen = 0
        for section, end in self.sections_back():
            seen += end
            if seen - section.length > NEARBY:
                return
            for each in reversed(stated(section)):
                if 0 < seen - each.start <= NEARBY:
                    yield seen - each.start, each

    def stated_ahead(self, stated: Callable[[Section], Sequence[S]]) -> Iterator[tuple[int, S]]:
        """Yield the items of sections that begin after the caret, each with its distance."""
        start = -self.offset
        for section in chain((self.section,), self.later()):
            if start > NEARBY:
                return
            for each in stated(section):
                if 0 <= start + each.start <= NEARBY:
                    yield start + each.start, each
            start += section.length

    def tokens_back(self) -> Iterator[tuple[Kind, str]]:
        """Yield the tokens before the caret with their texts, nearest first, about `REACH` away at most."""
        seen = 0
        for section, end in self.sections_back():
            at = section.length
            for kind, width in reversed(section.tokens):
                at -= width
                if at < end:
                    text = section.text[at : min(at + width, end)][-REACH:]
                    yield kind, text
                    seen += len(text)
                if seen > REACH:
                    return

    def tokens_ahead(self) -> Iterator[tuple[Kind, str]]:
        """Yield the tokens after the caret with their texts. `FAR` stands for those beyond `REACH`."""
        seen = 0
        for number, section in enumerate(chain((self.section,), self.later())):
            at, inside = 0, 0 if number else self.offset
            for kind, width in section.tokens:
                end = at + width
                if end > inside:
                    text = section.text[max(at, inside) : end][:REACH]
                    yield kind, text
                    seen += len(text)
                at = end
                if seen > REACH:
                    yield FAR, ""
                    return


class Suggestion(NamedTuple):
    text: str
    typed: int
    """The number of code points before the caret that `text` replaces."""
    detail: str
    """A sentence that describes it."""
    kind: SuggestionKind = "keyword"
    snippet: str = ""
    """The text with placeholders, in the syntax of editors; empty if it has none."""
    over: int = 0
    """The number of code points after the caret that `text` replaces."""
    label: str = ""
    """The entry in a list, if the text is too long for one."""
    more: Callable[[], str] | None = None
    """Further documentation in Markdown."""
    goes_on: bool = False
    doubled: int = 0
    aside: str = ""
    """Shown beside the label."""


class Signature(NamedTuple):
    """The parameters of a call."""

    label: str
    documentation: str
    parameters: tuple[tuple[str, str], ...]
    """Pairs of a part of `label` and its documentation in Markdown."""
    active: int = -1
    """The index of the parameter at the caret; -1 for none."""
    in_value: bool = False


def quoted_value(typed: str, after: str, ends: str, breaks: str = "") -> tuple[str, int]:
    """Return the quote to write around a value, and the length of the value's text after the caret.

    Args:
        typed: The value so far, with its quote. A value without a quote ends before a character of `ends`.
        after: The text after the caret. Without a closing quote, or with one after a character of `breaks`, none of it
            belongs to the value.
    """
    quote = typed[:1] if typed[:1] in ("'", '"') else ""
    stops = quote + breaks if quote else ends
    over = next((at for at, each in enumerate(after) if each in stops), len(after))
    if quote:
        over = over + 1 if after.startswith(quote, over) else 0
    return quote or '"', over


def escaped(text: str) -> str:
    """Escape a text for use in a snippet."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def choice(text: str) -> str:
    """Return the snippet that offers these texts."""
    return escaped(text).replace(",", "\\,").replace("|", "\\|")
