"""What comments silence in a document, and those of them that silence nothing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.finding import Finding, Severity, order
from llmblocks.core.problem import Problem, ProblemKind
from llmblocks.core.section import Piece, Section
from llmblocks.core.silence import Silence, SilencedCode, Silencing
from llmblocks.rules.catalogue import UNKNOWN_SILENCE, UNUSED_SILENCE
from llmblocks.rules.names import NAMES
from llmblocks.settings.rule_names import code_of

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.sequence import Placed
    from llmblocks.rules.named import Names


class Judged(NamedTuple):
    """What rules find in a document.

    Shape: `found` gives the findings of a section, `names` has those about names. `off` are the codes of the rules
           that the settings turn off, `severities` those of the rules about comments. `counted` says that the document
           counts what `found` gives.
    """

    found: Callable[[Section], Iterable[Finding]]
    names: Names | None
    off: Collection[str]
    severities: Mapping[ProblemKind, Severity]
    counted: bool


class _Reach(NamedTuple):
    """A comment in a document.

    Shape: it silences what begins from `start` up to `end`; `base` is where its piece starts.
    """

    start: int
    end: int
    base: int
    piece: Piece
    silence: Silence


class _Part(NamedTuple):
    """One code of a comment, or all of a comment without codes. Shape: `number` is that of the comment."""

    number: int
    written: SilencedCode | None


class Silences:
    """What is silenced in a document at one moment, until its next edit.

    Shape: `signed` are the pieces with `SIGN` in them. `own` are the findings about comments by piece, places counted
           from its start; `hidden` is the number of silenced findings.
    """

    def __init__(
        self,
        document: Document,
        silencing: Silencing,
        signed: Iterable[Piece],
        judged: Judged,
    ) -> None:
        self.own: dict[Piece, tuple[Finding, ...]] = {}
        self.hidden = 0
        self._document = document
        self._judged = judged
        self._reaches = sorted(_reaches(document, silencing, signed), key=lambda reach: reach.start)
        self._parts: dict[str, list[_Part]] = {}
        self._starts: dict[str, list[int]] = {}
        self._of_file: dict[str, _Part] = {}
        self._used: set[_Part] = set()
        for number, reach in enumerate(self._reaches):
            self._take(number, reach)
        self._spans = _joined(self._reaches)
        self._count()
        self._judge()

    @property
    def count(self) -> int:
        """The number of findings about comments."""
        return sum(map(len, self.own.values()))

    def hides(self, code: str, at: int) -> bool:
        """Whether a finding with this code that begins at a place is silenced."""
        return self._hiding(code, at) is not None

    def touches(self, start: int, end: int) -> bool:
        """Whether a comment silences anything that may begin between two places."""
        if self._of_file:
            return True
        number = bisect_left(self._spans, (end,)) - 1
        return number >= 0 and self._spans[number][1] > start

    def findings(self) -> list[Finding]:
        """The findings about comments in order, places counted from the start of the document."""
        bases = {reach.piece: reach.base for reach in self._reaches}
        return sorted([each.moved(bases[piece]) for piece, found in self.own.items() for each in found], key=order)

    def _take(self, number: int, reach: _Reach) -> None:
        silence = reach.silence
        if silence.unread:
            return
        for written in silence.codes or (None,):
            code = "" if written is None else code_of(written.text, NAMES)
            if code is None:
                continue
            part = _Part(number, written)
            if silence.of_file:
                self._of_file.setdefault(code, part)
            else:
                self._parts.setdefault(code, []).append(part)
                self._starts.setdefault(code, []).append(reach.start)

    def _hiding(self, code: str, at: int) -> _Part | None:
        """What silences a finding: the nearest comment in front of it, or else one for the whole text."""
        best: _Part | None = None
        for length in range(len(code) + 1):
            starts = self._starts.get(code[:length])
            # a later comment reaches as far as an earlier one, or further
            index = bisect_left(starts, at + 1) - 1 if starts else -1
            if index >= 0:
                part = self._parts[code[:length]][index]
                if at < self._reaches[part.number].end and (best is None or part.number >= best.number):
                    best = part
        if best is None and self._of_file:
            best = next(
                (self._of_file[code[:end]] for end in range(len(code), -1, -1) if code[:end] in self._of_file), None
            )
        return best

    def _count(self) -> None:
        names = self._judged.names
        for placed in self._silenced_sections():
            section, start = placed.section, placed.start
            found = self._judged.found(section) if section.finding_count or not self._judged.counted else ()
            places = [(each.code, start + each.start) for each in found]
            if names is not None and not names.by_piece.keys().isdisjoint(section.pieces):
                at = start
                for piece in section.pieces:
                    places += [(each.finding.code, at + each.finding.start) for each in names.by_piece.get(piece, ())]
                    at += piece.length
            for code, at in places:
                part = self._hiding(code, at)
                if part is not None:
                    self.hidden += 1
                    self._used.add(part)

    def _silenced_sections(self) -> Iterator[Placed]:
        """The sections in which something may be silenced."""
        document, names = self._document, self._judged.names
        if self._of_file:
            counted = self._judged.counted
            yield from document.with_findings(names.by_piece if names else ()) if counted else document.placed()
            return
        behind = 0
        for start, end in self._spans:
            # at the end of the text is its last section, which may be behind us
            start = max(start, behind)
            placed: Placed | None = document.section_at(start) if start < len(document) else None
            while placed is not None and placed.start < end:
                yield placed
                behind = placed.start + placed.section.length
                placed = document.sections.after(placed)

    def _judge(self) -> None:
        severities = self._judged.severities
        for number, reach in enumerate(self._reaches):
            found = [
                problem.finding(severities[problem.kind])
                for problem in self._problems(number, reach.silence)
                if problem.kind in severities
            ]
            if found:
                self.own[reach.piece] = (*self.own.get(reach.piece, ()), *found)

    def _problems(self, number: int, silence: Silence) -> Iterator[Problem]:
        place = (silence.start, silence.end)
        if silence.unread:
            yield Problem(UNKNOWN_SILENCE, *place, {"case": "form", "text": silence.unread})
            return
        if not silence.codes:
            if _Part(number, None) not in self._used:
                yield Problem(UNUSED_SILENCE, *place, {"comment": place})
            return
        known = [(each, code_of(each.text, NAMES)) for each in silence.codes]
        unused = [each for each, code in known if code is not None and self._is_unused(_Part(number, each), code)]
        for each, code in known:
            if code is None:
                from llmblocks.settings.rule_names import nearest

                data = {"text": each.text, "near": nearest(each.text, NAMES)}
                yield Problem(UNKNOWN_SILENCE, each.start, each.end, data)
        if len(unused) == len(silence.codes):
            yield Problem(UNUSED_SILENCE, *place, {"comment": place})
            return
        for each in unused:
            yield Problem(UNUSED_SILENCE, each.start, each.end, {"case": "code", "text": each.text})

    def _is_unused(self, part: _Part, code: str) -> bool:
        """Whether a code silences nothing, though a rule that it names is on."""
        return part not in self._used and any(each.startswith(code) for each in NAMES if each not in self._judged.off)


def _reaches(document: Document, silencing: Silencing, signed: Iterable[Piece]) -> Iterator[_Reach]:
    for piece in signed:
        silences = silencing.find(piece)
        address = document.sections.find(piece) if silences else None
        if address is None:
            continue
        placed = document.sections.placed(address.block, address.slot)
        base = placed.start + sum([each.length for each in placed.section.pieces[: address.piece]])
        for silence in silences:
            length = None if silence.of_file else silencing.reach(_pieces(document, placed, address.piece), silence.end)
            yield _Reach(
                base + silence.end, len(document) + 1 if length is None else base + length, base, piece, silence
            )


def _pieces(document: Document, placed: Placed | None, number: int) -> Iterator[Piece]:
    while placed is not None:
        yield from placed.section.pieces[number:]
        placed, number = document.sections.after(placed), 0


def _joined(reaches: Collection[_Reach]) -> list[tuple[int, int]]:
    """The stretches of text in which something is silenced, in order."""
    found: list[tuple[int, int]] = []
    for reach in reaches:
        if reach.silence.of_file or reach.silence.unread:
            continue
        if found and reach.start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], reach.end))
        else:
            found.append((reach.start, reach.end))
    return found
