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
from llmblocks.gadget.editor.fates import call_at
from llmblocks.gadget.running.outcome_words import Cause, sentence

if TYPE_CHECKING:
    from llmblocks.core.index import Index
    from llmblocks.core.symbol_order import PlacedSymbol
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
        why = ran.why or next((sentence(each) for each in _stopped(index, call.dependencies)), "")
        return Reply(f"skipped: {why}" if why else "no result")
    result = answer.results[number]
    place, size, excerpt, failure, outcome = result.place, result.size, result.excerpt, result.failure, result.outcome
    if ran.why:
        failure, outcome = ran.why, ran.outcome
    says = f"{outcome}: {failure}" if failure else f"result: {size_of(size)}"
    return Reply(f"{says}, in {file}", place, excerpt)


def _stopped(index: Index, names: Iterable[str]) -> Iterator[Cause]:
    """Yield the calls of this response that stopped, according to the runtime."""
    for name in names:
        same = given_until(index, name, 0).get(0, [])
        answer = other_files(index).answer(name, len(same)) if same else None
        for each in answer.results if answer is not None else ():
            if each.failure:
                yield name, "rejected" if each.outcome == "rejected" else "failed"
