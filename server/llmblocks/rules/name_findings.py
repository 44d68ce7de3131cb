"""Findings about the names of a document, updated by each edit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.index import Index, Touched
from llmblocks.core.places import Elsewhere, Related, order
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

_MANY = 512
"""So many problems are taken in at a time: those of a whole document are much memory."""


_alike: Callable[[tuple[str, ...]], tuple[str, ...]] = lru_cache(maxsize=256)(tuple)
"""The keys of data: those of most findings are those of others."""


class NameRule(NamedTuple):
    """A rule of a document, with its severity."""

    check: AnyCheck
    severity: Severity


class Anchor:
    """A piece, or the one that has come for it with other text and the same names.

    Shape: `mentions` counts the places in it of findings that are marked at another one.
    """

    __slots__ = ("mentions", "piece")

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.mentions = 0


class Target(NamedTuple):
    """A place that stays where it is in the text, whatever is edited elsewhere. Shape: it counts from its piece."""

    anchor: Anchor
    start: int
    end: int


class NamedFinding(NamedTuple):
    """A finding about a name.

    Shape: its `start` and `end` count from the start of the piece of `anchor`; `elsewhere` are in other files. Its data
           are `values` by their `keys`: of very many findings, a mapping for each is much memory.
    """

    kind: Rule
    severity: Severity
    keys: tuple[str, ...]
    values: tuple[object, ...]
    anchor: Anchor
    start: int
    end: int
    related: tuple[tuple[Target, str], ...]
    elsewhere: tuple[tuple[Elsewhere, str], ...]

    @property
    def finding(self) -> Finding:
        """The finding without its other places. Of thousands, few are shown: it is made anew."""
        data = dict(zip(self.keys, self.values, strict=True))
        return Problem(self.kind, self.start, self.end, data).finding(self.severity)


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
        self._found: dict[Rule, dict[str | Piece, list[NamedFinding]]] = {rule.check.kind: {} for rule in rules}
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
            told = self._move(old, new, is_first=new is change.come[0]) or told
        if touched.names:
            for rule in self._rules:
                told = self._check(rule, rule.check.affected(self.index, touched)) or told
        for piece in change.gone:
            self._anchors.pop(piece, None)
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
                related = tuple([Related(*self.span(other), message) for other, message in each.related])
                placed = each.finding.moved(self.index.start_of(each.anchor.piece))
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
        anchor = self._anchors.get(piece)
        return anchor is not None and anchor.mentions > 0

    def span(self, target: Target) -> tuple[int, int]:
        """The place of a target, in code points from the start of the document."""
        start = self.index.start_of(target.anchor.piece)
        return start + target.start, start + target.end

    def _move(self, old: Piece, new: Piece, *, is_first: bool) -> bool:
        """Let what is in one piece be in another with the same names; says whether a finding elsewhere may show one of
        them at another line or column.

        Shape: `is_first` says that nothing is changed before them.
        """
        anchor = self._anchors.pop(old, None)
        if anchor is None:
            return False
        anchor.piece = new
        self._anchors[new] = anchor
        if old in self.by_piece:
            self.by_piece[new] = self.by_piece.pop(old)
        for found in self._found.values():
            if old in found:
                found[new] = found.pop(old)
        if not anchor.mentions:
            return False
        end = max([each.end for each in self.index.symbols(new)])
        return not is_first or old.text[:end] != new.text[:end]

    def _check(self, rule: NameRule, names: Collection[str | Piece]) -> bool:
        """Judge some names, or pieces, anew; says whether there was, or is, something to tell of them."""
        if not names:
            return False
        found = self._found[rule.check.kind]
        gone = [each for name in names for each in found.pop(name, ())]
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
            (each.anchor.piece, each.finding, each.elsewhere)
            for name in names
            for each in self._found[rule.check.kind].get(name, ())
        ]

    def _add(self, rule: NameRule, problems: Sequence[NamedProblem]) -> None:
        of_rule = self._found[rule.check.kind]
        come: dict[Piece, list[NamedFinding]] = {}
        for problem in problems:
            related = tuple([(self._target(place), message) for place, message in problem.related])
            for target, _ in related:
                target.anchor.mentions += 1
            data, target = problem.data, self._target(problem.place)
            found = NamedFinding(
                problem.kind, rule.severity, _alike((*data,)), (*data.values(),), *target, related, problem.elsewhere
            )
            if not isinstance(problem.key, str):
                # a piece may be judged for what is marked in another one
                self._anchor(problem.key)
            of_rule.setdefault(problem.key, []).append(found)
            come.setdefault(problem.place.piece, []).append(found)
        for piece, several in come.items():
            self.by_piece[piece] = (*self.by_piece.get(piece, ()), *several)
            self.forget(piece)

    def _drop(self, gone: Sequence[NamedFinding]) -> None:
        for found in gone:
            for target, _ in found.related:
                target.anchor.mentions -= 1
        of_gone = {*map(id, gone)}
        for piece in {found.anchor.piece for found in gone}:
            self.forget(piece)
            left = tuple([each for each in self.by_piece.pop(piece) if id(each) not in of_gone])
            if left:
                self.by_piece[piece] = left

    def _anchor(self, piece: Piece) -> Anchor:
        anchor = self._anchors.get(piece)
        if anchor is None:
            anchor = self._anchors[piece] = Anchor(piece)
        return anchor

    def _target(self, place: PlacedSymbol) -> Target:
        return Target(self._anchor(place.piece), place.symbol.start, place.symbol.end)


def _nobody(_: object) -> None:
    """No other document depends on the names of this one, and nobody remembers its findings."""
