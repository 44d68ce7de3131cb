"""The lines of a request that mean something: headers of messages, results of calls, media."""

from __future__ import annotations

import re
from typing import Final, Literal

Role = Literal["system", "user", "assistant"]
ROLES: Final[tuple[Role, ...]] = ("system", "user", "assistant")
HEADERS: Final = tuple(f"=== {role.upper()} ===" for role in ROLES)
RESULT: Final = "Result ("
RESULT_END: Final = "): "
MEDIA: Final = "[Media: "
LONGEST_ID: Final = 128
"""The most characters of an id in a result: of so much of a line, the meaning is not known before it is there."""

_NAMES = "|".join(map(str.upper, ROLES))
_HEADER = rf"=== (?P<role>{_NAMES}) ===(?P<end>\r?\n|\Z)"
HEADER: Final = re.compile(_HEADER)
NEXT_HEADER: Final = re.compile(rf"\n{_HEADER}")
RESULT_LINE: Final = re.compile(rf"Result \((?P<id>[^():\n]{{1,{LONGEST_ID}}})\): ")
_RESULT_BEGUN = re.compile(rf"Result \([^():\n]{{0,{LONGEST_ID}}}(?:\):?)?")
MEDIA_LINE: Final = re.compile(r"\[Media: (?P<id>[^\n]*?) \((?P<kind>[a-z]+)\)(?: → saved to: (?P<path>[^\n]+))?\]\r?")


def role_of(name: str) -> Role:
    """The role that a header names."""
    return next(role for role in ROLES if role.upper() == name)


def may_become_header(line: str) -> bool:
    """Whether the beginning of a line, without its end, can be that of a header."""
    return any(header.startswith(line) or line in (header, f"{header}\r") for header in HEADERS)


def may_become_result(line: str) -> bool:
    """Whether the beginning of a message can be that of a result."""
    return RESULT.startswith(line) or _RESULT_BEGUN.fullmatch(line) is not None
