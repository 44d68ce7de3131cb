"""The results of the calls of a response, as the next request of the session reports them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from llmblocks.contract.lens import Reply
from llmblocks.contract.markup import size_of
from llmblocks.contract.other_files import CallOutcome, other_files
from llmblocks.gadget.editor.calls import NUMBERED
from llmblocks.gadget.editor.dependencies import given_until
from llmblocks.gadget.editor.fates import KnownFate, call_at, fate_of
from llmblocks.gadget.running.fates import Cause, sentence

if TYPE_CHECKING:
    from llmblocks.core.index import Index
    from llmblocks.core.symbol import PlacedSymbol
    from llmblocks.gadget.editor.settings import GadgetSettings


def reply_at(index: Index, header: PlacedSymbol, settings: GadgetSettings) -> Reply | None:
    """Return the result of the call with a header; None if no request follows its file."""
    call = call_at(index, header, settings)
    if call is None:
        return None
    name = call.invocation_id or f"gadget_{index.count_before('definition', NUMBERED, call.place) + 1}"
    same = given_until(index, name, 0).get(0, [])
    answer = other_files(index).answer(name, len(same)) if call.place in same else None
    if answer is None:
        return None
    number, file = same.index(call.place), os.path.basename(answer.file)
    ran = (*other_files(index).ran(name), *[CallOutcome()] * len(same))[number]
    if number >= len(answer.results):
        known = fate_of(index, header, settings)
        if known is not None and known.fate.kind in ("rejected", "never ran"):
            return Reply(known.fate.says)
        why = ran.why or next((sentence(each) for each in _stopped(index, call.dependencies)), "")
        return Reply(f"skipped: {why}" if why else "no result")
    result = answer.results[number]
    failure, outcome = (ran.why, ran.outcome) if ran.why else (result.failure, result.outcome)
    says = f"{outcome}: {failure}" if failure else f"result: {size_of(result.size)}"
    return Reply(f"{says}, in {file}", result.place, result.excerpt)


def outcome_of(index: Index, header: PlacedSymbol, known: KnownFate, settings: GadgetSettings) -> str:
    """Return the fate of a call in words: if it was skipped in its session, that."""
    if known.fate.wave and known.call.dependencies and other_files(index).is_session:
        reply = reply_at(index, header, settings)
        if reply is not None and reply.says.startswith("skipped: "):
            return reply.says
    return known.fate.says


def _stopped(index: Index, names: Iterable[str]) -> Iterator[Cause]:
    """Yield the calls of this response that stopped, according to the runtime."""
    for name in names:
        same = given_until(index, name, 0).get(0, [])
        answer = other_files(index).answer(name, len(same)) if same else None
        for each in answer.results if answer is not None else ():
            if each.failure:
                yield name, "rejected" if each.outcome == "rejected" else "failed"
