"""What comments silence in a document, and those of them that silence nothing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from llmblocks.core.document import Document
from llmblocks.core.places import order
from llmblocks.core.rescan import Change
from llmblocks.core.section import Piece, Section
from llmblocks.core.sequence import Placed
from llmblocks.facts.finding import Finding
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity
from llmblocks.facts.silence import Silence, Silencing
from llmblocks.rules.reaches import joined, reaches
from llmblocks.rules.silenced_codes import SilencedCodes, SilencingPart
from llmblocks.settings.rule_names import NAMES, code_of, nearest
from llmblocks.settings.rules import UNKNOWN_IGNORE, UNUSED_IGNORE

if TYPE_CHECKING:
    from llmblocks.rules.name_findings import NameFindings


class JudgedDocument(NamedTuple):
    """The findings of rules in a document.

    Shape: `found` gives the findings of a section, `names` has those about names. `off` are the codes of the rules
           that the settings turn off, `severities` those of the rules about comments. `counted` says that the document
           counts what `found` gives. `comments` gives those of a piece.
    """

    found: Callable[[Section], Iterable[Finding]]
    names: NameFindings | None
    off: Collection[str]
    severities: Mapping[Rule, Severity]
    counted: bool
    comments: Callable[[Piece], Iterable[Silence]]


Followed = Literal["same", "judged", "lost"]
"""What an edit has done to silences: nothing is told of the comments that was not told before, or they are judged anew,
or all must be looked at again."""


class _Reached(NamedTuple):
    """A section that comments for a part of the text reach.

    Shape: `start` is where it began when the comments were looked at, or where the one that it has replaced did.
           `alike` says that no comment begins or stops to reach in it: the start then stands for all of its places.
    """

    start: int
    alike: bool


class Silences:
    """The silenced parts of a document at one moment; `follow` applies edits.

    Shape: `signed` are the pieces with comments. `_reached` are the sections that comments for a part of the text
           reach. `own` are the findings about comments by piece, places counted from its start; `hidden` is the number
           of silenced findings.
    """

    def __init__(
        self, document: Document, silencing: Silencing, signed: Iterable[Piece], judged: JudgedDocument
    ) -> None:
        self.own: dict[Piece, tuple[Finding, ...]] = {}
        self.hidden = 0
        self._document = document
        self._judged = judged
        self._ends = silencing.ends
        self._reaches = reaches(document, silencing, signed, judged.comments)
        self._codes = SilencedCodes(self._reaches)
        self._uses: Counter[SilencingPart] = Counter()
        self._uses_in: dict[Section, Counter[SilencingPart]] = {}
        self._reached: dict[Section, _Reached] = {}
        self._behind: set[Piece] = set()
        self._spans = joined(self._reaches)
        for placed in self._silenced_sections():
            uses = self._taken_in(placed.section, placed.start)
            self._uses.update(uses)
            self.hidden += uses.total()
        self._judge()

    @property
    def count(self) -> int:
        """The number of findings about comments."""
        return sum(map(len, self.own.values()))

    def hides(self, code: str, at: int) -> bool:
        """Whether a finding with this code that begins at a place is silenced, before any edit."""
        return self._codes.at(code, at) is not None

    def hides_in(self, section: Section, code: str, offset: int) -> bool:
        """Whether a finding with this code that begins at an offset of a section is silenced."""
        reached = self._reached.get(section)
        if reached is None:
            return self._codes.of_file(code) is not None
        return self._codes.at(code, reached.start if reached.alike else reached.start + offset) is not None

    def touches(self, section: Section, start: int, end: int) -> bool:
        """Whether a comment silences anything that may begin between two offsets of a section."""
        if self._codes.has_of_file:
            return True
        reached = self._reached.get(section)
        if reached is None or reached.alike:
            return reached is not None
        number = bisect_left(self._spans, (reached.start + end,)) - 1
        return number >= 0 and self._spans[number][1] > reached.start + start

    def findings(self) -> list[Finding]:
        """The findings about comments in order, places counted from the start of the document."""
        bases = {reach.piece: reach.base for reach in self._reaches}
        return sorted([each.moved(bases[piece]) for piece, found in self.own.items() for each in found], key=order)

    def follow(self, change: Change) -> Followed:
        """Take in an edit that changes no comment, and no finding about names."""
        if not self._reached.keys().isdisjoint(change.removed):
            return self._follow_reached(change)
        if change.gone[0] in self._behind and not _begin_alike(change.gone, change.come):
            # what ends the reach of a comment is on this line
            return "lost"
        return self._count_again(change, None) if self._codes.has_of_file else "same"

    def _follow_reached(self, change: Change) -> Followed:
        """The same where a comment reaches: an edit that has nothing to do with ends of a reach."""
        if not self._reached.keys() >= {*change.removed} or any(map(self._ends, (*change.gone, *change.come))):
            return "lost"
        places = {self._reached.pop(section) for section in change.removed}
        place = places.pop()
        if not places and place.alike:
            self._reached.update(dict.fromkeys(change.added, place))
            return self._count_again(change, place.start)
        if not self._uses_in.keys().isdisjoint(change.removed) or any(map(self._has_findings, change.added)):
            # something in here is silenced, and something else is not
            return "lost"
        self._reached.update(dict.fromkeys(change.added, place._replace(alike=False)))
        return "same"

    def _count_again(self, change: Change, place: int | None) -> Followed:
        """Count what is silenced in the new sections.

        Shape: `place` stands for all places in them, None where only comments for the whole text count.
        """
        none: Counter[SilencingPart] = Counter()
        before = sum([self._uses_in.pop(section, none) for section in change.removed], none)
        now = sum([self._taken_in(section, place, alike=True) for section in change.added], none)
        self.hidden += now.total() - before.total()
        concerned = before.keys() | now.keys()
        used = concerned & self._uses.keys()
        self._uses.update(now)
        self._uses.subtract(before)
        for part in concerned:
            if not self._uses[part]:
                del self._uses[part]
        if used == concerned & self._uses.keys():
            return "same"
        # a comment has its first use, or has lost its last
        self._judge()
        return "judged"

    def _has_findings(self, section: Section) -> bool:
        names = self._judged.names
        return section.finding_count > 0 or (names is not None and names.are_in(section))

    def _taken_in(self, section: Section, start: int | None, *, alike: bool = False) -> Counter[SilencingPart]:
        """What is silenced in a section.

        Shape: without a start, only comments for the whole text count; `alike` says that it stands for all places.
        """
        judged, names, at = self._judged, self._judged.names, 0
        found = judged.found(section) if section.finding_count or not judged.counted else ()
        places = [(each.code, each.start) for each in found]
        if names is not None and names.are_in(section):
            for piece in section.pieces:
                places += [(each.finding.code, at + each.finding.start) for each in names.by_piece.get(piece, ())]
                at += piece.length
        uses: Counter[SilencingPart] = Counter()
        for code, at in places:
            part = self._codes.of_file(code) if start is None else self._codes.at(code, start if alike else start + at)
            if part is not None:
                uses[part] += 1
        if uses:
            self._uses_in[section] = uses
        return uses

    def _silenced_sections(self) -> Iterator[Placed]:
        """The sections in which something may be silenced."""
        document, names, counted = self._document, self._judged.names, self._judged.counted
        reached = [*self._reached_sections()]
        ends = sorted([place for each in self._reaches if each.silence.of_part for place in (each.start, each.end)])
        for section, start, *_ in reached:
            alike = bisect_right(ends, start) == bisect_right(ends, start + section.length)
            self._reached[section] = _Reached(start, alike)
        if self._codes.has_of_file:
            yield from document.with_findings(names.by_piece if names else ()) if counted else document.placed()
        else:
            yield from reached

    def _reached_sections(self) -> Iterator[Placed]:
        """The sections that comments for a part of the text reach."""
        document, behind = self._document, 0
        for start, end in self._spans:
            # at the end of the text is its last section, which may be behind us
            start = max(start, behind)
            for placed in document.onward(start) if start < len(document) else ():
                if placed.start >= end:
                    self._behind.add(placed.section.pieces[0])
                    break
                yield placed
                behind = placed.start + placed.section.length

    def _judge(self) -> None:
        severities = self._judged.severities
        own: dict[Piece, list[Finding]] = {}
        for number, reach in enumerate(self._reaches):
            for problem in self._problems(number, reach.silence):
                if problem.kind in severities:
                    own.setdefault(reach.piece, []).append(problem.finding(severities[problem.kind]))
        self.own = {piece: (*found,) for piece, found in own.items()}

    def _problems(self, number: int, silence: Silence) -> Iterator[Problem]:
        place = (silence.start, silence.end)
        if silence.unread:
            yield Problem(UNKNOWN_IGNORE, *place, {"case": "form", "text": silence.unread, "near": silence.remedy})
            return
        if not silence.codes:
            if SilencingPart(number, None) not in self._uses:
                yield Problem(UNUSED_IGNORE, *place, {"comment": place})
            return
        known = [(each, code_of(each.text)) for each in silence.codes]
        unused = [
            each for each, code in known if code is not None and self._is_unused(SilencingPart(number, each), code)
        ]
        for each, code in known:
            if code is None:
                data = {"text": each.text, "near": nearest(each.text)}
                yield Problem(UNKNOWN_IGNORE, each.start, each.end, data)
        if len(unused) == len(silence.codes):
            yield Problem(UNUSED_IGNORE, *place, {"comment": place})
            return
        for each in unused:
            yield Problem(UNUSED_IGNORE, each.start, each.end, {"case": "code", "text": each.text})

    def _is_unused(self, part: SilencingPart, code: str) -> bool:
        """Whether a code silences nothing, though a rule that it names is on."""
        return part not in self._uses and any(each.startswith(code) for each in NAMES if each not in self._judged.off)


def _begin_alike(old: Sequence[Piece], new: Sequence[Piece]) -> bool:
    """Whether the first line of some pieces is that of others."""
    one, other = [pieces[0].text.partition("\n")[0] if pieces else None for pieces in (old, new)]
    return one == other
