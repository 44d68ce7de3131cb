"""Comment blocks that do not match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from llmblocks.core.places import Related
from llmblocks.facts.lines import Lines, SectionFact, of_lines
from llmblocks.facts.problem import Problem
from llmblocks.stf.editor import kinds
from llmblocks.stf.rules import UNMATCHED_COMMENT_END, UNTERMINATED_COMMENT
from llmblocks.stf.syntax.place import MOST_RELATED, STILL_OPEN

_MOST: Final = MOST_RELATED + 1
_Line = tuple[int, int, str]
"""Where a line starts and ends, without its line end, and the character that begins it."""
_OURS = frozenset((kinds.COMMENT_OPEN, kinds.COMMENT_CLOSE, kinds.STRAY_CLOSE))


class Comments(NamedTuple):
    """The comment blocks of some lines that have no partner in them.

    Shape: `closes` is how many blocks end that began before; `opens` is how many do not end, and `lines` are those with
           which the first of them begin, the outermost first; `stray` are the lines that end what is not open.
    """

    closes: int = 0
    opens: int = 0
    lines: tuple[_Line, ...] = ()
    stray: tuple[_Line, ...] = ()


_NONE = Comments()


def _read(lines: Lines) -> Comments:
    if _OURS.isdisjoint(lines.kinds):
        return _NONE
    closes = at = 0
    opens: list[_Line] = []
    stray: list[_Line] = []
    for kind, width in lines.tokens:
        if kind is kinds.COMMENT_OPEN:
            opens.append(_line(lines.text, at))
        elif kind is kinds.STRAY_CLOSE:
            stray.append(_line(lines.text, at))
        elif kind is kinds.COMMENT_CLOSE:
            if opens:
                opens.pop()
            else:
                closes += 1
        at += width
    return Comments(closes, len(opens), (*opens[:_MOST],), (*stray,)) if closes or opens or stray else _NONE


def _line(text: str, at: int) -> _Line:
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    start += text.startswith("\ufeff", start)  # a byte-order mark is no part of the line
    line = text[start : end if end >= 0 else None]
    return start, start + len(line.rstrip("\r")), line[:1]


comments_in = of_lines("stf comments", _read)


def stray_ends(comments: Comments) -> Iterator[Problem]:
    """The lines that close a comment block that was never opened."""
    for start, end, _ in comments.stray:
        yield Problem(UNMATCHED_COMMENT_END, start, end)


def _join(parts: Iterable[tuple[int, Comments]]) -> Comments:
    closes = opens = 0
    lines: list[_Line] = []
    for at, each in parts:
        closes += max(each.closes - opens, 0)
        opens = max(opens - each.closes, 0)
        del lines[opens:]
        if opens == len(lines):
            lines += [(at + start, at + end, header) for start, end, header in each.lines]
        opens += each.opens
    return Comments(closes, opens, (*lines[:_MOST],))


def _unterminated(comments: Comments, _: Any, __: bool) -> Iterator[Problem]:
    """The outermost comment block that is open where a section ends."""
    if comments.lines:
        (start, end, header), *inner = comments.lines
        related = tuple([Related(*line[:2], STILL_OPEN) for line in inner])
        # a comment ends in the dialect in which it began
        yield Problem(UNTERMINATED_COMMENT, start, end, {"header": header}, related)


OPEN_COMMENTS: Final = SectionFact("open stf comments", _OURS, comments_in, _join, _unterminated)
