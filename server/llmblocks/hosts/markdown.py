"""Fenced code blocks in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from llmblocks.hosts.embedded import EmbeddedText, Segment

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_NAME = re.compile(r"[^\s:,{?]+")


class Markdown:
    """Finds the fenced code blocks whose info string begins with one of some names, in any case.

    A block ends at its closing fence, or with its list item, its quotation or the document. Indents and quotation marks
    are not part of its lines.
    Source: CommonMark, "Fenced code blocks".
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = frozenset(names)

    def find(self, text: str) -> list[EmbeddedText]:
        """See `Host.find`."""
        if "```" not in text and "~~~" not in text:
            return []
        starts = [found.start() for found in _LINE.finditer(text)]
        blocks = []
        for token in _parser().parse(text):
            name = _NAME.match(token.info.strip()) if token.type == "fence" else None
            if name and token.map and (language_id := name[0].lower()) in self._names:
                lines = starts[token.map[0] + 1 :] or [len(text)]
                blocks.append(EmbeddedText(language_id, tuple(_segments(text, lines, token.content))))
        return blocks


def _segments(text: str, starts: list[int], content: str) -> Iterator[Segment]:
    """The lines of a block, each with its line end. Shape: in the parser's `content`, all lines end with `\\n`."""
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
        # a tab that belongs only partly to the indent leaves spaces
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
