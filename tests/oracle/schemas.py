"""The problems of calls of the gadgets in gadgets.json, found by reading all arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from llmblocks.gadget.call import read_body
from llmblocks.gadget.syntax.values import SPACE, coerce, strip_fences
from oracle.tokens import INFORMATION, RESET, WARNING, Found, Token

DEFINITIONS = Path(__file__).with_name("gadgets.json")
"""`Search`, as in the examples of rules, and `B`, which takes anything."""
CODES = ("G201", "G202", "G203", "G204", "G205", "G206", "G207")
_TYPES: dict[str, Any] = {"query": "string", "limit": "number", "order": "string"}
_BODY = ("ignored", "arg", "pointer", "pointer-end", "value")
_BLANK = " \t\r\n"
_Place = tuple[int, int]


class _Argument(NamedTuple):
    """An argument."""

    pointer: str
    place: _Place
    """Its pointer's, `value` its value's, or its pointer's if the value is blank."""
    value: _Place
    text: str


def findings(text: str, tokens: list[Token], arg: str) -> Iterator[Found]:
    """Yield all of them, in no order."""
    for number, token in enumerate(tokens):
        if token.kind != "start":
            continue
        header = Token("header", token.end, token.end)
        behind = tokens[number + 1 : number + 3]
        if behind and behind[0].kind == "header":
            header = behind.pop(0)
        if not behind or behind[0].kind != "header-end":
            continue
        inside: list[Token] = []
        for each in tokens[tokens.index(behind[0]) + 1 :]:
            if each.kind in ("start", "end", RESET):
                break
            inside.append(each)
        written = text[header.start : header.end]
        start = header.start + len(written) - len(written.lstrip(SPACE))
        name = written.strip(SPACE).split(":")[0]
        if name.lower() == "search":
            yield from _of_search(text, header, inside, arg)
        elif name.lower() != "b" and name.strip(_BLANK):
            yield Found(start, start + len(name), "G201", re.escape(f"Error: Gadget '{name}' not found.") + " — .*")


def _of_search(text: str, header: Token, inside: list[Token], arg: str) -> Iterator[Found]:
    body = "".join(text[each.start : each.end] for each in inside if each.kind in _BODY)
    parameters, _ = read_body(body, arg).decoded()
    if parameters is None:
        return
    parts = strip_fences(body).split(arg)[1:]
    texts = [part.partition("\n")[2].removesuffix("\n") for part in parts]
    arguments = [*_arguments(text, inside, texts)]
    told = set()
    for each in arguments:
        top = each.pointer.partition("/")[0]
        known = top in _TYPES or not each.pointer or top not in parameters
        if not known:
            told.add(each)
            place = each.place[0], each.place[0] + len(top)
            yield Found(*place, "G202", re.escape(f"{top!r} is not a parameter — ") + ".*", severity=WARNING)
    if "query" not in parameters:
        written = text[header.start : header.end]
        start = header.start + len(written) - len(written.lstrip(_BLANK))
        end = max(start, header.start + len(written.rstrip(_BLANK)))
        yield Found(start, end, "G203", "query: Invalid input: expected string, received undefined — .*")
    for name, kind in _TYPES.items():
        exact = [each for each in arguments if each.pointer == name]
        below = [each for each in arguments if each.pointer.startswith(f"{name}/")]
        if name not in parameters:
            continue
        if not exact:
            wrong = _wrong(name, parameters[name])
            place = below[0].place[0], below[0].place[0] + len(name)
        else:
            wrong = _wrong(name, coerce(exact[0].text, kind))
            place = exact[0].value
            if wrong and wrong[0] == "G204" and not exact[0].text.strip(_BLANK):
                yield Found(*place, wrong[0], re.escape(f"{name} has no value — {wrong[1]}; ") + ".*")
                told.update(exact)
                continue
        if wrong:
            told.update(exact or below[:1])
            yield Found(*place, wrong[0], re.escape(f"{name}: {wrong[1]} — ") + ".*")
    for each in arguments:
        if each.pointer in _TYPES and each not in told:
            given, otherwise = coerce(each.text, _TYPES[each.pointer]), coerce(each.text)
            if isinstance(given, str) is not isinstance(otherwise, str):
                yield Found(*each.value, "G207", f"{each.pointer} is a .* — .*", severity=INFORMATION)


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


def _arguments(text: str, inside: list[Token], texts: list[str]) -> Iterator[_Argument]:
    starts = [number for number, each in enumerate(inside) if each.kind == "arg"]
    ends = [*starts[1:], *[len(inside)] * bool(starts)]
    for at, end, received in zip(starts, ends, texts, strict=True):
        place = (inside[at].end, inside[at].end)
        pointer = ""
        filled = []
        for each in inside[at + 1 : end]:
            written = text[each.start : each.end]
            if each.kind == "pointer":
                pointer = written.strip(SPACE)
                start = each.start + len(written) - len(written.lstrip(SPACE))
                place = (start, start + len(pointer))
            elif each.kind == "value" and written.strip(_BLANK):
                first = each.start + len(written) - len(written.lstrip(_BLANK))
                filled.append((first, each.start + len(written.rstrip(_BLANK))))
        value = (filled[0][0], filled[-1][1]) if filled else place
        yield _Argument(pointer, place, value, received)
