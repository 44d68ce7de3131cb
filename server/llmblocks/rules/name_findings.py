"""Findings about the names of a document, updated by each edit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from llmblocks.core.index import Index, Touched
from llmblocks.core.places import Related, order
from llmblocks.core.symbol_order import PlacedSymbol
from llmblocks.facts.name_checks import AnyCheck, NamedProblem
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.rescan import Change
    from llmblocks.core.section import Piece, Section
    from llmblocks.facts.finding import Finding

_Key = TypeVar("_Key")
_MANY = 512
"""So many problems are taken in at a time: those of a whole document are much memory."""


_alike: Callable[[tuple[str, ...]], tuple[str, ...]] = lru_cache(maxsize=256)(tuple)
"""The keys of data: those of most findings are those of others."""


class NameRule(NamedTuple):
    """A rule of a document, with its severity."""

    check: AnyCheck
    severity: Severity


class Anchor:
    """A piece that findings at other places mention, or the one that has come for it with the same names.

    Shape: `mentions` counts the places in it that they mention.
    """

    __slots__ = ("mentions", "piece")

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.mentions = 0


class Target(NamedTuple):
    """A place that stays where it is in the text, whatever is edited elsewhere, and what is said of it.

    Shape: it counts from its piece.
    """

    anchor: Anchor
    start: int
    end: int
    message: str


class NamedFinding:
    """A finding about a name.

    Shape: it is marked in `piece`, or later in the one that has come for it with the same names; `start` and `end`
           count from there. `elsewhere` are in other files. Its data are `values` by their `keys`: of very many
           findings, a mapping for each is much memory.
    """

    __slots__ = ("elsewhere", "end", "keys", "piece", "related", "rule", "start", "values")

    def __init__(
        self, rule: NameRule, problem: NamedProblem, values: tuple[object, ...], related: tuple[Target, ...]
    ) -> None:
        self.rule = rule
        self.piece, symbol = problem.place
        self.start, self.end = symbol.start, symbol.end
        self.keys = _alike((*problem.data,))
        self.values = values
        self.related = related
        self.elsewhere = problem.elsewhere

    @property
    def finding(self) -> Finding:
        """The finding without its other places. Of thousands, few are shown: it is made anew."""
        data = dict(zip(self.keys, self.values, strict=True))
        return Problem(self.rule.check.kind, self.start, self.end, data).finding(self.rule.severity)


class NameFindings:
    """The findings of a document that its index shows.

    Shape: `by_piece` are those that are marked in a piece, in no order, the same object as long as they are the same;
           `count` is the number of all. `follow` is called after an edit: with the names that it has touched, by kind.
           `forget` is called with each piece whose findings come or go.
    """

    def __init__(self, document: Document, index: Index, rules: tuple[NameRule, ...]) -> None:
        self.by_piece: dict[Piece, tuple[NamedFinding, ...]] = {}
        self.count = 0
        self.follow: Callable[[Mapping[str, set[str]]], None] = _nobody
        self.forget: Callable[[Piece], None] = _nobody
        self.index = index
        self._document = document
        self._rules = rules
        self._found: dict[Rule, dict[str | Piece, tuple[NamedFinding, ...]]] = {rule.check.kind: {} for rule in rules}
        self._anchors: dict[Piece, Anchor] = {}
        touched = index.all()
        for rule in rules:
            self._check(rule, rule.check.affected(index, touched))

    def note(self, change: Change) -> bool:
        """Register an edit of the document; says whether a finding may change.

        Those that are marked in what was edited do not count: they are where they were in it.
        """
        touched = self.index.note(change)
        told = False
        for old, new in touched.replaced:
            told = self._move(old, new, is_first=old is change.gone[0] and new is change.come[0]) or told
        if touched.names:
            for rule in self._rules:
                told = self._check(rule, rule.check.affected(self.index, touched)) or told
        self.follow(touched.names)
        return told

    def other_files_changed(self, names: Mapping[str, set[str]] | None = None) -> bool:
        """Check names again, by kind, because other files have changed; says whether a finding changes.

        Shape: None stands for all names.
        """
        touched = self.index.all() if names is None else Touched({**names})
        told = False
        for rule in self._rules:
            if rule.check.across_files:
                told = self._judge_again(rule, [*rule.check.affected(self.index, touched)]) or told
        return told

    def places_moved(self, files: Collection[str]) -> bool:
        """Look again for the places in some other files; says whether a finding changes."""
        told = False
        for rule in self._rules:
            names = [
                name
                for name, findings in self._found[rule.check.kind].items()
                if any(place.file in files for each in findings for place, _ in each.elsewhere)
            ]
            told = self._judge_again(rule, names) or told
        return told

    def _judge_again(self, rule: NameRule, names: Collection[str | Piece]) -> bool:
        """Judge some names anew where this document is the same; says whether anything is told differently."""
        before = self._told(rule, names)
        self._check(rule, names)
        return before != self._told(rule, names)

    def findings(self) -> list[Finding]:
        """All of them in order, places counted from the start of the document."""
        found = []
        for findings in self.by_piece.values():
            for each in findings:
                related = tuple([Related(*self.span(other), other.message) for other in each.related])
                placed = each.finding.moved(self.index.start_of(each.piece))
                found.append(placed.with_places(related, each.elsewhere))
        return sorted(found, key=order)

    def are_in(self, section: Section) -> bool:
        """Whether a section has some."""
        found = self.by_piece
        return bool(found) and not found.keys().isdisjoint(self.index.pieces_with_symbols(section.pieces))

    def numbers(self, section: Section) -> list[int]:
        """The numbers of the pieces of a section that have some."""
        found, named = self.by_piece.keys(), self.index.pieces_with_symbols
        return [before.leaves for _, before in section.where(lambda part: not found.isdisjoint(named(part)))]

    def is_mentioned(self, piece: Piece) -> bool:
        """Whether a finding is marked at another piece and names a place in this one."""
        return piece in self._anchors

    def span(self, target: Target) -> tuple[int, int]:
        """The place of a target, in code points from the start of the document."""
        start = self.index.start_of(target.anchor.piece)
        return start + target.start, start + target.end

    def _move(self, old: Piece, new: Piece, *, is_first: bool) -> bool:
        """Let what is in one piece be in another with the same names; says whether a finding elsewhere may show one of
        them at another line or column.

        Shape: `is_first` says that nothing is changed before them.
        """
        if old in self.by_piece:
            self.by_piece[new] = self.by_piece.pop(old)
            for each in self.by_piece[new]:
                each.piece = new
        for found in self._found.values():
            if old in found:
                found[new] = found.pop(old)
        anchor = self._anchors.pop(old, None)
        if anchor is None:
            return False
        anchor.piece = new
        self._anchors[new] = anchor
        end = max([each.end for each in self.index.symbols(new)])
        return not is_first or old.text[:end] != new.text[:end]

    def _check(self, rule: NameRule, names: Collection[str | Piece]) -> bool:
        """Judge some names, or pieces, anew; says whether there was, or is, something to tell of them."""
        if not names:
            return False
        found = self._found[rule.check.kind]
        gone = {each for name in names for each in found.pop(name, ())}
        self._drop(gone)
        come, problems = 0, iter(rule.check.check(self.index, names))
        while some := [*islice(problems, _MANY)]:
            self._add(rule, some)
            come += len(some)
        self.count += come - len(gone)
        return bool(gone or come)

    def _told(self, rule: NameRule, names: Collection[str | Piece]) -> list[tuple[Piece, Finding, Sequence[object]]]:
        """All that is told of some names, apart from places in this document."""
        return [
            (each.piece, each.finding, each.elsewhere)
            for name in names
            for each in self._found[rule.check.kind].get(name, ())
        ]

    def _add(self, rule: NameRule, problems: Sequence[NamedProblem]) -> None:
        by_key: dict[str | Piece, list[tuple[NamedFinding]]] = {}
        by_piece: dict[Piece, list[tuple[NamedFinding]]] = {}
        values: tuple[object, ...] = ()
        for problem in problems:
            related = tuple([self._target(*each) for each in problem.related])
            come = (*problem.data.values(),)
            # of very many findings, those of neighbours are often the same
            values = values if come == values else come
            # alone at its place and by its key, it is in the same tuple
            found = (NamedFinding(rule, problem, values, related),)
            by_key.setdefault(problem.key, []).append(found)
            by_piece.setdefault(problem.place.piece, []).append(found)
        _join(self._found[rule.check.kind], by_key)
        _join(self.by_piece, by_piece)
        for piece in by_piece:
            self.forget(piece)

    def _drop(self, gone: set[NamedFinding]) -> None:
        for anchor in [target.anchor for found in gone for target in found.related]:
            anchor.mentions -= 1
            if not anchor.mentions:
                del self._anchors[anchor.piece]
        for piece in {found.piece for found in gone}:
            self.forget(piece)
            left = tuple([each for each in self.by_piece.pop(piece) if each not in gone])
            if left:
                self.by_piece[piece] = left

    def _target(self, place: PlacedSymbol, message: str) -> Target:
        piece, symbol = place
        anchor = self._anchors.get(piece)
        if anchor is None:
            anchor = self._anchors[piece] = Anchor(piece)
        anchor.mentions += 1
        return Target(anchor, symbol.start, symbol.end, message)


def _join(found: dict[_Key, tuple[NamedFinding, ...]], come: Mapping[_Key, Sequence[tuple[NamedFinding]]]) -> None:
    """Add findings to those that are found by the same key. One that is alone stays in its tuple."""
    for key, several in come.items():
        there = found.get(key, ())
        found[key] = several[0] if len(several) == 1 and not there else (*there, *chain.from_iterable(several))


def _nobody(_: object) -> None:
    """No other document depends on the names of this one, and nobody remembers its findings."""
