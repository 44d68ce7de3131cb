"""The results of the calls of a response, as the next request of the session tells them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from llmblocks.contract.lens import Reply
from llmblocks.contract.markup import size_of
from llmblocks.gadget.editor.dependencies import given_until
from llmblocks.gadget.editor.fates import call_at
from llmblocks.gadget.editor.names import NUMBERED

if TYPE_CHECKING:
    from llmblocks.core.index import Index
    from llmblocks.core.symbol_order import PlacedSymbol
    from llmblocks.gadget.editor.settings import GadgetSettings


def reply_at(index: Index, header: PlacedSymbol, settings: GadgetSettings) -> Reply | None:
    """The result of the call with a header; None if no request comes after its file."""
    call = call_at(index, header, settings)
    if call is None:
        return None
    name = call.invocation_id or f"gadget_{index.count_before('definition', NUMBERED, call.place) + 1}"
    same = given_until(index, name, 0).get(0, [])
    answer = index.other_files.answer(name, len(same)) if call.place in same else None
    if answer is None:
        return None
    number, file = same.index(call.place), os.path.basename(answer.file)
    if number >= len(answer.results):
        failed = next((one for one in call.dependencies if _has_failed(index, one)), None)
        return Reply("no result" if failed is None else f"no result: {failed} has failed")
    place, size, failure, excerpt = answer.results[number]
    says = f"failed: {failure}" if failure else f"result: {size_of(size)}"
    return Reply(f"{says}, in {file}", place, excerpt)


def _has_failed(index: Index, name: str) -> bool:
    """Whether the runtime says that a call of this response has failed."""
    same = given_until(index, name, 0).get(0, [])
    answer = index.other_files.answer(name, len(same)) if same else None
    return answer is not None and any(each.failure for each in answer.results)
