"""Regular expressions as JSON Schema has them: those of JavaScript."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import lru_cache

_HALVES = re.compile("[\ud800-\udfff]")


@lru_cache(maxsize=256)
def pattern(source: str) -> Callable[[str], bool]:
    """Whether a text holds a match of a pattern anywhere, as a function of the text.

    Errors: `ValueError` where it is no pattern.
    Source: ECMA-262 with the flag "u", as JSON Schema asks, or without it where only that will do: `\\-` is an error
            with it.
    """
    problem = ""
    for flags in ("u", ""):
        try:
            return _compiled(source, flags)
        except ValueError as error:
            problem = problem or str(error)
    raise ValueError(f"{source!r} is no regular expression of JavaScript: {problem}")


if sys.platform == "emscripten":

    def _compiled(source: str, flags: str) -> Callable[[str], bool]:
        """JavaScript's own: a browser has no other, and needs none."""
        from js import RegExp  # type: ignore[import-not-found]
        from pyodide.ffi import JsException  # type: ignore[import-not-found]

        try:
            expression = RegExp.new(source, flags)
        except JsException as error:
            raise ValueError(str(error)) from None
        return lambda text: bool(expression.test(text))

else:

    def _compiled(source: str, flags: str) -> Callable[[str], bool]:
        from regress import Regex, RegressError

        try:
            find = Regex(_without_halves(source), flags).find
        except RegressError as error:
            raise ValueError(str(error)) from None
        return lambda text: find(_without_halves(text)) is not None


def _without_halves(text: str) -> str:
    """The text with another character for each half of a pair: the library takes none."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)
