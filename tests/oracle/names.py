"""The problems of the names of calls and messages, found by reading all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from llmblocks.stf.syntax import DIALECTS, KEYSTROKE_LIMIT, parse_arguments
from oracle.arguments import line_ends
from oracle.calls import Place, calls_in, dependencies, fields, stripped
from oracle.tokens import ERROR, INFORMATION, RESET, WARNING, Found, Token

_BODY = ("ignored", "arg", "pointer", "pointer-end", "value")


class NamedCall(NamedTuple):
    """The header of a call. `response` counts messages; `dependencies` with repeats."""

    response: int
    id: str
    place: Place
    dependencies: list[tuple[str, Place]]


def calls(text: str, tokens: list[Token]) -> list[NamedCall]:
    """Return all calls, those without an id numbered in each response."""
    found: list[NamedCall] = []
    numbers: Counter[int] = Counter()
    for call in calls_in(text, tokens):
        response = sum(each.kind == RESET for each in tokens[: call.number])
        name, *ids = fields(text, call.header)
        if not ids:
            numbers[response] += 1
            found.append(NamedCall(response, f"gadget_{numbers[response]}", name, []))
            continue
        place = stripped(text, *ids[0])
        needs = [(text[slice(*each)], each) for field in ids[1:] for each in dependencies(text, field)]
        found.append(NamedCall(response, text[slice(*place)], place, needs))
    return found


def of_calls(found: list[NamedCall]) -> Iterator[Found]:
    """Ids and dependencies."""
    first: dict[tuple[int, str], NamedCall] = {}
    for call in found:
        earlier = first.setdefault((call.response, call.id), call)
        if earlier is not call:
            says = re.escape(f"Duplicate invocation id: {call.id} — ") + ".*"
            yield Found(*call.place, "G110", says, (earlier.place,))
    for call in found:
        given: dict[str, Place] = {}
        for name, place in call.dependencies:
            if not any((response, name) in first for response in range(call.response + 1)):
                says = re.escape(f'Dependency "{name}" was never executed - ') + ".* — .*"
                yield Found(*place, "G111", says, severity=WARNING)
            if name in given:
                says = re.escape(f"Repeated dependency: {name} — ") + ".*"
                yield Found(*place, "G114", says, (given[name],), INFORMATION)
                continue
            given[name] = place
            if name == call.id:
                says = re.escape(f'Gadget "{name}" cannot depend on itself (self-referential dependency) — ') + ".*"
                yield Found(*place, "G113", says)
            elif first[call.response, call.id] is call and call.id in _behind(first, call.response, name):
                says = (
                    f'Circular dependency detected: "{call.id}" depends on "{name}" which also depends on "{call.id}" '
                )
                yield Found(*place, "G112", re.escape(says) + ".*", (first[call.response, name].place,))


def of_neighbours(text: str, tokens: list[Token], wrong: list[Found], chat: bool) -> Iterator[Found]:
    """Calls that are read like the one before them in their message, but for their ids, and are not rejected."""
    crlf = [*line_ends(text, tokens, chat)]
    before: tuple[object, ...] | None = None
    place, response = (0, 0), -1
    for call, named in zip(calls_in(text, tokens), calls(text, tokens), strict=True):
        name, *_ = fields(text, call.header)
        written = None
        if call.end.kind == "end" and any(each.kind == "arg" for each in call.inside):
            body = "".join(text[each.start : each.end] for each in call.inside if each.kind in _BODY).rstrip()
            body = body.replace("\r\n", "\n") if crlf[call.number] else body
            written = (text[slice(*name)], {each for each, _ in named.dependencies}, body)
        is_rejected = any(call.header.end < each.start < call.end.start and each.severity == ERROR for each in wrong)
        if written is not None and (response, written) == (named.response, before) and not is_rejected:
            yield Found(*name, "G122", "the same call as the one before — .*", (place,), INFORMATION)
        before, place, response = written, name, named.response


def _behind(first: dict[tuple[int, str], NamedCall], response: int, name: str) -> set[str]:
    """All that a call waits for, and what that waits for, and so on; nothing of it was run in an earlier response."""
    seen: set[str] = set()
    left = [name]
    while left:
        name = left.pop()
        call = first.get((response, name))
        if name in seen or call is None or any((earlier, name) in first for earlier in range(response)):
            continue
        seen.add(name)
        left += [other for other, _ in call.dependencies if other != name]
    return seen


def of_messages(text: str, tokens: list[Token]) -> Iterator[Found]:
    """Ids of messages. The reading of arguments is the product's, as for colours."""
    first: dict[str, Place] = {}
    written = [token for token in tokens if token.kind != RESET]
    for name, token in pairwise(written):
        if name.kind != "message-name" or token.kind != "arguments":
            continue
        header = text[text.rfind("\n", 0, token.start) + 1 : token.start].removeprefix("\ufeff")[0]
        read = parse_arguments(text, token.start, token.end, DIALECTS[header], limit=KEYSTROKE_LIMIT).get("id")
        if read is None or not isinstance(read.value, str):
            continue
        quoted = text[read.value_start] in "'\""
        place = (read.value_start + quoted, read.value_end - quoted)
        if first.setdefault(read.value, place) != place:
            says = re.escape(f"Duplicate message id: {read.value} — ") + ".*"
            yield Found(*place, "S203", says, (first[read.value],), INFORMATION)
