"""Comments that silence findings: `<!-- llmblocks: ignore[T001] a reason -->`. To the runtime they are text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from llmblocks.core.document import Document
from llmblocks.core.section import Piece, Section
from llmblocks.core.silence import Silence, Silencing, pieces_before, read_silence
from llmblocks.tags.editor import kinds

_COMMENT = re.compile(r"<!--[ \t]*(?=llmblocks:)[^\n]*?([ \t]*-->)")
_SAYS = re.compile(r"<!--[ \t]*")
_WORD = re.compile(r"[^ \t\r\n]")


def _find(piece: Piece) -> tuple[Silence, ...]:
    found = []
    text = piece.text
    for kind, start, end in Section((piece,)).spans():
        if kind is not kinds.TEXT:
            continue
        for comment in _COMMENT.finditer(text, start, end):
            says = _SAYS.match(text, comment.start())
            assert says is not None, "a comment begins so"
            silence = read_silence(text[: comment.start(1)], says.end(), comment.start(), comment.end())
            if silence is not None:
                found.append(silence)
    return (*found,)


def _reach(pieces: Iterator[Piece], offset: int) -> int | None:
    """A comment holds up to the end of the next line with something on it, and of the blocks that begin there."""
    before, line, word = 0, False, False
    for piece in pieces:
        text, at = piece.text, 0
        for kind, start, end in Section((piece,)).spans():
            at = max(start, offset - before)
            if at >= end:
                continue
            if kind is not kinds.TEXT:
                word = word or line
                continue
            if not line:
                # the rest of the line of the comment
                newline = text.find("\n", at, end)
                if newline < 0:
                    continue
                line, at = True, newline + 1
            if not word:
                found = _WORD.search(text, at, end)
                if found is None:
                    continue
                word, at = True, found.start()
            newline = text.find("\n", at, end)
            if newline >= 0:
                return before + newline + 1
        before += piece.length
    return None


def _ends(piece: Piece) -> bool:
    return any(token.kind is kinds.TEXT for token in piece.tokens)


def _anchor(document: Document, offset: int) -> int:
    """The line of a place; in a block, that of its opening tag."""
    line = document.line_start(document.position(offset)[0])
    inside: bool | None = None
    for piece, start in pieces_before(document, line):
        at, opening = start, -1
        for kind, width in piece.tokens:
            if at + width > line:
                if inside is None:
                    inside = kind is not kinds.TEXT and kind is not kinds.OPENING
                break
            if kind is kinds.OPENING:
                opening = at
            at += width
        if not inside:
            return line
        if opening >= 0:
            return document.line_start(document.position(opening)[0])
    return line


def _signs(_: Document, __: int) -> tuple[str, str]:
    return "<!-- ", " -->"


SILENCING: Final = Silencing(_find, _reach, _ends, _anchor, _signs, "this line or block")
