"""Code lenses of gadget calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from llmblocks.core.finding import Finding
from llmblocks.core.index import Index
from llmblocks.core.lens import Lenses, LensPlace, ProblemLens
from llmblocks.core.markup import shortened
from llmblocks.core.section import Piece, Section
from llmblocks.core.severity import Severity
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.near_call import NearCall, call_near
from llmblocks.gadget.editor.waves import turn_of
from llmblocks.gadget.syntax import catalogue

_LONGEST = 80
_REJECTED: Final = frozenset(
    kind.code
    for kind in (
        catalogue.MISSING_GADGET_NAME,
        catalogue.DUPLICATE_POINTER,
        catalogue.ARRAY_INDEX_GAP,
        catalogue.INVALID_ARRAY_INDEX,
        catalogue.POINTER_CONFLICT,
        catalogue.UNSAFE_POINTER,
        catalogue.POINTER_TOO_DEEP,
        catalogue.UNKNOWN_GADGET,
        catalogue.MISSING_PARAMETER,
        catalogue.WRONG_TYPE,
        catalogue.NOT_AN_ALLOWED_VALUE,
        catalogue.CONSTRAINT_VIOLATED,
    )
)
"""The problems for which the runtime gives an error instead of running the gadget."""
_WAITING: Final = frozenset(
    kind.code for kind in (catalogue.UNKNOWN_DEPENDENCY, catalogue.DEPENDENCY_CYCLE, catalogue.SELF_DEPENDENCY)
)
"""The problems for which a call may wait for ever."""


def _places(piece: Piece) -> tuple[LensPlace, ...]:
    found = []
    at = start = header = 0
    for kind, width in piece.tokens:
        if kind is kinds.START:
            start, header = at, at + width
        elif kind is kinds.HEADER_END:
            found.append(LensPlace(start, ":" in piece.text[header:at]))
        at += width
    return (*found,)


def _order(section: Section, offset: int, index: Callable[[], Index]) -> str | None:
    near = call_near(section, offset)
    if near is None or not 0 <= offset - near.start - near.at <= len(near.header):
        return None
    turn = turn_of(index(), near.piece, near.at)
    if turn is None:
        return "run order not known"
    return f"runs in wave {turn.wave}" if turn.wave else shortened(f"never runs: {turn.message}", _LONGEST)


def _problems(
    section: Section, start: int, findings: Iterable[Finding], index: Callable[[], Index]
) -> list[ProblemLens]:
    calls: dict[int, tuple[NearCall, list[Finding]]] = {}
    for finding in findings:
        near = call_near(section, finding.start - start + 1) if finding.code.startswith("G") else None
        if near is not None:
            calls.setdefault(near.start + near.at, (near, []))[1].append(finding)
    found = []
    for at, (near, own) in calls.items():
        verdict = _verdict(near, {each.code for each in own}, index)
        count = sum(each.severity <= Severity.WARNING for each in own)
        if verdict and count:
            problems = f"{count} problem{'' if count == 1 else 's'}"
            found.append(ProblemLens(at, f"{problems}: the runtime {verdict} this call"))
    return found


def _verdict(near: NearCall, codes: set[str], index: Callable[[], Index]) -> str:
    if codes & _REJECTED:
        return "rejects"
    if codes & _WAITING:
        turn = turn_of(index(), near.piece, near.at)
        return "never runs" if turn is not None and not turn.wave else ""
    return ""


LENSES: Final[Lenses] = Lenses(_places, _order, _problems)
