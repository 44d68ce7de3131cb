"""What json5 for JavaScript says where a text is no JSON5."""

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
    """The error of json5 for JavaScript: lines and columns from 1, and column 0 for a line end."""
    at_end = offset >= len(text)
    line_start = text.rfind("\n", 0, offset) + 1
    line, column = text.count("\n", 0, offset) + 1, offset - line_start + 1
    if at_end:
        return f"JSON5: invalid end of input at {line}:{column}"
    char = text[offset]
    if char == "\n":
        line, column = line + 1, 0
    shown = _SHOWN.get(char) or (f"\\x{ord(char):02x}" if char < " " else char)
    return f"JSON5: invalid character '{shown}' at {line}:{column}"
