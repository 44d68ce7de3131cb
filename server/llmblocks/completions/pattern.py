"""Regular expressions of templates, with their possible beginnings at the end of the received text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache, partial
from itertools import takewhile
from typing import Final, NamedTuple

from llmblocks.grammars.expression import PatternError, PatternReader

LOOK_AHEAD: Final = 256
"""The maximum length of a repeat without an upper limit, in characters."""
LONGEST: Final = 2048
"""The maximum length of a match, in characters."""
_NEVER: Final = "(?!)"
_NAME = re.compile(r"\(\?P<[A-Za-z_][A-Za-z0-9_]*>")
_WIDE = frozenset((".", r"\S", r"\W", r"\D"))


class Pattern:
    """A delimiter: literals, or a regular expression. `PatternError` if it cannot be scanned with a bounded look-ahead.

    Attributes:
        groups: Its named groups.
        at_start: A match can depend on the start of the text.
        firsts: The sources of its possible first characters.
        whole, begun: The sources of `match`, without names, and of `begins`.
        match, match_first: Match at a place, and at the start of a text.
        begins, begins_first: Match at a place from which all text is the beginning of a longer match.
    """

    def __init__(self, source: str, literals: Iterable[str] = (), *, closes: bool = False) -> None:
        """Read a pattern. One that `closes` a region may be only a look-ahead."""
        try:
            self.groups: Final = (*re.compile(source).groupindex,)
        except re.error as error:
            raise PatternError(f"it is not a regular expression: {error.msg}") from None
        reader = _NodeReader()
        node, reader.is_first = reader.read(source), True
        first, self.at_start = reader.read(source), reader.at_start
        if not node.least and not self.at_start and not (closes and node.looks):
            raise PatternError("it matches the empty text")
        if node.most > LONGEST:
            raise PatternError(f"its matches may be longer than {LONGEST} characters")
        if first.leads:
            raise PatternError("it begins with any number of characters, so that all text would be held back")
        self.source: Final = source
        self.literals: Final = (*literals,)
        self.firsts: Final = node.first
        self.whole, self.begun = _unnamed(node.whole), rf"(?!\Z)(?:{node.begun})"
        self.match, self.match_first = _compiled(node.whole).match, _compiled(first.whole).match
        self.begins, self.begins_first = partial(_match, self.begun), partial(_match, rf"(?!\Z)(?:{first.begun})")

    @classmethod
    def of_literals(cls, literals: Iterable[str]) -> Pattern:
        """Return a delimiter that is one of some texts, the longest that matches."""
        texts = sorted(dict.fromkeys(literals), key=len, reverse=True)
        return cls("|".join(map(re.escape, texts)), texts)


_compiled = lru_cache(maxsize=1024)(partial(re.compile, flags=re.DOTALL))


def _match(source: str, text: str, *place: int) -> re.Match[str] | None:
    """Match a pattern that is compiled on first use: most are never needed."""
    return _compiled(source).match(text, *place)


class _Node(NamedTuple):
    whole: str
    begun: str
    """Matches if the text ends before it does."""
    first: frozenset[str]
    """The sources of its possible first characters."""
    least: int
    most: int
    repeats: bool = False
    """Whether a repeat without a limit is inside."""
    leads: bool = False
    """Whether it begins with a repeat of nearly any character."""
    looks: bool = False
    """Whether it ends with a look-ahead."""


class _NodeReader(PatternReader[_Node]):
    """Reads a regular expression, for matches at the start of a text if it `is_first`, or elsewhere."""

    is_first = at_start = False

    def choice(self, parts: list[_Node]) -> _Node:
        return _Node(
            f"(?:{'|'.join([node.whole for node in parts])})",
            f"(?:{'|'.join([node.begun for node in parts])})",
            frozenset().union(*[node.first for node in parts]),
            min(node.least for node in parts),
            max(node.most for node in parts),
            any(node.repeats for node in parts),
            any(node.leads for node in parts),
            any(node.looks for node in parts),
        )

    def sequence(self, parts: list[_Node]) -> _Node:
        # nothing after `^` begins a match elsewhere
        optional = [*takewhile(lambda node: not node.least and node.whole != _NEVER, parts)]
        begins = parts[: len(optional) + 1]
        begun = _NEVER
        for node in reversed(parts):
            begun = f"(?:{node.begun}|{_unnamed(node.whole)}{begun})"
        return _Node(
            "".join([node.whole for node in parts]),
            begun,
            frozenset().union(*[node.first for node in begins]),
            sum(node.least for node in parts),
            sum(node.most for node in parts),
            any(node.repeats for node in parts),
            any(node.leads for node in begins),
            any(node.looks for node in parts),
        )

    def repeat(self, part: _Node, least: int, most: int | None, style: str) -> _Node:
        is_long = most is None or most > LOOK_AHEAD
        if is_long and part.repeats:
            raise PatternError("a repeat without a limit is inside another one")
        most = max(LOOK_AHEAD if most is None else min(most, LOOK_AHEAD), least)
        is_wide = any(each in _WIDE or each.startswith("[^") for each in part.first)
        return _Node(
            f"(?:{part.whole}){{{least},{most}}}{style}",
            f"(?:{_unnamed(part.whole)}){{0,{max(most - 1, 0)}}}{part.begun}" if most else _NEVER,
            part.first,
            part.least * least,
            part.most * most,
            part.repeats or is_long,
            part.leads or (is_long and is_wide),
        )

    def group(self, part: _Node, name: str | None) -> _Node:
        return part._replace(whole=f"(?P<{name}>{part.whole})" if name else f"(?:{part.whole})")

    def ahead(self, part: _Node) -> _Node:
        if self.source[self.at : self.at + 1] not in ("", ")", "|"):
            raise PatternError("a look-ahead can only be at the end")
        return part._replace(whole=f"(?={part.whole})", least=0, looks=True)

    def sign(self, source: str) -> _Node:
        if source == "$":
            raise PatternError(r"`$` also matches before a last newline; leave it out: a text's end closes regions")
        if source in ("^", r"\A"):
            self.at_start = True
            return _Node("" if self.is_first else _NEVER, _NEVER, frozenset(), 0, 1)
        if source in (r"\Z", r"\z"):
            return _Node(_NEVER, _NEVER, frozenset(), 1, 1)
        char = source if len(source) > 1 or source == "." else re.escape(source)
        return _Node(char, r"\Z", frozenset((char,)), 1, 1)


def _unnamed(source: str) -> str:
    return _NAME.sub("(?:", source)
