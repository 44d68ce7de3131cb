"""A hand-written reader of parameters: fast, tolerant of optional ones, exact in its errors."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, TypeVar

from llmblocks.lsp.wire.rpc import Json, invalid

MAX_UINTEGER = (1 << 31) - 1
_T = TypeVar("_T")


class LspRange(NamedTuple):
    """Two places of the client: lines as in LSP, characters in the position encoding."""

    start_line: int
    start_character: int
    end_line: int
    end_character: int


class LspChange(NamedTuple):
    range: LspRange | None
    """None if `text` is the whole new text."""
    text: str


def _checked(kind: type[_T], described: str, value: Json, name: str) -> _T:
    """Return a value; raise `RequestError` InvalidParams for other types."""
    if not isinstance(value, kind):
        raise invalid(f"{name} must be {described}, not {_kind(value)}")
    return value


an_object = partial(_checked, dict, "an object")
a_text = partial(_checked, str, "a string")
a_list = partial(_checked, list, "an array")


def a_count(value: Json, of: str, name: str) -> int:
    """Return a whole number from 0 up; raise `RequestError` InvalidParams for other types."""
    # a client that computes in floating point sends 3.0
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int or value < 0:
        shown = value if type(value) is int else _kind(value)
        raise invalid(f"{of}.{name} must be a whole number from 0 up, not {shown}")
    return min(value, MAX_UINTEGER)


def at(value: Json, *names: str) -> Json:
    """Return the value at a path of names, or None."""
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def uri_in(params: Json) -> str | None:
    """Return the document of some parameters, or None."""
    uri = at(params, "textDocument", "uri")
    return uri if isinstance(uri, str) else None


def uri_of(params: Json) -> str:
    """Return the document of a request; raise `RequestError` InvalidParams without one."""
    document = an_object(an_object(params, "params").get("textDocument"), "textDocument")
    return a_text(document.get("uri"), "textDocument.uri")


def version_of(params: Json) -> int | None:
    """Return the document version in a notification; None if it is absent or not an integer."""
    version = params["textDocument"].get("version")
    return version if type(version) is int and -MAX_UINTEGER - 1 <= version <= MAX_UINTEGER else None


def place_of(value: Json, name: str) -> tuple[int, int]:
    """Return the line and the character of a position. Raises `RequestError` InvalidParams."""
    place = an_object(value, name)
    return a_count(place.get("line"), name, "line"), a_count(place.get("character"), name, "character")


def range_of(value: Json, name: str) -> LspRange:
    """Return a range; raise `RequestError` InvalidParams if it is invalid."""
    span = an_object(value, name)
    return LspRange(*place_of(span.get("start"), f"{name}.start"), *place_of(span.get("end"), f"{name}.end"))


def changes_of(params: Json) -> list[LspChange]:
    """Return the content changes of a didChange, all checked before any is made. Raises `RequestError`."""
    changes = []
    for change in a_list(params.get("contentChanges"), "contentChanges"):
        given = an_object(change, "contentChanges[]")
        span = given.get("range")
        text = a_text(given.get("text"), "contentChanges[].text")
        changes.append(LspChange(None if span is None else range_of(span, "range"), text))
    return changes


def _kind(value: Json) -> str:
    return "nothing" if value is None else type(value).__name__
