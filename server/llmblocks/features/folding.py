"""What can be folded away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from llmblocks.core.nest import Nesting, Node, nest
from llmblocks.core.section import Section
from llmblocks.features.ask import Ask

_COMMENTS = frozenset(("comment",))


class Fold(NamedTuple):
    """Shape: lines count from 0, as editors count them: a lone `\\r` ends one too. The first one stays visible."""

    start_line: int
    end_line: int
    comment: bool


def folding(ask: Ask) -> list[Fold]:
    """The calls, arguments, messages, blocks and comments that are longer than a line, in order."""
    find = _Folds(ask.language.nesting)
    found: list[Fold] = []
    running: int | None = None  # the number of the fold that goes on over the sections inside it
    for placed in ask.document.placed():
        line = placed.line + placed.returns
        parts = placed.section.remember(find)
        if running is not None and not parts.begins and parts.last is not None:
            found[running] = found[running]._replace(end_line=line + parts.last)
        if parts.begins or parts.ends:
            running = None
        if parts.runs:
            running = len(found)
        for first, last, comment in parts.folds:
            found.append(Fold(first + line, last + line, comment))
    return [fold for fold in found if fold.end_line > fold.start_line]


class _Parts(NamedTuple):
    """The folds of one section, lines counted from its start.

    Shape: `runs` says that the first one goes on behind it; `begins` that what ran before it does not reach into it,
           `ends` that it ends there, on the line `last`, which is the last one that is not blank.
    """

    folds: tuple[Fold, ...]
    runs: bool
    begins: bool
    ends: bool
    last: int | None


class _Folds:
    """Finds the folds of a section. Equal for equal nestings, so its result is remembered."""

    __slots__ = ("_nesting",)

    def __init__(self, nesting: Nesting) -> None:
        self._nesting = nesting

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Folds) and other._nesting is self._nesting

    def __hash__(self) -> int:
        return id(self._nesting)

    def __call__(self, section: Section) -> _Parts:
        nesting, text = self._nesting, section.text
        nodes = nest(section, nesting)
        kinds = [token.kind for token in section.tokens]
        first = next((kind for kind in kinds if kind not in nesting.leads), None)
        last = _breaks(text, 0, len(text.rstrip())) if not text.isspace() else None
        runs = bool(nodes) and nodes[0].kind in nesting.runs and not nodes[0].closed
        folds = tuple(
            fold
            for number, fold in enumerate(_of_nodes(text, nodes))
            if fold.end_line > fold.start_line or (runs and not number)
        )
        ends = any(nesting.closes.get(kind) in nesting.runs for kind in kinds)
        return _Parts(folds, runs, first in nesting.breaks, ends, last)


def _of_nodes(text: str, nodes: tuple[Node, ...]) -> Iterator[Fold]:
    for node in nodes:
        first = _breaks(text, 0, node.start)
        # blank lines at the end stay visible, or two folds would hide what separates them
        end = node.start + len(text[node.start : node.end].rstrip())
        last = first + _breaks(text, node.start, end)
        yield Fold(first, last, node.kind in _COMMENTS)
        yield from _of_nodes(text, node.children)


def _breaks(text: str, start: int, end: int) -> int:
    """How many lines end between two places. Neither is inside of a `\\r\\n`."""
    return text.count("\n", start, end) + text.count("\r", start, end) - text.count("\r\n", start, end)
