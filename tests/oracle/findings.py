"""What the rules' pages say is wrong in a text. One function for each layer; a rule that is not here is not judged."""

from __future__ import annotations

import re

from llmblocks.gadget.syntax.javascript import SPACE
from oracle import gadget_findings, names
from oracle.found import Found
from oracle.tokens import RESET, Token
from oracle.whole import MARKERS

CODES = (
    "C010",
    "C011",
    "G001",
    "G002",
    "G004",
    "G005",
    "G006",
    "G007",
    "G009",
    "G010",
    "G101",
    "G102",
    "G103",
    "G110",
    "G111",
    "G112",
    "G113",
    "G114",
    "S001",
    "S002",
    "S203",
)
"""The rules that this file knows. Add a rule's code when its function finds it too."""
PERCENT = "X001"
"""The code of `percent.RULE`, which finds something anywhere: on first lines, over line ends, many in a section."""
_MOST_RELATED = 8
_PERCENTS = re.compile("%[%\r]*")

_NEVER_MADE = frozenset(
    [
        "__proto__",
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    ]
)
"""What a JavaScript object inherits: a pointer below one is another rule's business."""


def findings(text: str, tokens: list[Token], markers: tuple[str, str, str] = MARKERS) -> list[Found]:
    """All of them, in the order of their places."""
    return sorted(
        [
            *_of_pointers(text, tokens),
            *gadget_findings.findings(text, tokens, markers),
            *_of_comments(text, tokens),
            *_percents(text),
            *names.of_calls(names.calls(text, tokens)),
            *names.of_messages(text, tokens),
        ],
        key=lambda each: each[:3],
    )


def _percents(text: str) -> list[Found]:
    spans = [found.span() for found in _PERCENTS.finditer(text)]
    return [Found(start, end, PERCENT, "percent", ((end - 1, end),)) for start, end in spans]


def _of_pointers(text: str, tokens: list[Token]) -> list[Found]:
    found: list[Found] = []
    call: _Call | None = None
    for index, token in enumerate(tokens):
        kind = token.kind
        if kind in ("start", "end", RESET):
            call = None
        if kind == "start":
            # without the newline behind its header it is text
            behind = [each.kind for each in tokens[index + 1 : index + 3]]
            call = _Call() if "header-end" in behind[: 1 + (behind[:1] == ["header"])] else None
        elif kind == "pointer" and call is not None:
            found += call.take(text, token)
    return found


class _Call:
    """The parameters of a call, as the runtime builds them; every value is text."""

    def __init__(self) -> None:
        self.seen: dict[str, tuple[int, int]] = {}
        self.root: dict[str, object] = {}

    def take(self, text: str, token: Token) -> list[Found]:
        written = text[token.start : token.end]
        pointer = written.strip(SPACE)
        start = token.start + len(written) - len(written.lstrip(SPACE))
        place = (start, start + len(pointer))
        if not pointer:
            return []
        if pointer in self.seen:
            first = self.seen[pointer]
            lines = text[first[0] : start].count("\n")
            where = "on this line" if not lines else f"{lines} line{'' if lines == 1 else 's'} above"
            says = re.escape(f"Duplicate pointer: {pointer} — ") + f".*first given {where}(?!\\w).*"
            return [Found(*place, "G101", says, (first,))]
        self.seen[pointer] = place
        return self._put(pointer.split("/"), start)

    def _put(self, segments: list[str], start: int) -> list[Found]:
        current: object = self.root
        for number, segment in enumerate(segments):
            last = number + 1 == len(segments)
            fresh: object = "" if last else [] if re.fullmatch("[0-9]+", segments[number + 1]) else {}
            if isinstance(current, dict):
                if not last and segment not in current and segment in _NEVER_MADE:
                    return []
                if last and segment != "__proto__":
                    current[segment] = ""
                current = current.setdefault(segment, fresh) if not last else ""
            elif isinstance(current, list):
                at = start + sum(len(each) + 1 for each in segments[:number])
                integer = re.match(rf"[{SPACE}]*([+-]?[0-9]+)", segment)
                index = int(integer[1]) if integer else -1
                if index < 0:
                    says = re.escape(f"Invalid array index: {segment} — ") + ".*"
                    return [Found(at, at + len(segment), "G103", says)]
                if index > len(current):
                    says = f"Array index gap: expected {len(current)}, got {index} — .*"
                    # what follows is judged as if this one were right
                    current += [""] * (index + 1 - len(current))
                    return [Found(at, at + len(segment), "G102", says)]
                if index == len(current):
                    current.append(fresh)
                elif last:
                    current[index] = ""
                current = current[index]
            else:
                return []
        return []


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
