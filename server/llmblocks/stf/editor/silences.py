"""Comments that silence findings: `@# llmblocks: ignore[S203] a reason`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from llmblocks.core.document import Document
from llmblocks.core.layered import LayeredState
from llmblocks.core.section import Piece, Section
from llmblocks.core.silence import Silence, Silencing, pieces_before, read_silence
from llmblocks.stf.editor import kinds
from llmblocks.stf.editor.state import State

_BEGINNINGS = frozenset((kinds.MESSAGE_NAME, kinds.RAW_NAME))
_ENDS = frozenset((*_BEGINNINGS, kinds.FLUSH_NAME))
DIRECTIVE: Final = re.compile(r"(?:#|//)[ \t]*(?=llmblocks:)")


def _find(piece: Piece) -> tuple[Silence, ...]:
    found = []
    text = piece.text
    for kind, start, end in Section((piece,)).spans():
        if kind is kinds.COMMENT_LINE and (sign := DIRECTIVE.match(text, start, end)):
            header = text.rfind("\n", 0, start) + 1
            silence = read_silence(text, sign.end(), header + text.startswith("\ufeff", header), end)
            if silence is not None:
                found.append(silence)
    return (*found,)


def _reach(pieces: Iterator[Piece], offset: int) -> int | None:
    """A comment holds up to the end of the next message."""
    begun, before = False, 0
    for piece in pieces:
        at = 0
        for kind, width in piece.tokens:
            if before + at >= offset and (kind in _BEGINNINGS or (begun and kind is kinds.FLUSH_NAME)):
                if begun:
                    return before + piece.text.rfind("\n", 0, at) + 1
                begun = True
            at += width
        before += piece.length
    return None


def _ends(piece: Piece) -> bool:
    return not _ENDS.isdisjoint([token.kind for token in piece.tokens])


def _anchor(document: Document, offset: int) -> int:
    """The command line of the message that is around a place, or else its own line."""
    line = document.line_start(document.position(offset)[0] + 1)
    for piece, start in pieces_before(document, offset):
        at, found = start, -1
        for kind, width in piece.tokens:
            if at >= line:
                break
            if kind in _BEGINNINGS:
                found = at
            at += width
        if found >= 0:
            return document.line_start(document.position(found)[0])
    return document.line_start(document.position(offset)[0])


def _signs(document: Document, offset: int) -> tuple[str, str]:
    state = document.section_at(offset).section.after
    while isinstance(state, LayeredState):
        state = state.outer
    header = state.dialect if isinstance(state, State) else ""
    return f"{header or '@'}# ", ""


SILENCING: Final = Silencing(_find, _reach, _ends, _anchor, _signs, "this message")
