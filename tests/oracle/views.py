"""The views of a text in an editor besides its findings: colours, also of JSON5; folds, the places of hovers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from llmblocks.gadget.syntax.values import SPACE
from llmblocks.stf.syntax import DIALECTS, KEYSTROKE_LIMIT, parse_arguments
from oracle.tokens import Reading, Token
from oracle.whole import TAGS

COLOURS = {
    **dict.fromkeys(("arg", "end", "escape"), "keyword"),
    **dict.fromkeys(("name", "message-name", "raw-name", "block-name", "end-name"), "keyword"),
    **dict.fromkeys(("comment", "comment-open", "comment-close", "ignored"), "comment"),
    **dict.fromkeys(("opening", "opened", "self-closed", "closing", "closed", "equals"), "operator"),
    **dict.fromkeys(("quote", "attribute-value"), "string"),
    "tag": "type",
    "attribute": "property",
}
EXPLAINED = frozenset(
    [
        *("start", "header", "arg", "pointer", "end", "stray", "name", "message-name", "raw-name"),
        *("block-name", "end-name", "unknown-name", "stray-end", "escape", "comment-open", "comment-close"),
        *("stray-close", "opening"),
    ]
)
"""The kinds of tokens that always have a hover."""
AT_TIMES_EXPLAINED = frozenset(
    (
        *("ignored", "attribute", "closing", "closed", "tag", "attribute-value", "opened", "self-closed"),
        *("value", "arguments", "body"),
    )
)


class Coloured(NamedTuple):
    start: int
    end: int
    role: str
    modifiers: tuple[str, ...] = ()


_DEFINES = ("declaration", "readonly")


def colours(text: str, tokens: list[Token]) -> list[Coloured]:
    """Return every stretch with a role, cut where a line of the client ends."""
    found: list[Coloured] = []
    for index, token in enumerate(tokens):
        kind, start, end = token
        if kind in ("start", "header"):
            ahead = [each.kind for each in tokens[index + 1 : index + 3]]
            if "header-end" not in (ahead if kind == "start" and ahead[:1] == ["header"] else ahead[:1]):
                continue
        if kind == "start":
            found.append(Coloured(start, end, "keyword"))
        elif kind == "header":
            found += _header(text, start, end)
        elif kind == "pointer":
            for segment in re.finditer("[^/]+", text[start:end]):
                name = segment[0].strip()
                at = start + segment.start() + len(segment[0]) - len(segment[0].lstrip())
                if name:
                    found.append(Coloured(at, at + len(name), "number" if re.fullmatch("[0-9]+", name) else "property"))
        elif kind == "arguments":
            found += _arguments(text, start, end)
        elif kind == "body":
            found += [Coloured(start + at, start + stop, role) for at, stop, role in json5(text[start:end])]
        elif kind == "sigil":
            is_of_comment = text[end:].lstrip(" \t").startswith(("#", "//", "/*"))
            found.append(Coloured(start, end, "comment" if is_of_comment else "keyword"))
        elif kind == "comment-line":
            is_directive = re.match(r"(#|//)[ \t]*llmblocks:", text[start:end])
            found.append(Coloured(start, end, "comment", ("documentation",) if is_directive else ()))
        elif kind in ("text", "content"):
            for tag in unknown_tags(text[start:end]):
                found.append(Coloured(start + tag.start(), start + tag.end(), "text"))
        elif kind in COLOURS:
            found.append(Coloured(start, end, COLOURS[kind]))
    return [
        Coloured(each.start + line.start(), each.start + line.end(), each.role, each.modifiers)
        for each in found
        for line in re.finditer("[^\r\n]+", text[each.start : each.end])
    ]


def unknown_tags(text: str) -> list[re.Match[str]]:
    """Return what looks like a tag that is not registered."""
    found = re.finditer(r"</?([A-Za-z_][A-Za-z0-9_-]*)[^<>\n]*>?", text)
    return [each for each in found if each[1] not in TAGS]


def _header(text: str, start: int, end: int) -> list[Coloured]:
    whole = text[start:end]
    start += len(whole) - len(whole.lstrip(SPACE))
    found = []
    for number, field in enumerate(whole.strip(SPACE).split(":")):
        at = start
        for name in field.split(",") if number > 1 else [field]:
            trimmed = name.strip(SPACE) if number else name
            left = at + (len(name) - len(name.lstrip(SPACE)) if number else 0)
            if trimmed:
                modifiers = _DEFINES if number == 1 else ()
                found.append(Coloured(left, left + len(trimmed), "variable" if number else "function", modifiers))
            at += len(name) + 1
        start += len(field) + 1
    return found


def _arguments(text: str, start: int, end: int) -> list[Coloured]:
    """Read arguments with the product: that has no state, and separate reference cases."""
    line = text[text.rfind("\n", 0, start) + 1 : end].removeprefix("\ufeff")
    given = parse_arguments(text, start, end, DIALECTS[line[0]], limit=KEYSTROKE_LIMIT)
    found = []
    if given.braces:
        found = [Coloured(start + at, start + stop, role) for at, stop, role in json5(text[start:end])]
    for item in given.items:
        if not given.braces:
            found.append(Coloured(item.key_start, item.key_end, "property"))
        if isinstance(item.value, str) and item.value_start < item.value_end:
            role = "string"
            modifiers: tuple[str, ...] = ()
            if item.key in ("id", "call_id"):
                role, modifiers = "variable", _DEFINES if item.key == "id" else ()
            elif item.key == "name" and re.match("[@;][ \t]*call[ \t{]", line):
                role = "function"
            value = Coloured(item.value_start, item.value_end, role, modifiers)
            found = [each for each in found if each[:2] != value[:2]] + [value]
    return sorted(found)


# what a token opens, and what may not stay open when it does
OPENS = {
    "start": "call",
    "arg": "argument",
    "message-name": "message",
    "raw-name": "block",
    "block-name": "block",
    "comment-open": "comment",
    "opening": "tag",
}
CLOSES = {"end": "call", "end-name": "block", "comment-close": "comment", "closed": "tag", "self-closed": "tag"}
ENDS = {
    "call": ("call", "argument", "tag"),
    "argument": ("argument", "tag"),
    "message": ("message", "block", "call", "argument", "tag"),
    "block": ("block", "call", "argument", "tag"),
    "comment": (),
    "tag": ("tag",),
}


class Fold(NamedTuple):
    """From the first code point that belongs to it to the end of the last; `comment` says that it is one.

    A block after a call's end, or one that nothing closes, is not `sure`: nothing says how far it goes.
    """

    start: int
    last: int
    comment: bool
    sure: bool


def folds(text: str, reading: Reading) -> list[Fold]:
    """All that has a beginning and an end, in the order of the beginnings; blank lines at an end are left out."""
    found: list[tuple[int, int, str, bool]] = []
    still_open: list[tuple[int, str]] = []
    ends = [token.end for token in reading.tokens if token.kind == "end"]

    def close(end: int, closed: bool = False) -> None:
        start, kind = still_open.pop()
        behind_end = any(text.find("\n", end, start) < 0 for end in ends if end <= start)
        found.append((start, end, kind, kind != "tag" or (closed and not behind_end)))

    lead: int | None = None
    cuts = sorted(reading.cuts)
    for token in reading.tokens:
        while cuts and cuts[0] <= token.start:
            cut = cuts.pop(0)
            while still_open:
                close(cut)
        begin = token.start if lead is None else lead
        opened, closed = OPENS.get(token.kind), CLOSES.get(token.kind)
        if opened:
            while still_open and still_open[-1][1] in ENDS[opened]:
                close(begin)
            still_open.append((begin, opened))
        if closed and closed in [kind for _, kind in still_open]:
            while still_open[-1][1] != closed:
                close(begin)
            close(token.end, True)
        lead = begin if token.kind in ("sigil", "blank") else None
    while still_open:
        close(cuts[0] if cuts else len(text))
    found += [(start, end, "comment", True) for start, end in _runs_of_comments(text, reading.tokens)]
    return [
        Fold(start, start + len(text[start:end].rstrip()), kind == "comment", sure)
        for start, end, kind, sure in sorted(found)
    ]


def _runs_of_comments(text: str, tokens: list[Token]) -> list[tuple[int, int]]:
    """Line comments with nothing in between but the beginnings of their lines."""
    runs: list[tuple[int, int]] = []
    for token in tokens:
        if token.kind == "comment-line":
            if runs and re.fullmatch(r"\r?\n[@;][ \t]*", text[runs[-1][1] : token.start]):
                runs[-1] = runs[-1][0], token.end
            else:
                runs.append((token.start, token.end))
    return runs


_DIGITS = "0123456789"
_HEX = _DIGITS + "abcdefABCDEF"


def json5(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each part is, and its role."""
    for line in re.finditer(r"[^\r\n]+", text):
        begins = line.start() == 0 or text[line.start() - 1] == "\n"
        for start, end, role in _line(line[0], begins):
            yield line.start() + start, line.start() + end, role


def _line(text: str, begins: bool) -> Iterator[tuple[int, int, str]]:
    at = _comment_before(text) if begins else 0
    if at:
        yield 0, at, "comment"
    while at < len(text):
        end, role = at + 1, ""
        if text.startswith("//", at):
            end, role = len(text), "comment"
        elif text.startswith("/*", at):
            closed = text.find("*/", at + 2)
            end, role = len(text) if closed < 0 else closed + 2, "comment"
        elif text[at] in "\"'":
            role = "string"
            while end < len(text) and text[end] != text[at]:
                end += 2 if text[end] == "\\" else 1
            end = min(end + 1, len(text))
        elif _is_word(text, at):
            while _is_word(text, end) or (end == at + 1 and text[at] == "\\"):
                end += 5 if end == at + 1 and text[at] == "\\" else 6 if text[end] == "\\" else 1
            role = "keyword" if text[at:end] in ("true", "false", "null") else "word"
        number = _number_end(text, at)
        if role in ("", "word") and number:
            role, end = "number", number
        elif role and role != "comment" and text[end:].lstrip(" \t").startswith(":"):
            role = "property"
        if role not in ("", "word"):
            yield at, end, role
        at = end


def _comment_before(line: str) -> int:
    """Where a comment ends that seems to continue in a line."""
    indent = len(line) - len(line.lstrip(" \t"))
    if line.startswith("*", indent):
        closed = line.find("*/", indent)
        return len(line) if closed < 0 else closed + 2
    for at in range(len(line)):
        if line.startswith("*/", at):
            return at + 2
        if line.startswith(("/*", "//", "'", '"'), at):
            break
    return 0


def _is_word(text: str, at: int) -> bool:
    if at < len(text) and text[at] == "\\":
        return (
            text[at + 1 : at + 2] == "u" and len(text) > at + 5 and all(each in _HEX for each in text[at + 2 : at + 6])
        )
    return at < len(text) and (text[at].isalnum() or text[at] in "_$")


def _number_end(text: str, at: int) -> int:
    """Where a number ends that begins here, 0 if none does."""
    end = at + (text[at] in "+-")

    def run(of: str, start: int) -> int:
        while start < len(text) and text[start] in of:
            start += 1
        return start

    found = 0
    if text[end : end + 2] in ("0x", "0X"):
        found = run(_HEX, end + 2) if run(_HEX, end + 2) > end + 2 else run(_DIGITS, end)
    elif text.startswith(("Infinity", "NaN"), end):
        found = end + (8 if text[end] == "I" else 3)
    else:
        whole = run(_DIGITS, end)
        found = run(_DIGITS, whole + 1) if text.startswith(".", whole) else whole
        if found - end < (2 if text.startswith(".", end) else 1):
            return 0
        if text[found : found + 1] in ("e", "E"):
            digits = found + 1 + (text[found + 1 : found + 2] in ("+", "-"))
            found = run(_DIGITS, digits) if run(_DIGITS, digits) > digits else found
    if _is_word(text, found) or text[found : found + 1] in ("$", "_"):
        return 0
    return 0 if text[found:].lstrip(" \t").startswith(":") else found
