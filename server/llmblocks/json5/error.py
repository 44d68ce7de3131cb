"""The syntax errors of json5 for JavaScript."""

from __future__ import annotations

_SHOWN = {
    "'": "\\'",
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\0": "\\0",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def wording(text: str, offset: int) -> str:
    """Return the error of json5 for JavaScript: lines and columns from 1, and column 0 for a line end."""
    line, column = _place(text, offset)
    if offset >= len(text):
        return f"JSON5: invalid end of input at {line}:{column}"
    char = text[offset]
    if char == "\n":
        line, column = line + 1, 0
    shown = _SHOWN.get(char) or (f"\\x{ord(char):02x}" if char < " " else char)
    return f"JSON5: invalid character '{shown}' at {line}:{column}"


def wrong_escape(text: str, offset: int) -> str:
    """Return the error of json5 for JavaScript for an escape of an invalid identifier character."""
    line, column = _place(text, offset)
    return f"JSON5: invalid identifier character at {line}:{column}"


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def bad_in_string(text: str, pos: int) -> int:
    """Return the place of the error in a string: a line end, the end of the text, or inside an escape."""
    if text[pos : pos + 1] != "\\":
        return pos
    pos += 1
    digits = {"u": 4, "x": 2}.get(text[pos : pos + 1])
    if digits is None:
        return pos + 1 if text[pos : pos + 1] == "0" else pos
    pos += 1
    while digits and text[pos : pos + 1] in "0123456789abcdefABCDEF" and pos < len(text):
        pos += 1
        digits -= 1
    return pos
