"""The markers of a session whose settings have others, found in its requests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from llmblocks.gadget.syntax.markers import problems
from llmblocks.request.stream import Message

_NAME = re.compile(r"[A-Za-z0-9_]+\Z")
_POINTER = re.compile(r"[A-Za-z0-9_/]+\Z")


class OtherMarkers(NamedTuple):
    """The number of results in a request without any call, and the suggested markers, empty if unknown."""

    results: int
    start: str = ""
    end: str = ""
    arg: str = ""


def other_markers(messages: Sequence[Message]) -> OtherMarkers | None:
    """Return the markers that the copies of calls in a request suggest; None if it has no result.

    Source: `addGadgetCallResult` of llmist 18: the start marker, name and id, the arguments, the end marker on a line.
    """
    results = [message for message in messages if message.result_of is not None]
    if not results:
        return None
    copies = [*_copies(messages)]
    if not copies:
        return OtherMarkers(len(results))
    start = _common([_NAME.sub("", first) for first, *_ in copies])
    end = _common([lines[-1] for lines in copies])
    arg = _common([_POINTER.sub("", lines[1]) for lines in copies if len(lines) > 2 and lines[1]])
    found = OtherMarkers(len(results), start, end, arg)
    # without arguments, their marker is unknown
    return found if not problems(start, end, arg or "\0") else OtherMarkers(len(results))


def _copies(messages: Sequence[Message]) -> Iterator[list[str]]:
    """Yield the lines of the calls before results, the first line without the id."""
    for call, result in pairwise(messages):
        lines = call.text.splitlines()
        ending = f":{result.result_of}"
        if call.role == "assistant" and result.result_of is not None and len(lines) > 1 and lines[0].endswith(ending):
            yield [lines[0].removesuffix(ending), *lines[1:]]


def _common(texts: Sequence[str]) -> str:
    """Return the longest common prefix."""
    first, last = min(texts, default=""), max(texts, default="")
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join([each for each, _ in same])
