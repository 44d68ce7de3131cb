"""Comments that silence findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from llmblocks.core.distance import distance
from llmblocks.core.document import Document
from llmblocks.core.section import Section

SIGN: Final = "llmblocks:"
"""The beginning of each comment that silences findings."""
SIGNS: Final = ("lmblock", "gnor", "LMBLOCK")
"""A section without any of these has no such comment, nor one that resembles it."""
_WRITTEN = re.compile(r"llmblocks:[ \t]*(?:ignore(-file)?(?:[ \t]*\[([^\[\]\n]*)\])?(?=[ \t\r]|$)|(\S*))")
_CODE = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_LIKE = re.compile(
    r"(?<!\w)(llm[-_ ]?blocks?|[a-z]{7,11})"
    r"(?=([ \t]{0,4}[-:;=,.]{0,2}[ \t]{0,4})(ig?n?[a-z]{3,7})\b((?:[^\s\[]{0,8}[ \t]?\[[^\[\]\n<]{0,40}\]?)?))",
    re.IGNORECASE,
)
_NAME, _VERB = "llmblocks", "ignore"
_NEAR = 2
"""The maximum number of wrong characters in a misspelt word."""


class SilencedCode(NamedTuple):
    """A code, the beginning of one, or the name of a rule, with its place in some lines."""

    text: str
    start: int
    end: int


class Silence(NamedTuple):
    """A comment that silences findings. Places count from the start of the lines."""

    start: int
    end: int
    codes: tuple[SilencedCode, ...] = ()
    """Empty if it silences all."""
    of_file: bool = False
    """Whether it applies to the whole text."""
    reason: str = ""
    """The text after the codes."""
    unread: str = ""
    """The text that makes it silence nothing; `remedy` is the way to correct it."""
    remedy: str = ""


class Silencing(NamedTuple):
    """How a format silences findings."""

    find: Callable[[Section], tuple[Silence, ...]]
    """Returns the comments of lines that contain one of `SIGNS`."""
    marks: Callable[[Section], Iterable[tuple[int, bool]]]
    """Yields the places in lines at which a silenced text can end, with True, and at which one has begun, with False. A
    comment silences up to the first end after a beginning that another end separates from the comment.
    """
    anchor: Callable[[Document, int], int]
    """Returns the start of the line before which a comment silences a place."""
    signs: Callable[[Document, int], tuple[str, str]]
    """Returns the beginning and the end of a comment there."""
    target: str
    """Names the silenced text."""
    inside: str = ""
    """The remedy for a comment of another format inside."""


def read_silence(text: str, says: tuple[int, int], start: int, end: int, remedy: str) -> Silence | None:
    """Read a comment that silences findings, or nearly does; None for any other comment.

    `says` is the place of its content; the `remedy` is for one that silences nothing.
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
    """Yield text that resembles a comment that silences findings."""
    for found in _LIKE.finditer(text, start, end):
        name, between, verb, rest = found.groups()
        names = distance(_plain(name), _NAME, _NEAR) <= _NEAR and distance(_plain(verb), _VERB, _NEAR) <= _NEAR
        written = (name + between + verb + rest).rstrip(" \t\r")
        # without a sign, only other text of its section would decide whether it is read
        signed = any(sign in written for sign in SIGNS)
        if names and signed and (name[:3].lower() == _NAME[:3] or verb[:4].lower() == _VERB[:4]):
            yield Silence(found.start(), found.start() + len(written), unread=written, remedy=remedy)


def _plain(word: str) -> str:
    return re.sub("[-_ ]", "", word).lower()
