"""Comments that silence findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from llmblocks.core.distance import distance
from llmblocks.core.document import Document
from llmblocks.core.section import Section
from llmblocks.facts.sign import SIGN, SIGNS

_WRITTEN = re.compile(r"llmblocks:[ \t]*(?:ignore(-file)?(?:[ \t]*\[([^\[\]\n]*)\])?(?=[ \t\r]|$)|(\S*))")
_CODE = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_LIKE = re.compile(
    r"(?<!\w)(llm[-_ ]?blocks?|[a-z]{7,11})"
    r"(?=([ \t]{0,4}[-:;=,.]{0,2}[ \t]{0,4})(ig?n?[a-z]{3,7})\b((?:[^\s\[]{0,8}[ \t]?\[[^\[\]\n<]{0,40}\]?)?))",
    re.IGNORECASE,
)
_NAME, _VERB = "llmblocks", "ignore"
_NEAR = 2
"""How many characters of a word may be wrong."""


class SilencedCode(NamedTuple):
    """A code, the beginning of one, or the name of a rule, as written at a place in some lines."""

    text: str
    start: int
    end: int


class Silence(NamedTuple):
    """A comment that silences findings.

    Shape: places count from the start of the lines; `start` to `end` is the comment. `codes` is empty where it silences
           all. `of_file` says that it holds for the whole text; `reason` is the text behind. `unread` is what it says
           where that silences nothing, and `remedy` is what to do. A `bare` one is a line of text that the signs of a
           comment may be around.
    """

    start: int
    end: int
    codes: tuple[SilencedCode, ...] = ()
    of_file: bool = False
    reason: str = ""
    unread: str = ""
    remedy: str = ""
    bare: bool = False

    @property
    def of_part(self) -> bool:
        """Whether it silences findings, and not in the whole text."""
        return not (self.of_file or self.unread)


class Silencing(NamedTuple):
    """How a format silences findings.

    Shape: `find` gives the comments of lines that have one of `SIGNS` in it. `stops` says where some stop: it takes
           all lines from a place on, that place, the ends of all comments in order, and the number of the first of
           them in these. It gives the stops of this one and of others behind it, None for the end of the text.
           `ends` says whether lines can have such an end in them. To write a comment, `anchor` gives the start of the
           line before which it silences what is at a place, and `signs` its beginning and its end there. `target`
           names what it silences. `inside` is what to do where a comment of another format is inside.
    """

    find: Callable[[Section], tuple[Silence, ...]]
    stops: Callable[[Iterator[Section], int, Sequence[int], int], list[int | None]]
    ends: Callable[[Section], bool]
    anchor: Callable[[Document, int], int]
    signs: Callable[[Document, int], tuple[str, str]]
    target: str
    inside: str = ""


def read_silence(text: str, says: tuple[int, int], start: int, end: int, remedy: str) -> Silence | None:
    """The silence that a comment states, or nearly states; None for any other comment.

    Shape: the comment is from `start` to `end` of the text, what it says is in `says`. `remedy` is what to do where it
           silences nothing.
    """
    found = _WRITTEN.match(text, *says)
    if found is None:
        like = next(lookalikes(text, *says, remedy), None)
        return None if like is None else like._replace(start=start, end=end)
    of_file, codes, other = found.groups()
    if other is not None:
        return Silence(start, end, unread=other or SIGN, remedy=remedy)
    reason = text[found.end() : says[1]]
    if codes is None:
        return Silence(start, end, (), of_file is not None, reason)
    first = found.start(2)
    listed = tuple([SilencedCode(each[0], first + each.start(), first + each.end()) for each in _CODE.finditer(codes)])
    if not listed:
        return Silence(start, end, unread=found[0].removeprefix(SIGN).strip(), remedy=remedy)
    return Silence(start, end, listed, of_file is not None, reason)


def lookalikes(text: str, start: int, end: int, remedy: str) -> Iterator[Silence]:
    """What looks like a comment that silences findings, in a stretch of text."""
    for found in _LIKE.finditer(text, start, end):
        name, between, verb, rest = found.groups()
        names = distance(_plain(name), _NAME, _NEAR) <= _NEAR and distance(_plain(verb), _VERB, _NEAR) <= _NEAR
        written = (name + between + verb + rest).rstrip(" \t\r")
        # without a sign, only what else is in its piece would decide whether somebody looks at it
        signed = any(sign in written for sign in SIGNS)
        if names and signed and (name[:3].lower() == _NAME[:3] or verb[:4].lower() == _VERB[:4]):
            yield Silence(found.start(), found.start() + len(written), unread=written, remedy=remedy)


def _plain(word: str) -> str:
    return re.sub("[-_ ]", "", word).lower()
