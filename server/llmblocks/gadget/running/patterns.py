"""JavaScript's regular expressions, as used by JSON Schema."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import lru_cache

_HALVES = re.compile("[\ud800-\udfff]")


@lru_cache(maxsize=256)
def pattern(source: str) -> Callable[[str], bool]:
    """Return a function that tests whether a pattern matches anywhere in a text.

    Raises:
        ValueError: The pattern is invalid.

    Source: ECMA-262 with the flag "u", as JSON Schema requires, or without it if the pattern needs that, as `\\-` does.
    """
    problem = ""
    for flags in ("u", ""):
        try:
            return _compiled(source, flags)
        except ValueError as error:
            problem = problem or str(error)
    raise ValueError(f"{source!r} is not a JavaScript regular expression: {problem}")


if sys.platform == "emscripten":

    def _compiled(source: str, flags: str) -> Callable[[str], bool]:
        """Use JavaScript's engine: a browser has no other."""
        from js import RegExp  # type: ignore[import-not-found]
        from pyodide.ffi import JsException  # type: ignore[import-not-found]

        try:
            expression = RegExp.new(source, flags)
        except JsException as error:
            raise ValueError(str(error)) from None
        return lambda text: bool(expression.test(text))

else:

    def _compiled(source: str, flags: str) -> Callable[[str], bool]:
        try:
            from regress import Regex, RegressError
        except ImportError:
            # the extension of VS Code could not unpack it, and has logged that
            return lambda _: True
        try:
            find = Regex(_without_halves(source), flags).find
        except RegressError as error:
            raise ValueError(str(error)) from None
        return lambda text: find(_without_halves(text)) is not None


def _without_halves(text: str) -> str:
    """Replace lone surrogates, which the library rejects."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)
