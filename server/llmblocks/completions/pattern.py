"""Regular expressions of templates, with their possible beginnings at the end of the received text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import takewhile
from typing import Final, NamedTuple

LOOK_AHEAD: Final = 256
"""The maximum length of a repeat without an upper limit, in characters."""
LONGEST: Final = 2048
"""The maximum length of a match, in characters."""
_MANY: Final = 1 << 20
_NEVER: Final = "(?!)"
_COUNT = re.compile(r"\{([0-9]*)(,?)([0-9]*)\}")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\\\]])*\]", re.DOTALL)
_NAME = re.compile(r"\(\?P<([A-Za-z_][A-Za-z0-9_]*)>")
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[sSwWdDntrfv]|[^A-Za-z0-9])", re.DOTALL)
_WIDE = frozenset((".", r"\S", r"\W", r"\D"))
_BLANK = r"\s"


class PatternError(ValueError):
    """The reason why a pattern cannot be scanned. `offset` counts from the start of the pattern."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


class _Node(NamedTuple):
    """A part of a pattern."""

    whole: str
    """Matches all of it."""
    begun: str
    """Matches if the text ends before it does."""
    first: frozenset[str] | None
    """The sources of its possible first characters; None for any."""
    least: int
    """The minimum width."""
    most: int
    """The maximum width."""
    repeats: bool = False
    leads: bool = False
    """Whether it begins with a repeat of nearly any character."""
    looks: bool = False
    """Whether it ends with a look-ahead."""


class Pattern:
    """A delimiter: literals, or a regular expression. `PatternError` if it cannot be scanned with a bounded look-ahead.

    Attributes:
        groups: Its named groups.
        closes: It may be only a look-ahead.
        firsts: The sources of its possible first characters; None for any.
    """

    def __init__(self, source: str, literals: Iterable[str] = (), *, closes: bool = False) -> None:
        parser = _PatternReader(source, closes)
        self._node: Final = parser.read()
        self._first: Final = _PatternReader(source, closes, is_first=True).read() if parser.at_start else self._node
        self.source: Final = source
        self.literals: Final = (*literals,)
        self.groups: Final = (*parser.groups,)
        self.at_start: Final = parser.at_start
        self.firsts: Final = self._node.first

    @classmethod
    def of_literals(cls, literals: Iterable[str]) -> Pattern:
        """Return a delimiter that is one of some texts, the longest that matches."""
        texts = sorted(dict.fromkeys(literals), key=len, reverse=True)
        return cls("|".join(map(re.escape, texts)), texts)

    @cached_property
    def match(self) -> Callable[..., re.Match[str] | None]:
        """Match at a place."""
        return re.compile(self._node.whole, re.DOTALL).match

    @cached_property
    def match_first(self) -> Callable[..., re.Match[str] | None]:
        """Match at the start of a text."""
        return re.compile(self._first.whole, re.DOTALL).match

    @cached_property
    def begins(self) -> Callable[..., re.Match[str] | None]:
        """Match at a place from which all text is the beginning of a longer match."""
        return re.compile(_some(self._node.begun), re.DOTALL).match

    @cached_property
    def begins_first(self) -> Callable[..., re.Match[str] | None]:
        """Match the same at the start of a text."""
        return re.compile(_some(self._first.begun), re.DOTALL).match

    def sources(self) -> tuple[str, str]:
        """Return the expressions of `match`, without names, and of `begins`."""
        return _unnamed(self._node.whole), _some(self._node.begun)


def _some(begun: str) -> str:
    return rf"(?!\Z)(?:{begun})"


class _PatternReader:
    """Reads a regular expression, for matches at the start of a text or elsewhere."""

    def __init__(self, source: str, closes: bool, is_first: bool = False) -> None:
        self.source = source
        self.closes = closes
        self.is_first = is_first
        self.at = 0
        self.groups: list[str] = []
        self.at_start = False

    def read(self) -> _Node:
        try:
            re.compile(self.source)
        except re.error as error:
            raise PatternError(f"it is not a regular expression: {error.msg}", error.pos or 0) from None
        node = self.alternatives()
        if self.at < len(self.source):
            raise PatternError("this closes no group", self.at)
        if not node.least and not self.at_start and not (self.closes and node.looks):
            raise PatternError("it matches the empty text", 0)
        if node.most > LONGEST:
            raise PatternError(f"its matches may be longer than {LONGEST} characters", 0)
        if node.leads:
            raise PatternError("it begins with any number of characters, so that all text would be held back", 0)
        return node

    def alternatives(self) -> _Node:
        nodes = [self.sequence()]
        while self.source.startswith("|", self.at):
            self.at += 1
            nodes.append(self.sequence())
        if len(nodes) == 1:
            return nodes[0]
        firsts = [node.first for node in nodes]
        return _Node(
            f"(?:{'|'.join([node.whole for node in nodes])})",
            f"(?:{'|'.join([node.begun for node in nodes])})",
            None if None in firsts else frozenset().union(*filter(None, firsts)),
            min(node.least for node in nodes),
            max(node.most for node in nodes),
            any(node.repeats for node in nodes),
            any(node.leads for node in nodes),
            any(node.looks for node in nodes),
        )

    def sequence(self) -> _Node:
        nodes: list[_Node] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            nodes.append(self.repeated())
        optional = [*takewhile(lambda node: not node.least, nodes)]
        first: frozenset[str] | None = frozenset()
        for node in nodes:
            first = None if first is None or node.first is None else first | node.first
            # nothing after `^` begins a match elsewhere
            if node.least or first is None or node.whole == _NEVER:
                break
        begun = _NEVER
        for node in reversed(nodes):
            begun = f"(?:{node.begun}|{_unnamed(node.whole)}{begun})"
        return _Node(
            "".join([node.whole for node in nodes]),
            begun,
            first,
            sum(node.least for node in nodes),
            sum(node.most for node in nodes),
            any(node.repeats for node in nodes),
            any(node.leads for node in nodes[: len(optional) + 1]),
            any(node.looks for node in nodes),
        )

    def repeated(self) -> _Node:
        start = self.at
        node = self.single()
        sign = self.source[self.at : self.at + 1]
        if sign in ("?", "*", "+") and sign:
            self.at += 1
            least, most = int(sign == "+"), 1 if sign == "?" else _MANY
        elif sign == "{" and (count := _COUNT.match(self.source, self.at)) and count[0] not in ("{}", "{,}"):
            self.at = count.end()
            least = int(count[1] or 0)
            most = int(count[3]) if count[3] else _MANY if count[2] else least
        else:
            return node
        style = self.source[self.at : self.at + 1]
        style = style if style in ("?", "+") else ""
        self.at += len(style)
        is_long = most > LOOK_AHEAD
        if is_long and node.repeats:
            raise PatternError("a repeat without a limit is inside another one", start)
        most = max(min(most, LOOK_AHEAD), least)
        fewer = f"{{0,{max(most - 1, 0)}}}"
        return _Node(
            f"(?:{node.whole}){{{least},{most}}}{style}",
            f"(?:{_unnamed(node.whole)}){fewer}{node.begun}" if most else _NEVER,
            node.first,
            node.least * least,
            node.most * most,
            node.repeats or is_long,
            node.leads or (is_long and _is_wide(node.first)),
        )

    def single(self) -> _Node:
        source, at = self.source, self.at
        sign = source[at]
        if sign == "(":
            return self.group()
        if sign in "^$" or source.startswith((r"\A", r"\Z", r"\z"), at):
            self.at += 1 if sign in "^$" else 2
            if sign == "$":
                raise PatternError(
                    r"`$` also matches before a last newline; leave it out: a text's end closes regions", at
                )
            if source[at : self.at] in ("^", r"\A"):
                self.at_start = True
                return _Node("" if self.is_first else _NEVER, _NEVER, frozenset(), 0, 1)
            return _Node(_NEVER, _NEVER, frozenset(), 1, 1)
        if sign == "[":
            found = _CLASS.match(source, at)
            text = found[0] if found else "["
        elif sign == "\\":
            found = _ESCAPE.match(source, at)
            if not found:
                raise PatternError(
                    "look-arounds, back-references and boundaries need more than a bounded look-ahead", at
                )
            text = found[0]
        else:
            text = sign
        self.at += len(text)
        char = text if len(text) > 1 or sign == "." else re.escape(text)
        return _Node(char, r"\Z", frozenset((char,)), 1, 1)

    def group(self) -> _Node:
        source, at = self.source, self.at
        name = _NAME.match(source, at)
        if name:
            self.groups.append(name[1])
            self.at = name.end()
        elif source.startswith("(?:", at):
            self.at += 3
        elif source.startswith("(?=", at):
            self.at += 3
            node = self.alternatives()
            self.at += 1
            if source[self.at : self.at + 1] not in ("", ")", "|"):
                raise PatternError("a look-ahead can only be at the end", at)
            return node._replace(whole=f"(?={node.whole})", least=0, looks=True)
        elif source.startswith("(?", at):
            raise PatternError("other look-arounds, flags and conditions need more than a bounded look-ahead", at)
        else:
            self.at += 1
        node = self.alternatives()
        self.at += 1
        opening = name[0] if name else "(?:"
        return node._replace(whole=f"{opening}{node.whole})")


def _unnamed(source: str) -> str:
    return _NAME.sub("(?:", source)


def _is_wide(first: frozenset[str] | None) -> bool:
    """Return whether nearly any character may begin a part."""
    return first is None or any(each in _WIDE or each.startswith("[^") for each in first)
