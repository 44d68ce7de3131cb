"""The place of a file among the files that a runtime writes for a session."""

from __future__ import annotations

import re
from typing import NamedTuple

from llmblocks.languages.language import Language

_DIGITS = "+([0-9])"
_NUMBERED = re.compile(r"(?s:(?P<folder>.*)/)?(?P<number>[0-9]{1,15})\.[A-Za-z]+")
_LOG = re.compile(r"(?P<number>[0-9]{1,15})\.(?:response|request)", re.IGNORECASE)
_AGENT = re.compile(r"(?s:(?P<number>[0-9]{1,15})-.+)")


class LogPlace(NamedTuple):
    """A numbered file in a folder. The files of a folder are the session of one agent, in the order of their numbers.

    The folder of a sub-agent is in that of its parent, with a number from its parent's sequence; the files in it are
    numbered separately. llmist keeps the ids of calls by agent: neither agent knows those of the other.
    """

    folder: str
    number: int


def log_place(language: Language, path: str) -> LogPlace | None:
    """Return the place of a file whose calls run in a session; None for other files. `/` separates folders."""
    found = _NUMBERED.fullmatch(path)
    if found is None or language.repeats or not language.is_log(path):
        return None
    return LogPlace(found["folder"] or "", int(found["number"]))


def log_globs(language: Language) -> list[str]:
    """Return glob patterns, in the syntax of clients, for the numbered files of sessions."""
    return [path.replace(_DIGITS, "[0-9]*") for path in language.paths if _DIGITS in path]


def file_number(name: str) -> int | None:
    """Return the number of a response or a request, by the name of its file; None for other names."""
    found = _LOG.fullmatch(name)
    return None if found is None else int(found["number"])


def agent_number(folder: str) -> int | None:
    """Return the number of a sub-agent's folder among the files of its parent; None for other folders."""
    found = _AGENT.fullmatch(folder)
    return None if found is None else int(found["number"])
