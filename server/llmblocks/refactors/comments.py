"""Conversion of the lines of a chat to comments and back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from llmblocks.core.edits import Edit
from llmblocks.languages.ask import Ask
from llmblocks.refactors.promises import LONGEST
from llmblocks.refactors.refactoring import Offer, Refactoring
from llmblocks.refactors.selected import header_of, lines_of, newline_of, tokens_of
from llmblocks.stf import kinds

_LINE = re.compile(r"[ \t]*(?:#|//) ?")
_BLOCK = re.compile(r"^[@;][ \t]*(?:/\*|\*/)", re.MULTILINE)


def _offer(ask: Ask) -> Iterator[Offer]:
    document = ask.document
    if ask.end - ask.start > LONGEST:
        return
    start, end = lines_of(ask)
    text, header = document.slice(start, end), header_of(ask, start)
    tokens = [*tokens_of(document, start, end)]
    if not text.strip() or not header or any(kind in (kinds.COMMENT, kinds.COMMENT_CLOSE) for kind, _, _ in tokens[:1]):
        return
    lines = [*_starts(text, start)]
    marks = [_LINE.match(text, at + 1 - start) for at in lines]
    if all(mark is not None and text[mark.start() - 1] == header for mark in marks):
        yield Offer(
            "Uncomment", tuple([Edit(mark.start() - 1 + start, mark.end() + start, "") for mark in marks if mark])
        )
        return
    if ask.start == ask.end or document.slice(start, start + 1) == "\ufeff":
        return
    yield Offer("Comment the selected lines", tuple([Edit(at, at, f"{header}# ") for at in lines]))
    if not _BLOCK.search(text):
        newline = newline_of(ask, start)
        lead = "" if text.endswith("\n") else newline
        edits = (Edit(start, start, f"{header}/*{newline}"), Edit(end, end, f"{lead}{header}*/{newline}"))
        yield Offer("Comment the selected lines as a block", edits)


def _block(ask: Ask) -> Iterator[Offer]:
    """Take a comment block away, and leave what is in it."""
    document = ask.document
    first = document.line_start(document.position(ask.start)[0])
    opens = [each for each in tokens_of(document, first, first + 80) if each.kind is kinds.COMMENT_OPEN]
    if not opens or document.position(opens[0].start)[0] != document.position(first)[0]:
        return
    closing = _closing(ask, first)
    if closing is None:
        return
    line = document.position(closing)[0]
    edits = []
    for start, end in (
        (first, document.line_start(document.position(first)[0] + 1)),
        (document.line_start(line), document.line_start(line + 1)),
    ):
        if len(document.slice(start, end).strip().lstrip("@;").strip()) > 2:
            return  # there are words on the line
        edits.append(Edit(start, end, ""))
    yield Offer("Uncomment this block", (*edits,))


def _closing(ask: Ask, first: int) -> int | None:
    """Return the end of the comment block that begins on a line; None where it is far."""
    depth = 0
    for kind, at, _ in tokens_of(ask.document, first, min(first + LONGEST, len(ask.document))):
        depth += (kind is kinds.COMMENT_OPEN) - (kind is kinds.COMMENT_CLOSE)
        if kind is kinds.COMMENT_CLOSE and not depth:
            return at
    return None


def _starts(text: str, start: int) -> Iterator[int]:
    """Yield the starts of the lines with something on them."""
    for each in re.finditer(r"^(?=.*\S)", text, re.MULTILINE):
        yield start + each.start()


COMMENT: Final = Refactoring(
    name="toggle-comment",
    kind="refactor.rewrite",
    layer="stf",
    summary="Comments or uncomments the selected lines, one by one or as a block.",
    keeps="all other lines",
    promise=None,
    offer=_offer,
    language="stf",
    before=";user\n«Hello.\nWhat is a bee?\n»",
    after=";user\n;# Hello.\n;# What is a bee?\n",
)
UNCOMMENT: Final = Refactoring(
    name="uncomment-block",
    kind="refactor.rewrite",
    layer="stf",
    summary="Removes the two lines around a comment block.",
    keeps="the text in the block",
    promise=None,
    offer=_block,
    language="stf",
    before="@user\n@«»/*\nHello.\n@*/\nWhat is a bee?\n",
    after="@user\nHello.\nWhat is a bee?\n",
)
