"""The checker: it runs the rules of a language and its settings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import merge
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from llmblocks.core.document import Document
from llmblocks.core.index import Index
from llmblocks.core.other_files import ALONE, OtherFiles
from llmblocks.core.places import order
from llmblocks.core.query import Query, Summary
from llmblocks.core.section import Piece, Section
from llmblocks.core.tree import Measure
from llmblocks.facts.problem import Stated, counted, problems_of
from llmblocks.facts.sign import SIGNS
from llmblocks.languages.language import Language
from llmblocks.rules.name_findings import NameFindings, NameRule
from llmblocks.rules.severities import severity_of
from llmblocks.settings.rules import COMMENT_RULES
from llmblocks.settings.values import Settings

if TYPE_CHECKING:
    from llmblocks.facts.finding import Finding
    from llmblocks.facts.silence import Silence
    from llmblocks.rules.silences import Silences


_FEW: Final = 8
"""So many places are sooner found one by one than by a walk over all pieces."""


class PieceFindings(NamedTuple):
    """A piece of a section that has findings.

    Shape: `before` is what is in front of it. `stated` are the problems there that only the section shows, with places
           in that: the same object for as long as the section is.
    """

    piece: Piece
    before: Measure
    stated: Sequence[Stated]


@lru_cache(maxsize=16)
def checker_of(language: Language, settings: Settings) -> Checker:
    """The checker for a language and settings, made once: making it costs a fifth of the check of a short text."""
    return Checker(language, settings)


def check_text(language: Language, settings: Settings, text: str, other_files: OtherFiles = ALONE) -> Iterator[Finding]:
    """The findings of a text in order. See `Checker.names` for `other_files`."""
    checker = checker_of(language, settings)
    return checker.all(language.open(text, settings, checker.count_findings), other_files)


class Checker:
    """The rules of one language and one user, applied section by section.

    Shape: `local` are the findings of a piece, `counted` is their number in neighbouring pieces. `in_section` are the
           problems that only a section shows, by the number of the piece.

    A document counts its findings, and creates those that somebody asks for.

    One `Checker` is made for each set of settings, and kept: its answers are remembered on the sections.
    """

    __slots__ = (
        "_comments",
        "_count",
        "_facts",
        "_found",
        "_language",
        "_of_names",
        "_of_silences",
        "_off",
        "_severities",
        "_silencing",
        "counted",
        "in_section",
        "local",
    )

    def __init__(self, language: Language, settings: Settings) -> None:
        self._language = language
        facts = [layer.facts(settings) for layer in language.loaded if layer.facts is not None]
        if any(tag.content is not None for tag in settings.declared_tags):
            from llmblocks.rules.languages_in_blocks import facts_of_blocks

            facts += facts_of_blocks(language, settings, lambda inner, text: check_text(inner, settings, text))
        self._facts = tuple(facts)
        checks = [check for layer in language.loaded for check in layer.checks]
        kinds = [kind for facts in self._facts for kind in facts.kinds] + [check.kind for check in checks]
        if language.repeats:
            # a runtime wrote the text: where something looks unfinished, nobody can mend it there
            kinds = [kind for kind in kinds if not kind.unfinished]
        chosen = {kind: severity_of(kind, settings) for kind in kinds}
        self._severities = {kind: severity for kind, severity in chosen.items() if severity is not None}
        self._off = {kind.code for kind, severity in chosen.items() if severity is None}
        self._of_names = tuple(
            [NameRule(check, self._severities[check.kind]) for check in checks if check.kind in self._severities]
        )
        self._of_silences = {
            kind: severity for kind in COMMENT_RULES if (severity := severity_of(kind, settings)) is not None
        }
        self._silencing = language.loaded[0].silencing
        self._comments: Query[Piece, tuple[Silence, ...]] = Query("comments that silence", self._comments_of_piece)
        self.local: Query[Piece, tuple[Finding, ...]] = Query("findings of a piece", self._of_piece, lasting=True)
        self._count: Query[Piece, int] = Query("number of findings of a piece", self._count_of_piece)
        self.counted: Summary[int] = Summary("number of findings of pieces", self._count, sum)
        self.in_section: Query[Section, dict[int, list[Stated]]] = Query(
            "problems that only a section shows", self._by_piece, lasting=True
        )
        self._found: Query[Section, tuple[PieceFindings, ...]] = Query(
            "findings", lambda section: (*self._walk(section),), lasting=True
        )

    def __call__(self, section: Section) -> list[Finding]:
        """The findings of one section in the order of their places, counted from its start."""
        return [finding for each in self.found(section) for finding in self.in_piece(each, each.before.length)]

    def found(self, section: Section) -> tuple[PieceFindings, ...]:
        """The pieces of a section that have findings, in order."""
        return self._found(section) if section.is_long else (*self._walk(section),)

    def _walk(self, section: Section) -> Iterator[PieceFindings]:
        stated = self.in_section(section)
        has_findings: Callable[[Any], object] = self.counted if section.is_long else self.local
        for piece, before in section.where(has_findings, sorted(stated)):
            yield PieceFindings(piece, before, stated.get(before.leaves, ()))

    def in_piece(self, found: PieceFindings, start: int) -> list[Finding]:
        """The findings in a piece in order, places counted from the start of its section, in which it is at `start`."""
        local = self.local(found.piece)
        every = [finding.moved(start) for finding in local] if start else [*local]
        every += self._findings(found.stated)
        return sorted(every, key=order) if found.stated else every

    def count_findings(self, section: Section) -> int:
        """The number of a section's findings, for `Document`."""
        wanted = self._severities
        if section.is_long:
            stated = self.in_section(section).values()
            return self.counted(section.pieces) + counted(chain.from_iterable(stated), wanted)
        count = self._count_of_piece(section.pieces[0])
        for facts in self._facts:
            count += counted(facts.in_section(section), wanted)
        return count

    def names(self, document: Document, other_files: OtherFiles = ALONE) -> NameFindings | None:
        """The findings about the names of a document; None if no rule needs them.

        Shape: `other_files` are the other files of its session.
        """
        if self._language.repeats or not self._of_names:
            return None
        index = Index(document.sections, self._language.symbols, other_files)
        return NameFindings(document, index, self._of_names)

    def silences(self, document: Document, signed: Collection[Piece], names: NameFindings | None) -> Silences | None:
        """The silenced parts of a document, now. Shape: `signed` are all of its pieces that `signed` gives."""
        if not signed or self._silencing is None:
            return None
        from llmblocks.rules.silences import JudgedDocument, Silences

        counted = document.counts(self.count_findings)
        judged = JudgedDocument(self, names, self._off, self._of_silences, counted, self._comments)
        return Silences(document, self._silencing(), signed, judged)

    def signed(self, pieces: Iterable[Piece]) -> list[Piece]:
        """Those pieces that have comments that silence something, or look like it."""
        if self._silencing is None:
            return []
        one, two, three = SIGNS
        found = (piece for piece in pieces if one in (text := piece.text) or two in text or three in text)
        return [piece for piece in found if self._comments(piece)]

    def all(self, document: Document, other_files: OtherFiles = ALONE) -> Iterator[Finding]:
        """The findings of a whole document in order, places counted from its start. See `names` for `other_files`."""
        names = self.names(document, other_files)
        silences = self.silences(document, self.signed(document.pieces()), names)
        # a document that counts our findings knows the sections without any
        counted = document.counts(self.count_findings)
        if counted and silences is None and not document.sections.finding_count:
            return iter(names.findings() if names else ())
        all_placed = document.with_findings() if counted else document.placed()
        of_sections = (finding.moved(placed.start) for placed in all_placed for finding in self(placed.section))
        found = merge(of_sections, names.findings() if names else (), key=order)
        if silences is None:
            return found
        left = (finding for finding in found if not silences.hides(finding.code, finding.start))
        return merge(left, silences.findings(), key=order)

    def _comments_of_piece(self, piece: Piece) -> tuple[Silence, ...]:
        from llmblocks.rules.reaches import comments_of

        assert self._silencing is not None, "the outermost format has comments"
        inner = [layer.silencing() for layer in self._language.loaded[1:] if layer.silencing is not None]
        return comments_of(piece, self._silencing(), inner)

    def _of_piece(self, piece: Piece) -> tuple[Finding, ...]:
        found = [finding for facts in self._facts for finding in self._findings(facts.in_lines(piece))]
        if len(found) > 1:
            found.sort(key=order)
        return (*found,)

    def _findings(self, stated: Iterable[Stated]) -> Iterator[Finding]:
        severities = self._severities
        for problem in problems_of(stated):
            if problem.kind in severities:
                yield problem.finding(severities[problem.kind])

    def _by_piece(self, section: Section) -> dict[int, list[Stated]]:
        """What only the section shows, by the number of the piece."""
        wanted = self._severities.keys()
        every: list[Stated] = [
            stated
            for facts in self._facts
            for stated in facts.in_section(section)
            if not wanted.isdisjoint(stated.kinds)
        ]
        if not section.is_long:
            # a short section is its piece, to which those that are created later refer: it would be a cycle
            every = [problem for problem in problems_of(every) if problem.kind in wanted]
        ends = [*accumulate([piece.length for piece in section.pieces])] if len(every) > _FEW else ()
        found: dict[int, list[Stated]] = {}
        for stated in every:
            start = stated.start
            number = min(bisect_right(ends, start), len(ends) - 1) if ends else section.piece_at(start)[0]
            found.setdefault(number, []).append(stated)
        return found

    def _count_of_piece(self, piece: Piece) -> int:
        count, wanted = 0, self._severities
        for facts in self._facts:
            count += counted(facts.in_lines(piece), wanted)
        return count
