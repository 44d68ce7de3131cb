"""The fates of the calls of a document: which run, in which wave, why the others do not, and their results."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from llmblocks.contract.answers import CallGraph, GraphFormat, RejectedCalls, Reply
from llmblocks.contract.markup import size_of
from llmblocks.contract.other_files import CallOutcome, other_files
from llmblocks.core.index import Index
from llmblocks.core.section import Section
from llmblocks.core.symbol import PlacedSymbol
from llmblocks.gadget.editor.calls import (
    GADGET,
    NUMBERED,
    GadgetSettings,
    call_in,
    calls_with,
    dependencies_of,
    given_until,
    is_earlier,
)
from llmblocks.gadget.editor.problems import REJECTING, rejections
from llmblocks.gadget.graph import NAMED_ALONE, Graph, build_graph, fates_in_order, to_dot, to_mermaid, to_svg, to_text
from llmblocks.gadget.running.fates import Cause, Fate, fates, sentence

MOST_CALLS = 200
"""The maximum number of direct and indirect dependencies that are read."""
_WRITERS: Final[dict[GraphFormat, Callable[[Graph], str]]] = {
    "text": to_text,
    "mermaid": to_mermaid,
    "dot": to_dot,
    "svg": to_svg,
}


class PlacedCall(NamedTuple):
    """A call of a document."""

    name: str
    invocation_id: str
    """Empty if the runtime generates it, and nothing refers to it."""
    dependencies: tuple[str, ...]
    place: PlacedSymbol
    """The place of its id, or else of its name."""
    error: str = ""
    problem: int = 0


class CallState(NamedTuple):
    """The state of a call in its session."""

    call: PlacedCall
    says: str
    fate: Fate | None
    failed: PlacedCall | None
    """The call that ultimately blocks a skipped one; None if unknown."""
    reply: Reply | None
    """Its result in the next request; None if no request follows its file."""


def placed_call(index: Index, section: Section, settings: GadgetSettings, one: str = "") -> PlacedCall | None:
    """Return the call of a section. `one` is the id that the runtime generates for it, if known."""
    for name, own in zip(symbols := index.symbols(section), symbols[1:], strict=False):
        if name.kind == GADGET:
            place = PlacedSymbol(section, own)
            needs = tuple(dict.fromkeys([each.name for each in dependencies_of(index, place)]))
            wrong = rejections(settings.markers, settings.gadgets)(section)
            error = ("", 0) if wrong is None else (wrong.rule.says(wrong.data), wrong.start)
            return PlacedCall(name.name, own.name or one, needs, place, *error)
    return None


def state_of(index: Index, section: Section, settings: GadgetSettings) -> CallState | None:
    """Return the state of the call of a section."""
    call = placed_call(index, section, settings)
    if call is None:
        return None
    fate, failed = _fate(index, call, settings)
    reply = _reply(index, call, fate)
    says = "order not known" if fate is None else fate.says
    if reply is not None and call.dependencies and fate and fate.wave and reply.says.startswith("skipped: "):
        says = reply.says
    return CallState(call, says, fate, failed, reply)


def _fate(index: Index, here: PlacedCall, settings: GadgetSettings) -> tuple[Fate | None, PlacedCall | None]:
    """Return the fate of a call, and the call that ultimately blocks it; None if unknown."""
    if here.error or not here.dependencies:
        return fates([here], [here.error])[0], None
    last = index.part_of(here.place)
    responses: dict[int, dict[str, list[PlacedCall]]] = {last: {}}
    seen: set[tuple[int, str]] = set()
    left = [(last, one) for one in here.dependencies]
    count = 0
    while left:
        part, one = needed = left.pop()
        if needed in seen:
            continue
        seen.add(needed)
        given = given_until(index, one, part)
        if not given and not is_earlier(index, one) and not other_files(index).is_known:
            return None, None
        for each, same in given.items():
            if one not in responses.setdefault(each, {}):
                calls = [call for at in same if (call := placed_call(index, at.section, settings, one)) is not None]
                responses[each][one] = calls
                left += [(each, other) for call in calls for other in call.dependencies]
                count += len(calls)
        if count > MOST_CALLS:
            return None, None
    responses[last].setdefault(here.invocation_id, [here])
    ordered = [[call for same in responses[part].values() for call in same] for part in sorted(responses)]
    found = [*fates_in_order(ordered, lambda one: is_earlier(index, one))]
    fate = found[-1][[call.place for call in ordered[-1]].index(here.place)]
    for calls, known in zip(ordered, found, strict=True):
        for call, other in zip(calls, known, strict=True):
            if call.invocation_id == fate.cause[0] and other.kind in ("rejected", "never ran"):
                return fate, call
    return fate, None


def calls_of(index: Index, settings: GadgetSettings) -> Iterator[tuple[int, int, PlacedCall]]:
    """Yield all calls of a document in order, each with the index of its response and its place in the document."""
    part = numbered = 0
    for start, (section, symbol) in index.placed():
        if symbol.role == "boundary":
            part, numbered = part + 1, 0
        numbered += symbol.kind == NUMBERED
        if symbol.kind == GADGET and (call := placed_call(index, section, settings)) is not None:
            if call.place.symbol.kind == NUMBERED:
                call = call._replace(invocation_id=f"gadget_{numbered + 1}")
            yield part, start + symbol.start, call


def _rejected(section: Section, settings: GadgetSettings) -> Iterator[int]:
    call = call_in(section)
    if call is not None and rejections(settings.markers, settings.gadgets)(section) is not None:
        yield call.names.name.start


REJECTED: Final[RejectedCalls[GadgetSettings]] = RejectedCalls(REJECTING, _rejected)


def graph_of(index: Index, settings: GadgetSettings, pause: Callable[[int], None]) -> CallGraph:
    """See `GraphOf`. Each message of a chat is a separate response, which may wait for calls of earlier files."""
    found: list[tuple[int, int, PlacedCall]] = []
    for each in calls_of(index, settings):
        found.append(each)
        pause(each[1])
    responses = [[call for _, _, call in calls] for _, calls in groupby(found, itemgetter(0))]
    graph = build_graph(responses, lambda one: is_earlier(index, one))
    all_run = all(node.wave for node in graph.nodes if node.kind not in NAMED_ALONE)
    return CallGraph(tuple([at for _, at, _ in found]), not graph.nodes, all_run, lambda kind: _WRITERS[kind](graph))


def _reply(index: Index, call: PlacedCall, fate: Fate | None) -> Reply | None:
    name = call.invocation_id or f"gadget_{index.count_before('definition', NUMBERED, call.place) + 1}"
    same = calls_with(index, name)
    answer = other_files(index).answer(name, len(same)) if call.place in same else None
    if answer is None:
        return None
    number = same.index(call.place)
    ran = (*other_files(index).ran(name), *[CallOutcome()] * len(same))[number]
    if number >= len(answer.results):
        if fate is not None and fate.kind in ("rejected", "never ran"):
            return Reply(fate.says)
        why = ran.why or next((sentence(each) for each in _stopped(index, call.dependencies)), "")
        return Reply(f"skipped: {why}" if why else "no result")
    result = answer.results[number]
    failure, outcome = (ran.why, ran.outcome) if ran.why else (result.failure, result.outcome)
    says = f"{outcome}: {failure}" if failure else f"result: {size_of(result.size)}"
    return Reply(f"{says}, in {os.path.basename(answer.file)}", result.place, result.excerpt)


def _stopped(index: Index, names: Iterable[str]) -> Iterator[Cause]:
    """Yield the calls of this response that stopped, according to the runtime."""
    for name in names:
        same = calls_with(index, name)
        answer = other_files(index).answer(name, len(same)) if same else None
        for each in answer.results if answer is not None else ():
            if each.failure:
                yield name, "rejected" if each.outcome == "rejected" else "failed"
