"""The problems of a text, according to the rules' pages. One function for each layer."""

from __future__ import annotations

import re

from oracle import arguments, chats, gadget_findings, names, schemas
from oracle.tokens import RESET, WARNING, Found, Token
from oracle.whole import MARKERS

CODES = (
    *("C010", "C011", "G001", "G002", "G003", "G004", "G005", "G006", "G007", "G008", "G009", "G010", "G011", "G012"),
    *arguments.CODES,
    *("G110", "G111", "G112", "G113", "G114", "G122", "S001", "S002", "S203", "T001", "T011"),
    *(*schemas.CODES, *chats.CODES),
)
"""The rules that this file knows. Add a rule's code when its function finds it too."""
ELSEWHERE = (
    *("G120", "S101", "S102", "S103", "S104", "S105", "S106", "S109", "S110"),
    *("T002", "T003", "T004", "T005", "T006", "T007", "T008", "T009", "T010", "T101", "T102", "T103", "T104"),
)
"""The rules whose places only examples show: of one line, of a tag or of its content."""
PERCENT = "X001"
"""The code of `percent.RULE`, which finds something anywhere: on first lines, over line ends, many in a section."""
_MOST_RELATED = 8
_PERCENTS = re.compile("%[%\r]*")


def findings(
    text: str,
    tokens: list[Token],
    markers: tuple[str, str, str] = MARKERS,
    *,
    chat: bool = False,
    with_schemas: bool = False,
) -> list[Found]:
    """Return all of them, in the order of their places. `chat` says that the text is one of messages."""
    of_arguments = [*arguments.of_calls(text, tokens, chat)]
    return sorted(
        [
            *gadget_findings.findings(text, tokens, markers),
            *of_arguments,
            *_of_comments(text, tokens),
            *_of_blocks(text, tokens),
            *_of_blank_blocks(text, tokens),
            *_percents(text),
            *(chats.findings(text) if chat else ()),
            *(schemas.findings(text, tokens, markers[2]) if with_schemas else ()),
            *names.of_calls(names.calls(text, tokens)),
            *names.of_neighbours(text, tokens, of_arguments, chat),
            *names.of_messages(text, tokens),
        ],
        key=lambda each: each[:3],
    )


def _of_blocks(text: str, tokens: list[Token]) -> list[Found]:
    found: list[Found] = []
    opening, opened, call = -1, -1, -1
    last = Token(RESET, len(text), len(text))
    for token in [*tokens, last]:
        if token.kind == RESET and opening >= 0 and opened >= 0:
            ends = "to the end is" if token is last else "to the end of its message is"
            line = text.find("\n", opening)
            line = opening + len(text[opening : line if line >= 0 else len(text)].rstrip("\r"))
            # a call that begins inside of the tag is not a part of what is marked
            end = min(line, opened, call if call >= 0 else opened)
            says = f"The block <.*> is never closed — all text from here {ends} its content; .*"
            found.append(Found(opening, end, "T001", says, (), WARNING))
        if token.kind == "opening":
            opening, opened, call = token.start, -1, -1
        elif token.kind == "start" and opened < 0 and call < 0:
            call = token.start
        elif token.kind == "opened":
            opened = token.end
        elif token.kind in ("closed", "self-closed", RESET):
            opening = opened = -1
    return found


def _of_blank_blocks(text: str, tokens: list[Token]) -> list[Found]:
    found = []
    for at, token in enumerate(tokens):
        rest = tokens[at + 1 : at + 3]
        if token.kind == "opened" and [each.kind for each in rest] == ["content", "closing"]:
            opening = next(each for each in tokens[at::-1] if each.kind == "opening")
            name = tokens[tokens.index(opening) + 1]
            if text[rest[0].start : rest[0].end].isspace():
                found.append(
                    Found(opening.start, name.end, "T011", "The block <.*> contains only white space — .*", (), 3)
                )
    return found


def _percents(text: str) -> list[Found]:
    spans = [found.span() for found in _PERCENTS.finditer(text)]
    return [Found(start, end, PERCENT, "percent", ((end - 1, end),)) for start, end in spans]


def _of_comments(text: str, tokens: list[Token]) -> list[Found]:
    found: list[Found] = []
    still_open: list[tuple[int, int]] = []
    for token in tokens:
        if token.kind == "stray-close":
            found.append(Found(*_line(text, token.start), "S001", "Unexpected block comment end — .*"))
        elif token.kind == "comment-open":
            still_open.append(_line(text, token.start))
        elif token.kind == "comment-close":
            still_open.pop()
    if still_open:
        line, *inner = still_open
        sigil = text[slice(*line)].partition("/*")[0].strip(" \t\ufeff")
        says = f"Unterminated block comment — .*`{sigil}\\*/`"
        found.append(Found(*line, "S002", says, tuple(inner[:_MOST_RELATED])))
    return found


def _line(text: str, offset: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    start += text.startswith("\ufeff", start)
    line = text[start : len(text) if end < 0 else end]
    return start, start + len(line.rstrip("\r"))
