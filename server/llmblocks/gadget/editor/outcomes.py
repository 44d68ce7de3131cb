"""Problems that a session shows: calls that failed, were skipped, or repeat a failed call."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from llmblocks.contract.other_files import CallOutcome, other_files
from llmblocks.core.index import Index, Touched
from llmblocks.core.symbol import PlacedSymbol
from llmblocks.facts.name_checks import NameCheck, NamedProblem
from llmblocks.facts.rule import Rule
from llmblocks.gadget.editor.calls import INVOCATION, NUMBERED
from llmblocks.gadget.editor.dependencies import dependencies_of, given_until, number_of
from llmblocks.gadget.rules import FAILED_CALL, REPEATED_FAILURE, SKIPPED_CALL

_Of = Callable[[Index, str, PlacedSymbol, CallOutcome], Iterator[NamedProblem]]
_UNNAMED = ""
"""The key of problems of calls without ids."""


def _affected(index: Index, touched: Touched) -> Collection[str]:
    names = touched.names.get(INVOCATION, set())
    if NUMBERED in touched.names or any(map(number_of, names)):
        # adding or removing an unnamed call renumbers later ones
        numbered = filter(number_of, index.names("definition", INVOCATION))
        return {*names, *numbered, _UNNAMED}
    return names


def _check(of: _Of) -> Callable[[Index, Iterable[str]], Iterator[NamedProblem]]:
    """Return the check of names, given the check of one call."""

    def check(index: Index, names: Iterable[str]) -> Iterator[NamedProblem]:
        others = other_files(index)
        if not others.is_session:
            return
        for name in names:
            ids = [name] if name else [f"gadget_{at + 1}" for at in range(index.count("definition", NUMBERED))]
            for one in ids:
                ran = others.ran(one)
                for place, each in zip(given_until(index, one, 0).get(0, ()) if ran else (), ran, strict=False):
                    if place.symbol.kind == (INVOCATION if name else NUMBERED):
                        yield from of(index, name, place, each)

    return check


def _failed(index: Index, name: str, place: PlacedSymbol, ran: CallOutcome) -> Iterator[NamedProblem]:
    if ran.result is not None:
        file = os.path.basename(ran.result.file)
        data = {"error": ran.why, "file": file, "outcome": ran.outcome}
        yield NamedProblem(FAILED_CALL, name, place, data, elsewhere=((ran.result, "the result"),))


def _skipped(index: Index, name: str, place: PlacedSymbol, ran: CallOutcome) -> Iterator[NamedProblem]:
    for symbol in dependencies_of(index, place) if ran.dependency else ():
        if symbol.name == ran.dependency:
            data = {"dependency": ran.dependency, "reason": ran.why}
            yield NamedProblem(SKIPPED_CALL, name, place._replace(symbol=symbol), data)
            return


def _repeated(index: Index, name: str, place: PlacedSymbol, ran: CallOutcome) -> Iterator[NamedProblem]:
    if ran.before is not None:
        file, one = ran.before
        data = {"id": one, "file": file, "number": ran.attempt}
        elsewhere = () if ran.place is None else ((ran.place, "the same call"),)
        yield NamedProblem(REPEATED_FAILURE, name, place, data, elsewhere=elsewhere)


def _row(rule: Rule, of: _Of) -> NameCheck:
    return NameCheck(rule, _affected, _check(of), across_files=True)


CHECKS: Final = (_row(FAILED_CALL, _failed), _row(SKIPPED_CALL, _skipped), _row(REPEATED_FAILURE, _repeated))
