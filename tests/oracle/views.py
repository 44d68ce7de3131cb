"""The views of a text in an editor besides its findings: colours, also of JSON5; folds, the places of hovers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from llmblocks.stf.syntax import DIALECTS, KEYSTROKE_LIMIT, parse_arguments
from oracle.calls import calls_in, dependencies, fields, stripped
from oracle.tokens import Reading, Token
from oracle.whole import TAGS

COLOURS = {
    **dict.fromkeys(("arg", "end", "escape"), "keyword"),
    **dict.fromkeys(("name", "message-name", "raw-name", "block-name", "end-name"), "keyword"),
    **dict.fromkeys(("comment", "comment-open", "comment-close", "ignored"), "comment"),
    **dict.fromkeys(("opening", "opened", "self-closed", "closing", "closed", "equals"), "operator"),
    **dict.fromkeys(("quote", "attribute-value"), "string"),
    "tag": "type",
    "attribute": "property",
}
EXPLAINED = frozenset(
    [
        *("start", "header", "arg", "pointer", "end", "stray", "name", "message-name", "raw-name"),
        *("block-name", "end-name", "escape", "comment-open", "comment-close", "opening"),
    ]
)
"""The kinds of tokens that always have a hover."""
AT_TIMES_EXPLAINED = frozenset(
    (
        *("ignored", "attribute", "closing", "closed", "tag", "attribute-value", "opened", "self-closed"),
        *("value", "arguments", "body"),
    )
)


class Coloured(NamedTuple):
    start: int
    end: int
    role: str
    modifiers: tuple[str, ...] = ()


_DEFINES = ("declaration", "readonly")


def colours(text: str, tokens: list[Token]) -> list[Coloured]:
    """Return every stretch with a role, cut where a line of the client ends."""
    found: list[Coloured] = []
    headers = {each for call in calls_in(text, tokens) for each in (call.start, call.header)}
    for token in tokens:
        kind, start, end = token
        if kind == "start" and token in headers:
            found.append(Coloured(start, end, "keyword"))
        elif kind == "header" and token in headers:
            found += _header(text, token)
        elif kind == "pointer":
            for segment in re.finditer("[^/]+", text[start:end]):
                place = stripped(text, start + segment.start(), start + segment.end(), None)
                if place[0] < place[1]:
                    is_index = re.fullmatch("[0-9]+", text[slice(*place)])
                    found.append(Coloured(*place, "number" if is_index else "property"))
        elif kind == "arguments":
            found += _arguments(text, start, end)
        elif kind == "body":
            found += [Coloured(start + at, start + stop, role) for at, stop, role in json5(text[start:end])]
        elif kind == "sigil":
            is_of_comment = text[end:].lstrip(" \t").startswith(("#", "//", "/*"))
            found.append(Coloured(start, end, "comment" if is_of_comment else "keyword"))
        elif kind == "comment-line":
            is_directive = re.match(r"(#|//)[ \t]*llmblocks:", text[start:end])
            found.append(Coloured(start, end, "comment", ("documentation",) if is_directive else ()))
        elif kind in ("text", "content"):
            for tag in unknown_tags(text[start:end]):
                found.append(Coloured(start + tag.start(), start + tag.end(), "text"))
        elif kind in COLOURS:
            found.append(Coloured(start, end, COLOURS[kind]))
    return [
        Coloured(each.start + line.start(), each.start + line.end(), each.role, each.modifiers)
        for each in found
        for line in re.finditer("[^\r\n]+", text[each.start : each.end])
    ]


def unknown_tags(text: str) -> list[re.Match[str]]:
    """Return what looks like a tag that is not registered."""
    found = re.finditer(r"</?([A-Za-z_][A-Za-z0-9_-]*)[^<>\n]*>?", text)
    return [each for each in found if each[1] not in TAGS]


def _header(text: str, header: Token) -> list[Coloured]:
    name, *ids = fields(text, header)
    own = [stripped(text, *field) for field in ids[:1]]
    needed = [place for field in ids[1:] for place in dependencies(text, field)]
    found = [Coloured(*name, "function"), *[Coloured(*place, "variable", _DEFINES) for place in own]]
    found += [Coloured(*place, "variable") for place in needed]
    return [each for each in found if each.start < each.end]


def _arguments(text: str, start: int, end: int) -> list[Coloured]:
    """Read arguments with the product: that has no state, and separate reference cases."""
    line = text[text.rfind("\n", 0, start) + 1 : end].removeprefix("\ufeff")
    given = parse_arguments(text, start, end, DIALECTS[line[0]], limit=KEYSTROKE_LIMIT)
    if given.braces:
        return [Coloured(start + at, start + stop, role) for at, stop, role in json5(text[start:end])]
    found = []
    for item in given.items:
        found.append(Coloured(item.key_start, item.key_end, "property"))
        if isinstance(item.value, str) and item.value_start < item.value_end:
            role = "string"
            modifiers: tuple[str, ...] = ()
            if item.key in ("id", "call_id"):
                role, modifiers = "variable", _DEFINES if item.key == "id" else ()
            elif item.key == "name" and re.match("[@;][ \t]*call[ \t{]", line):
                role = "function"
            found.append(Coloured(item.value_start, item.value_end, role, modifiers))
    return sorted(found)


# what a token opens, and what may not stay open when it does
OPENS = {
    "start": "call",
    "arg": "argument",
    "message-name": "message",
    "raw-name": "block",
    "block-name": "block",
    "comment-open": "comment",
    "opening": "tag",
}
CLOSES = {"end": "call", "end-name": "block", "comment-close": "comment", "closed": "tag", "self-closed": "tag"}
ENDS = {
    "call": ("call", "argument", "tag"),
    "argument": ("argument", "tag"),
    "message": ("message", "block", "call", "argument", "tag"),
    "block": ("block", "call", "argument", "tag"),
    "comment": (),
    "tag": ("tag",),
}


class Fold(NamedTuple):
    """From the first code point that belongs to it to the end of the last; `comment` says that it is one.

    A block after a call's end, or one that nothing closes, is not `sure`: nothing says how far it goes.
    """

    start: int
    last: int
    comment: bool
    sure: bool


def folds(text: str, reading: Reading) -> list[Fold]:
    """All that has a beginning and an end, in the order of the beginnings; blank lines at an end are left out."""
    found: list[tuple[int, int, str, bool]] = []
    still_open: list[tuple[int, str]] = []
    ends = [token.end for token in reading.tokens if token.kind == "end"]

    def close(end: int, closed: bool = False) -> None:
        start, kind = still_open.pop()
        behind_end = any(text.find("\n", end, start) < 0 for end in ends if end <= start)
        found.append((start, end, kind, kind != "tag" or (closed and not behind_end)))

    lead: int | None = None
    cuts = sorted(reading.cuts)
    for token in reading.tokens:
        while cuts and cuts[0] <= token.start:
            cut = cuts.pop(0)
            while still_open:
                close(cut)
        begin = token.start if lead is None else lead
        opened, closed = OPENS.get(token.kind), CLOSES.get(token.kind)
        if opened:
            while still_open and still_open[-1][1] in ENDS[opened]:
                close(begin)
            still_open.append((begin, opened))
        if closed and closed in [kind for _, kind in still_open]:
            while still_open[-1][1] != closed:
                close(begin)
            close(token.end, True)
        lead = begin if token.kind in ("sigil", "blank") else None
    while still_open:
        close(cuts[0] if cuts else len(text))
    found += [(start, end, "comment", True) for start, end in _runs_of_comments(text, reading.tokens)]
    return [
        Fold(start, start + len(text[start:end].rstrip()), kind == "comment", sure)
        for start, end, kind, sure in sorted(found)
    ]


def _runs_of_comments(text: str, tokens: list[Token]) -> list[tuple[int, int]]:
    """Line comments with nothing in between but the beginnings of their lines."""
    runs: list[tuple[int, int]] = []
    for token in tokens:
        if token.kind == "comment-line":
            if runs and re.fullmatch(r"\r?\n[@;][ \t]*", text[runs[-1][1] : token.start]):
                runs[-1] = runs[-1][0], token.end
            else:
                runs.append((token.start, token.end))
    return runs


_PART = re.compile(
    r"""(?P<comment>//.*|/\*.*?(?:\*/|$))
    |(?P<string>"(?:\\.|[^"\\])*\\?"?|'(?:\\.|[^'\\])*\\?'?)
    |(?P<number>[+-]?(?>0[xX][0-9a-fA-F]+|Infinity|NaN|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
        (?![\w$]|\\u[0-9a-fA-F]{4}|[ \t]*:))
    |(?P<word>(?:[\w$]|\\u[0-9a-fA-F]{4})+)""",
    re.VERBOSE | re.DOTALL,
)
_CONTINUED = re.compile(r"""[ \t]*(?=\*).*?(?:\*/|$)|(?:(?!/\*|//|['"]).)*?\*/""")
"""The end of a comment that seems to continue in a line."""


def json5(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each part is, and its role, line by line."""
    for line in re.finditer(r"[^\r\n]+", text):
        at = line.start()
        continued = _CONTINUED.match(text, at, line.end()) if text[at - 1 : at] in ("", "\n") else None
        if continued:
            yield at, continued.end(), "comment"
        for part in _PART.finditer(text, continued.end() if continued else at, line.end()):
            role = part.lastgroup or ""
            if role in ("string", "word") and text[part.end() : line.end()].lstrip(" \t").startswith(":"):
                role = "property"
            elif role == "word":
                role = "keyword" if part[0] in ("true", "false", "null") else ""
            if role:
                yield *part.span(), role
