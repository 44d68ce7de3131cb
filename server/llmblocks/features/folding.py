"""What can be folded away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from llmblocks.core.nest import Nesting, Node, nest
from llmblocks.core.section import Section
from llmblocks.features.ask import Ask

_COMMENTS = frozenset(("comment",))


class Fold(NamedTuple):
    """Shape: lines count from 0 and are ended by `\\n`; the first one stays visible."""

    start_line: int
    end_line: int
    comment: bool


def folding(ask: Ask) -> list[Fold]:
    """The calls, arguments, messages, blocks and comments that are longer than a line, in order."""
    find = _Folds(ask.language.nesting)
    return [
        Fold(fold.start_line + placed.line, fold.end_line + placed.line, fold.comment)
        for placed in ask.document.placed()
        for fold in placed.section.remember(find)
    ]


class _Folds:
    """The folds of one section, lines counted from its start. Equal for equal nestings, so it is remembered."""

    __slots__ = ("_nesting",)

    def __init__(self, nesting: Nesting) -> None:
        self._nesting = nesting

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Folds) and other._nesting is self._nesting

    def __hash__(self) -> int:
        return id(self._nesting)

    def __call__(self, section: Section) -> tuple[Fold, ...]:
        if section.newlines < 1:
            return ()
        return tuple(_of_nodes(section.text, nest(section, self._nesting)))


def _of_nodes(text: str, nodes: tuple[Node, ...]) -> Iterator[Fold]:
    for node in nodes:
        first = text.count("\n", 0, node.start)
        # blank lines at the end stay visible, or two folds would hide what separates them
        end = node.start + len(text[node.start : node.end].rstrip())
        last = first + text.count("\n", node.start, end)
        if last > first:
            yield Fold(first, last, node.kind in _COMMENTS)
        yield from _of_nodes(text, node.children)
