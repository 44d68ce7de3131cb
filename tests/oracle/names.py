"""The problems of the names of calls and messages, found by reading all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count, pairwise
from typing import NamedTuple

from llmblocks.gadget.syntax.values import SPACE
from llmblocks.stf.syntax import DIALECTS, KEYSTROKE_LIMIT, parse_arguments
from oracle.arguments import line_ends
from oracle.tokens import ERROR, INFORMATION, RESET, WARNING, Found, Token

_Place = tuple[int, int]
_BODY = ("ignored", "arg", "pointer", "pointer-end", "value")


class Call(NamedTuple):
    """The header of a call. `response` counts messages; `dependencies` with repeats."""

    response: int
    id: str
    place: _Place
    dependencies: list[tuple[str, _Place]]


def calls(text: str, tokens: list[Token]) -> list[Call]:
    """Return all calls, those without an id numbered in each response."""
    found: list[Call] = []
    response, numbers = 0, count(1)
    for index, token in enumerate(tokens):
        if token.kind == RESET:
            response, numbers = response + 1, count(1)
        if token.kind != "start":
            continue
        header = Token("header", token.end, token.end)
        ahead = [*tokens[index + 1 : index + 3], header, header]
        if ahead[0].kind == "header":
            header = ahead.pop(0)
        if ahead[0].kind != "header-end":
            continue
        written = text[header.start : header.end]
        start = header.start + len(written) - len(written.lstrip(SPACE))
        fields = []
        for field in written.strip(SPACE).split(":"):
            fields.append((field, start))
            start += len(field) + 1
        name, *ids = fields
        if not ids:
            found.append(Call(response, f"gadget_{next(numbers)}", (name[1], name[1] + len(name[0])), []))
            continue
        dependencies = []
        for field, at in ids[1:]:
            for part in field.split(","):
                if part.strip(SPACE):
                    dependencies.append(_trimmed(part, at))
                at += len(part) + 1
        found.append(Call(response, *_trimmed(*ids[0]), dependencies))
    return found


def _trimmed(field: str, at: int) -> tuple[str, _Place]:
    name = field.strip(SPACE)
    start = at + len(field) - len(field.lstrip(SPACE)) if name else at + len(field)
    return name, (start, start + len(name))


def of_calls(found: list[Call]) -> Iterator[Found]:
    """Ids and dependencies."""
    first: dict[tuple[int, str], Call] = {}
    for call in found:
        earlier = first.setdefault((call.response, call.id), call)
        if earlier is not call:
            says = re.escape(f"Duplicate invocation id: {call.id} — ") + ".*"
            yield Found(*call.place, "G110", says, (earlier.place,))
    for call in found:
        given: dict[str, _Place] = {}
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
    place = (0, 0)
    for index, token in enumerate(tokens):
        if token.kind == RESET:
            before = None
        ahead = [*tokens[index + 1 : index + 3], token, token]
        if token.kind != "start" or "header-end" not in (ahead[0].kind, ahead[0].kind == "header" and ahead[1].kind):
            continue
        header_end = ahead[0] if ahead[0].kind == "header-end" else ahead[1]
        (call,) = calls(text, [token, *ahead[: 1 + (header_end is ahead[1])]])
        name, _, _ = text[token.end : header_end.start].strip(SPACE).partition(":")
        at = header_end.start - len(text[token.end : header_end.start].lstrip(SPACE))
        after = tokens[tokens.index(header_end) + 1 :]
        end = next((each for each in after if each.kind in ("end", "start", RESET)), token)
        written = None
        if end.kind == "end" and any(each.kind == "arg" for each in after[: after.index(end)]):
            inside = [each for each in after[: after.index(end)] if each.kind in _BODY]
            body = "".join(text[each.start : each.end] for each in inside).rstrip()
            body = body.replace("\r\n", "\n") if crlf[index] else body
            written = (name, {each for each, _ in call.dependencies}, body)
        is_rejected = any(header_end.end <= each.start < end.start and each.severity == ERROR for each in wrong)
        if written is not None and written == before and not is_rejected:
            yield Found(at, at + len(name), "G122", "the same call as the one before — .*", (place,), INFORMATION)
        before, place = written, (at, at + len(name))


def _behind(first: dict[tuple[int, str], Call], response: int, name: str) -> set[str]:
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
    first: dict[str, _Place] = {}
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
