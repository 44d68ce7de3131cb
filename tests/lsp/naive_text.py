"""A text document as in the language server specification, written as plainly as possible: the oracle."""

from __future__ import annotations

import re


def width(character: str, encoding: str) -> int:
    """Return the units of one code point."""
    if encoding == "utf-8":
        return len(character.encode("utf-8", "surrogatepass"))
    return 2 if encoding == "utf-16" and ord(character) > 0xFFFF else 1


def lines_of(text: str) -> list[tuple[int, str]]:
    """Start and content of every line; the ends, `\\r\\n`, `\\n` and `\\r`, are not content."""
    found, start = [], 0
    for end in re.finditer("\r\n|\n|\r", text):
        found.append((start, text[start : end.start()]))
        start = end.end()
    return [*found, (start, text[start:])]


def offset_of(text: str, line: int, character: int, encoding: str) -> int:
    """Return the code point at a place, clamped; a place inside a character is before it."""
    lines = lines_of(text)
    if line >= len(lines):
        return len(text)
    start, content = lines[line]
    for index, each in enumerate(content):
        character -= width(each, encoding)
        if character < 0:
            return start + index
    return start + len(content)


def position_of(text: str, offset: int, encoding: str) -> tuple[int, int]:
    """Line and character of a code point; one between `\\r` and `\\n` is before both."""
    number, (start, content) = [(n, each) for n, each in enumerate(lines_of(text)) if each[0] <= offset][-1]
    return number, sum(width(each, encoding) for each in content[: offset - start])


def edited(text: str, start: tuple[int, int], end: tuple[int, int], new: str, encoding: str) -> str:
    """Return the text after a content change."""
    first, last = sorted((offset_of(text, *start, encoding), offset_of(text, *end, encoding)))
    return text[:first] + new + text[last:]
