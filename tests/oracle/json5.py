"""The colours of JSON5, one line and one character at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
