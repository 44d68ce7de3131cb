"""Regular expressions of templates, with their possible beginnings at the end of the received text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from itertools import takewhile
from typing import Final, NamedTuple

from llmblocks.grammars import expression as ex
from llmblocks.grammars.expression import PatternError

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
        self.groups: Final = (*re.compile(source).groupindex,)
        read = ex.PatternReader(source).read()
        node, first = _node(read), _node(read, is_first=True)
        self.at_start: Final = first.whole != node.whole
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
        self.begins, self.begins_first = _compiled(self.begun).match, _compiled(rf"(?!\Z)(?:{first.begun})").match

    @classmethod
    def of_literals(cls, literals: Iterable[str]) -> Pattern:
        """Return a delimiter that is one of some texts, the longest that matches."""
        texts = sorted(dict.fromkeys(literals), key=len, reverse=True)
        return cls("|".join(map(re.escape, texts)), texts)


_compiled: Final = partial(re.compile, flags=re.DOTALL)


class _Node(NamedTuple):
    whole: str
    begun: str
    """Matches if the text ends before it does."""
    first: frozenset[str]
    """The sources of its possible first characters."""
    least: int
    most: int
    leads: bool = False
    """Whether it begins with a repeat of nearly any character."""
    looks: bool = False
    """Whether it ends with a look-ahead."""


def _node(part: ex.Expression, *, is_first: bool = False) -> _Node:
    """Return what a pattern needs, for matches at the start of a text if it `is_first`, or elsewhere."""
    match part:
        case ex.Choice(parts):
            nodes = [_node(each, is_first=is_first) for each in parts]
            return _Node(
                f"(?:{'|'.join([node.whole for node in nodes])})",
                f"(?:{'|'.join([node.begun for node in nodes])})",
                frozenset().union(*[node.first for node in nodes]),
                min(node.least for node in nodes),
                max(node.most for node in nodes),
                any(node.leads for node in nodes),
                any(node.looks for node in nodes),
            )
        case ex.Sequence(parts):
            nodes = [_node(each, is_first=is_first) for each in parts]
            if any(node.looks for node in nodes[:-1]):
                raise PatternError("a look-ahead can only be at the end")
            # nothing after `^` begins a match elsewhere
            optional = [*takewhile(lambda node: not node.least and node.whole != _NEVER, nodes)]
            begins = nodes[: len(optional) + 1]
            begun = _NEVER
            for node in reversed(nodes):
                begun = f"(?:{node.begun}|{_unnamed(node.whole)}{begun})"
            return _Node(
                "".join([node.whole for node in nodes]),
                begun,
                frozenset().union(*[node.first for node in begins]),
                sum(node.least for node in nodes),
                sum(node.most for node in nodes),
                any(node.leads for node in begins),
                any(node.looks for node in nodes),
            )
        case ex.Repeat(inner, least, limit, style):
            node = _node(inner, is_first=is_first)
            is_long = limit is None or limit > LOOK_AHEAD
            most = max(LOOK_AHEAD if limit is None else min(limit, LOOK_AHEAD), least)
            is_wide = any(each in _WIDE or each.startswith("[^") for each in node.first)
            return _Node(
                f"(?:{node.whole}){{{least},{most}}}{style}",
                f"(?:{_unnamed(node.whole)}){{0,{max(most - 1, 0)}}}{node.begun}" if most else _NEVER,
                node.first,
                node.least * least,
                node.most * most,
                node.leads or (is_long and is_wide),
            )
        case ex.Capture(inner, name):
            node = _node(inner, is_first=is_first)
            return node._replace(whole=f"(?P<{name}>{node.whole})")
        case ex.Ahead(inner):
            node = _node(inner, is_first=is_first)
            return node._replace(whole=f"(?={node.whole})", least=0, looks=True)
        case ex.Sign("$"):
            raise PatternError(r"`$` also matches before a last newline; leave it out: a text's end closes regions")
        case ex.Sign("^" | r"\A"):
            return _Node("" if is_first else _NEVER, _NEVER, frozenset(), 0, 1)
        case ex.Sign(r"\Z" | r"\z"):
            return _Node(_NEVER, _NEVER, frozenset(), 1, 1)
        case ex.Sign(source):
            char = source if len(source) > 1 or source == "." else re.escape(source)
            return _Node(char, r"\Z", frozenset((char,)), 1, 1)
        case _:
            raise PatternError(f"{part} is not part of a pattern")


def _unnamed(source: str) -> str:
    return _NAME.sub("(?:", source)
