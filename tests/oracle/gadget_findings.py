"""The problems of the markers and headers of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from llmblocks.gadget.syntax.values import SPACE
from oracle.calls import calls_in, dependencies, fields, stripped
from oracle.tokens import HINT, INFORMATION, WARNING, Found, Token

_ATTRIBUTES = ("attribute", "attribute-value")
_RUNNING = ("text", "content", "plain", "untagged", "escape", "gap", "value", "ignored", "header", *_ATTRIBUTES)
"""The kinds of text after which a call, or a misspelt one, continues."""
_IDENTIFIER = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_ID = re.compile("[A-Za-z0-9_.-]+")


def findings(text: str, tokens: list[Token], markers: tuple[str, str, str]) -> Iterator[Found]:
    """Yield all of them, in no order."""
    yield from _strays(text, tokens, markers)
    for index, token in enumerate(tokens):
        written = text[token.start : token.end]
        yield from [found for found, _ in _nearly(text, token, tokens[index + 1 :], markers)]
        if token.kind in ("start", "arg", "end"):
            yield from _in_its_line(text, tokens[:index], token, markers[1])
        if token.kind == "end" and text[token.end : token.end + 1].strip(SPACE):
            line = re.compile(".*").match(text, token.end)
            assert line is not None
            stop = min([each.start for each in tokens[index + 1 :] if each.kind in ("stray", "start")] + [line.end()])
            stop = token.end + len(text[token.end : stop].rstrip(SPACE))
            follows = tokens[index + 1].kind if index + 1 < len(tokens) else ""
            if follows not in ("stray", "start"):
                yield Found(token.end, stop, "G006", _says(f"Text right after `{written}`"), severity=WARNING)
    calls = [*calls_in(text, tokens)]
    for call in calls:
        last = call.header.start + len(text[call.header.start : call.header.end].rstrip(SPACE))
        yield from _of_header(text, call.start.start, call.header)
        yield from _in_front_of_arguments(text, call.inside)
        if call.end.kind != "end":
            ends = call.end in tokens
            says = f"No `{markers[1]}` ends this call" + ("" if ends else " yet")
            yield Found(call.start.start, last, "G008", _says(says), severity=INFORMATION if ends else HINT)
    for token, header in pairwise([*tokens, Token("", len(text), len(text))]):
        if token.kind == "start" and token not in [call.start for call in calls]:
            last = (
                header.start + len(text[header.start : header.end].rstrip(SPACE))
                if header.kind == "header"
                else token.end
            )
            yield Found(token.start, last, "G010", _says("No newline after the header of a call"), severity=WARNING)


def _in_front_of_arguments(text: str, inside: list[Token]) -> Iterator[Found]:
    places = []
    for token in inside:
        if token.kind == "arg":
            break
        if token.kind == "ignored":
            place = stripped(text, token.start, token.end)
            places += [place] if place[0] < place[1] else []
    if places and not re.fullmatch("(?i)```(toml|yaml|json)?", text[places[0][0] : places[-1][1]]):
        says = _says("Text before the arguments")
        yield Found(places[0][0], places[-1][1], "G011", says, severity=WARNING)


def _strays(text: str, tokens: list[Token], markers: tuple[str, str, str]) -> Iterator[Found]:
    """Markers outside of calls: looking back, no misspelt start marker is nearer than an end marker or a tag."""
    near = {
        found.start: marker
        for index, token in enumerate(tokens)
        for found, marker in _nearly(text, token, tokens[index + 1 :], markers)
    }
    for index, token in enumerate(tokens):
        if token.kind != "stray":
            continue
        back = len(tokens[:index])
        while back and (
            tokens[back - 1].kind in _RUNNING or text[tokens[back - 1].start : tokens[back - 1].end] == markers[2]
        ):
            back -= 1
        since = tokens[back].start
        nearest = [marker for at, marker in sorted(near.items()) if since <= at < token.start and marker != markers[2]]
        if nearest[-1:] != [markers[0]]:
            written = text[token.start : token.end]
            code = "G005" if written == markers[1] else "G004"
            yield Found(token.start, token.end, code, _says(f"`{written}` outside any call"), severity=WARNING)


def _nearly(text: str, token: Token, behind: list[Token], markers: tuple[str, str, str]) -> Iterator[tuple[Found, str]]:
    """Lines of a token that begin with another case of a marker, or with one that has one or two mistakes."""
    if token.kind in ("comment", "body", "path", "sigil", "escape", "byte-order-mark", "plain"):
        return
    if "\n" not in text[max(token.start - 1, 0) : token.end] and token.start:
        return
    stop = next((each.start for each in behind if each.kind in ("start", "arg", "end", "stray")), len(text))
    for line in re.finditer(r"^[^\n\r]+", text[:stop], re.MULTILINE):
        if not token.start <= line.start() < token.end or line[0].startswith(markers):
            continue
        if line[0][0].lower() not in {marker[0].lower() for marker in markers}:
            continue
        near = []
        for marker in markers:
            letters = len(re.findall("[A-Za-z]", marker))
            most = 2 if letters >= 6 else 1 if letters >= 3 else 0
            for width in range(1, len(line[0]) + 1):
                changes = _changes(line[0][:width].lower(), marker.lower()) if width < len(marker) + 3 else 9
                if changes <= most and not re.match(r"\w\w", line[0][width - 1 :]):
                    near.append((changes, markers.index(marker), -width))
        if near:
            changes, number, width = min(near)
            marker = f"`{markers[number]}`"
            code, says = ("G012", f"Misspelt {marker}") if changes else ("G003", f"{marker} in the wrong case")
            says = re.escape(says) + f" — .*{re.escape(marker)}"
            yield Found(line.start(), line.start() - width, code, says, severity=WARNING), markers[number]


@cache
def _changes(one: str, other: str) -> int:
    """Count the characters to insert, remove, change, or swap with their neighbour."""
    if not one or not other:
        return len(one + other)
    least = min(
        _changes(one[1:], other) + 1, _changes(one, other[1:]) + 1, _changes(one[1:], other[1:]) + (one[0] != other[0])
    )
    if one[:2] == other[:2][::-1] and len(one) > 1 and len(other) > 1:
        least = min(least, _changes(one[2:], other[2:]) + 1)
    return least


def _in_its_line(text: str, before: list[Token], token: Token, end: str) -> Iterator[Found]:
    line = text[text.rfind("\n", 0, token.start) + 1 : token.start]
    if before and before[-1].kind in ("escape", "byte-order-mark"):
        return
    says = f"`{text[token.start : token.end]}` inside a line"
    if not line.strip(" \t\r\ufeff"):
        if not line or token.kind != "arg" or before[-1].kind != "value":
            return
        says = says.replace("inside a line", "after spaces")
    if token.kind == "start" and line.rstrip(" \t\r\ufeff").endswith(end):
        return
    yield Found(token.start, token.end, "G007", _says(says), severity=WARNING)


def _of_header(text: str, marker: int, header: Token) -> Iterator[Found]:
    name, *ids = fields(text, header)
    if name[0] == name[1]:
        end = max(header.start + len(text[header.start : header.end].rstrip(SPACE)), name[1])
        yield Found(marker, end, "G001", _says("Error: Gadget '' not found."))
    elif not _IDENTIFIER.fullmatch(text, *name):
        yield _invalid(text, "gadget name", name)
    if not ids:
        return
    own = stripped(text, *ids[0])
    if own[0] == own[1]:
        yield Found(ids[0][0] - 1, ids[0][0], "G002", _says("Empty invocation id"), severity=WARNING)
    elif not _ID.fullmatch(text, *own):
        yield _invalid(text, "invocation id", own)
    needed = [place for field in ids[1:] for place in dependencies(text, field)]
    for place in needed:
        if not _ID.fullmatch(text, *place):
            yield _invalid(text, "dependency", place)
    for before, place in pairwise(needed):
        if ":" in text[before[1] : place[0]]:
            between = stripped(text, before[1], place[0])
            yield Found(*between, "G009", _says("Dependencies separated by a colon"), severity=INFORMATION)


def _invalid(text: str, what: str, place: tuple[int, int]) -> Found:
    return Found(*place, "G002", _says(f"Invalid {what}: `{text[slice(*place)]}`"), severity=WARNING)


def _says(message: str) -> str:
    return re.escape(f"{message} — ") + ".*"
