"""Fenced code blocks in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from llmblocks.core.edits import Edit
from llmblocks.facts.problem import Problem
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.hosts.embedded import EmbeddedText, EmbeddedTexts, Host, Segment, begins_with_a_call
from llmblocks.settings.rules import D004_UNREAD_TEXT

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_LINE_END = re.compile(r"\r\n|\r|\n")
_FENCE = re.compile(r"`{3,}|~{3,}")
_OURS = "llmblocks"
_MARKERS = Markers()
_NAME = re.compile(rf"(?:{_OURS}[\s:,]+)?([^\s:,{{?]+)", re.IGNORECASE)


class Markdown(Host):
    """Finds the fenced code blocks whose info string begins with one of some names, in any case.

    A block with another name whose text is a gadget call is a problem, as is one without a name unless `unnamed` ones
    are read. A block ends at its closing fence, or with its list item, its quotation or the document. Indents and
    quotation marks are not part of its lines.

    Source: CommonMark, "Fenced code blocks".
    """

    def __init__(self, names: tuple[str, ...], markers: Markers = _MARKERS, *, unnamed: bool = False) -> None:
        self._names = frozenset(names)
        self._markers = markers
        self._unnamed = unnamed
        any_name = "|".join(map(re.escape, (_OURS, *names)))
        self._may_be = re.compile(rf"(?:```|~~~)[ \t]*(?:{any_name})", re.IGNORECASE)

    def read(self, text: str) -> EmbeddedTexts:
        # most documents contain no embedded texts, and need no parsing
        if self._may_be.search(text) is None and not (self._markers.start in text and _FENCE.search(text)):
            return EmbeddedTexts(())
        starts = [found.start() for found in _LINE.finditer(text)]
        blocks, unread = [], []
        for token in _parser().parse(text):
            name = _NAME.match(token.info.strip()) if token.type == "fence" else None
            if token.type != "fence" or not token.map:
                continue
            opening, *lines = starts[token.map[0] :]
            language_id = name[1].lower() if name else ""
            if language_id not in self._names:
                if not begins_with_a_call(token.content, self._markers):
                    continue
                if name or not self._unnamed:
                    unread.append(_unread(text, opening, name[1] if name else ""))
                    continue
                language_id = "gadget"
            segments = (*_segments(text, lines or [len(text)], token.content),)
            blocks.append(EmbeddedText(language_id, segments, _lead(text, opening)))
        return EmbeddedTexts(blocks, unread)

    def outside(self, text: str, embedded: EmbeddedText, edit: Edit) -> Edit:
        inner = embedded.text
        start, end = embedded.outside(edit.start), embedded.outside(edit.end)
        new = _LINE_END.sub(lambda found: found[0] + embedded.lead, edit.text)
        if edit.end == len(inner) and (end == len(text) or _begins_line(text, end)):
            # the closing fence is indented separately, on its own line
            if new.endswith(embedded.lead) and edit.text.endswith(("\r", "\n")):
                new = new[: len(new) - len(embedded.lead)]
            elif end < len(text) and not _begins_line(inner[: edit.start] + edit.text, edit.start + len(edit.text)):
                line_end = _LINE_END.search(inner)
                new += line_end[0] if line_end else "\n"
        if new and _begins_line(inner, edit.start):
            before = text[:start]
            line = max(before.rfind("\n"), before.rfind("\r")) + 1
            # blank lines may have less before them
            new = embedded.lead[start - line :] + new
        return Edit(start, end, new)


def _unread(text: str, start: int, name: str) -> Problem:
    """Return the problem of a fence that nothing reads, on the line from `start` on.

    Its `mark` counts from its first sign.
    """
    fence = _FENCE.search(text, start)
    assert fence is not None, "a line with a fence"
    at = text.index(name, fence.end())
    mark = Edit(at - fence.start(), at + len(name) - fence.start(), "gadget")
    data = {"mark": mark, "title": "Name the fence gadget"} | ({"case": "other", "name": name} if name else {})
    return Problem(D004_UNREAD_TEXT, fence.start(), at + len(name), data)


def _begins_line(text: str, offset: int) -> bool:
    return offset == 0 or text[offset - 1] in "\r\n"


def _lead(text: str, start: int) -> str:
    """Return the text before each line of a block whose fence is on the line at a place."""
    fence = _FENCE.search(text, start)
    assert fence is not None, "a line with a fence"
    # quotation marks are on each line, list markers on the first only
    return re.sub(r"[^>\t]", " ", text[start : fence.start()])


def _segments(text: str, starts: list[int], content: str) -> Iterator[Segment]:
    """Yield the lines of a block, each with its line end. In the parser's `content`, all lines end with `\\n`."""
    lines = content.split("\n")
    if not content:
        yield Segment(starts[0], starts[0], 0, "")
    at = 0
    for start, line in zip(starts, lines if lines[-1] else lines[:-1], strict=False):
        found = _LINE.match(text, start)
        assert found is not None
        end = found.end()
        content_end = start + len(found[0].rstrip("\r\n"))
        kept = content_end - len(line.lstrip(" "))
        # a tab that is only partly indent leaves spaces
        spaces = len(line) - len(line.lstrip(" "))
        while spaces and kept > start and text[kept - 1] == " ":
            kept, spaces = kept - 1, spaces - 1
        if spaces:
            yield Segment(kept - 1, kept, at, " " * spaces)
            at += spaces
        yield Segment(kept, end, at, text[kept:end])
        at += end - kept


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").disable("inline")
