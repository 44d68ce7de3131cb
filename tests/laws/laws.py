"""The laws, as checks that raise `AssertionError` where one is broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from llmblocks.core.chunks import ScannedChunks
from llmblocks.core.document import Document
from llmblocks.core.nest import Nesting, Node, nest
from llmblocks.core.scan import Scanner, Token, canonical
from llmblocks.core.sequence import Placed

T = TypeVar("T")


class Edit(NamedTuple):
    """`start` and `removed` are taken modulo what the text allows, so that any numbers make an edit."""

    start: int
    removed: int
    text: str

    def place(self, size: int) -> tuple[int, int]:
        start = self.start % (size + 1)
        return start, start + self.removed % (size - start + 1)


def tokens_cover_the_text(document: Document, text: str) -> None:
    assert document.text == text
    assert len(document) == len(text)
    assert sum(token.width for token in document.tokens()) == len(text)
    for section in document.sections:
        assert sum(token.width for token in section.tokens) == section.length == len(section.text)


def chunking_does_not_matter(scanner: Scanner, text: str, sizes: Sequence[int]) -> None:
    whole = _streamed(scanner, [text])
    assert whole == Document(scanner, text).tokens(), "a stream and a document must agree"
    assert _streamed(scanner, list(text)) == whole, "one character at a time"
    assert _streamed(scanner, list(_cut(text, sizes))) == whole, "in chunks"


def edit_equals_reparse(scanner: Scanner, nesting: Nesting, text: str, edits: Sequence[Edit]) -> None:
    document = Document(scanner, text)
    for edit in edits:
        start, end = edit.place(len(text))
        old = list(document.sections)
        change = document.edit(start, end, edit.text)
        text = text[:start] + edit.text + text[end:]
        fresh = Document(scanner, text)
        tokens_cover_the_text(document, text)
        assert document.tokens() == fresh.tokens()
        assert [section.text for section in document.sections] == [section.text for section in fresh.sections]
        assert [section.is_last for section in document.sections] == [section.is_last for section in fresh.sections]
        assert trees(document, nesting) == trees(fresh, nesting)
        assert document.end_state == fresh.end_state
        _change_is_all(old, list(document.sections), change.removed, change.added)
        _sections_are_placed(document)
        _places_are_right(document, text, start)


def trees(document: Document, nesting: Nesting) -> list[tuple[Node, ...]]:
    return [nest(section, nesting) for section in document.sections]


def _change_is_all(old: Sequence[T], new: Sequence[T], removed: Sequence[T], added: Sequence[T]) -> None:
    """Objects outside of the reported change stay the same, in the same order."""
    gone, come = {id(each) for each in removed}, {id(each) for each in added}
    kept = [id(each) for each in old if id(each) not in gone]
    assert kept == [id(each) for each in new if id(each) not in come]


def _sections_are_placed(document: Document) -> None:
    """Sections are found, and what is before them is counted, as by one after the other."""
    sections = document.sections
    start = breaks = 0
    before = None
    for number, section in enumerate(sections):
        expected = Placed(section, start, breaks, number, before)
        assert sections.placed(number) == expected
        assert sections.number(section) == number
        for inside in {0, section.length - 1} if section.length else ():
            assert sections.at(start + inside) == expected
        for nth in range(1, section.breaks + 1):
            assert sections.at_break(breaks + nth) == expected
        start += section.length
        breaks += section.breaks
        before = section
    assert (sections.length, len(sections)) == (start, number + 1)
    assert sections.breaks == breaks
    assert [*sections.all()] == [*map(sections.placed, range(len(sections)))]


def _places_are_right(document: Document, text: str, offset: int) -> None:
    assert document.line_at(offset) == (text.rfind("\n", 0, offset) + 1, text.find("\n", offset) + 1 or len(text))
    placed = document.section_at(offset)
    assert placed.start <= offset <= placed.start + placed.section.length
    assert document.slice(offset - 5, offset + 5) == text[max(offset - 5, 0) : offset + 5]


def _streamed(scanner: Scanner, chunks: list[str]) -> list[Token]:
    stream = ScannedChunks(scanner)
    parts = [part for chunk in chunks for part in stream.take(chunk)]
    return canonical([Token(kind, len(text)) for kind, text in (*parts, *stream.take("", final=True))])


def _cut(text: str, sizes: Sequence[int]) -> Iterator[str]:
    at = 0
    for size in sizes:
        yield text[at : at + size]
        at += size
    yield text[at:]
