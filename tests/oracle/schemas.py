"""The problems of calls of the gadgets in gadgets.json, found by reading all arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from llmblocks.gadget.call import read_body
from llmblocks.gadget.syntax.values import coerce, strip_fences
from oracle.calls import Argument, Call, Place, arguments_of, calls_in, fields, stripped
from oracle.tokens import INFORMATION, WARNING, Found, Token

DEFINITIONS = Path(__file__).with_name("gadgets.json")
"""`Search`, as in the examples of rules, and `B`, which takes anything."""
CODES = ("G201", "G202", "G203", "G204", "G205", "G206", "G207")
_TYPES: dict[str, Any] = {"query": "string", "limit": "number", "order": "string"}
_BODY = ("ignored", "arg", "pointer", "pointer-end", "value")
_BLANK = " \t\r\n"


def findings(text: str, tokens: list[Token], arg: str) -> Iterator[Found]:
    """Yield all of them, in no order."""
    for call in calls_in(text, tokens):
        place = fields(text, call.header)[0]
        name = text[slice(*place)]
        if name.lower() == "search":
            yield from _of_search(text, call, arg)
        elif name.lower() != "b" and name.strip(_BLANK):
            yield Found(*place, "G201", re.escape(f"Error: Gadget '{name}' not found.") + " — .*")


def _of_search(text: str, call: Call, arg: str) -> Iterator[Found]:
    body = "".join(text[each.start : each.end] for each in call.inside if each.kind in _BODY)
    parameters, _ = read_body(body, arg).decoded()
    if parameters is None:
        return
    parts = strip_fences(body).split(arg)[1:]
    texts = [part.partition("\n")[2].removesuffix("\n") for part in parts]
    arguments = arguments_of(text, call.inside)
    received = dict(zip([each.start for each in arguments], texts, strict=True))
    told = set()
    for each in arguments:
        top = each.pointer.partition("/")[0]
        known = top in _TYPES or not each.pointer or top not in parameters
        if not known:
            told.add(each.start)
            place = each.start, each.start + len(top)
            yield Found(*place, "G202", re.escape(f"{top!r} is not a parameter — ") + ".*", severity=WARNING)
    if "query" not in parameters:
        start, end = stripped(text, call.header.start, call.header.end, _BLANK)
        yield Found(start, end, "G203", "query: Invalid input: expected string, received undefined — .*")
    for name, kind in _TYPES.items():
        exact = [each for each in arguments if each.pointer == name]
        below = [each for each in arguments if each.pointer.startswith(f"{name}/")]
        if name not in parameters:
            continue
        if not exact:
            wrong = _wrong(name, parameters[name])
            place = below[0].start, below[0].start + len(name)
        else:
            wrong = _wrong(name, coerce(received[exact[0].start], kind))
            place = _value(text, exact[0])
            if wrong and wrong[0] == "G204" and not received[exact[0].start].strip(_BLANK):
                yield Found(*place, wrong[0], re.escape(f"{name} has no value — {wrong[1]}; ") + ".*")
                told.update(each.start for each in exact)
                continue
        if wrong:
            told.update(each.start for each in exact or below[:1])
            yield Found(*place, wrong[0], re.escape(f"{name}: {wrong[1]} — ") + ".*")
    for each in arguments:
        if each.pointer in _TYPES and each.start not in told:
            text_of = received[each.start]
            given, otherwise = coerce(text_of, _TYPES[each.pointer]), coerce(text_of)
            if isinstance(given, str) is not isinstance(otherwise, str):
                yield Found(*_value(text, each), "G207", f"{each.pointer} is a .* — .*", severity=INFORMATION)


def _wrong(name: str, value: object) -> tuple[str, str] | None:
    received = "number"
    for kind, word in ((dict, "object"), (list, "array"), (str, "string")):
        received = word if isinstance(value, kind) else received
    if name == "query":
        return None if received == "string" else ("G204", f"Invalid input: expected string, received {received}")
    if name == "order":
        return None if value in ("newest", "oldest") else ("G205", 'Invalid option: expected one of "newest"|"oldest"')
    if not isinstance(value, int | float):
        return "G204", f"Invalid input: expected number, received {received}"
    if value != int(value):
        return "G204", "Invalid input: expected int, received number"
    return ("G206", "Too small: expected number to be >=1") if value < 1 else None


def _value(text: str, argument: Argument) -> Place:
    """Return the place of a value, or of its pointer if the value is blank."""
    filled = [at for at in argument.characters if text[at] not in _BLANK]
    return (filled[0], filled[-1] + 1) if filled else argument.place
