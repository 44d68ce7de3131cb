"""Renumbering the elements of an array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.contract.markup import code
from llmblocks.gadget.call import ArgumentView
from llmblocks.languages.ask import Ask
from llmblocks.refactors.calls import call_at
from llmblocks.refactors.refactoring import Offer, Refactoring
from llmblocks.rules.fix import renamed


def _offer(ask: Ask) -> Iterator[Offer]:
    call = call_at(ask)
    argument = call.argument if call is not None else None
    if call is None or argument is None or call.here > argument.name_end or call.parameters is not None:
        return  # the runtime accepts the call, so its indices are right
    segments = argument.pointer.split("/")
    for number in range(len(segments) - 1, 0, -1):
        path = "/".join(segments[:number]) + "/"
        numbers = _numbers(call.call.arguments, path)
        if numbers is None:
            continue
        arguments = call.call.arguments
        edits, pointers = [], {}
        for at, written, index in numbers:
            each = arguments[at]
            start = each.name + len(path)
            if written != str(index):
                edits.append(call.edit(start, start + len(written), str(index)))
                rest = each.pointer[len(path) + len(written) :]
                pointers[at] = each.pointer, f"{path}{index}{rest}"
        if edits:
            title = f"Number the elements of {code(path[:-1])} from 0, in their order"
            yield Offer(title, (*edits,), renamed(pointers))


def _numbers(arguments: tuple[ArgumentView, ...], path: str) -> list[tuple[int, str, int]] | None:
    """Return the place of each index of an array, as written and as it should be; None if it has other keys.

    Arguments with the same index belong to one element, until a pointer is repeated.
    """
    found: list[tuple[int, str, int]] = []
    elements: dict[str, tuple[int, set[str]]] = {}
    count = 0
    for number, each in enumerate(arguments):
        if not each.pointer.startswith(path):
            continue
        index, _, rest = each.pointer[len(path) :].partition("/")
        if not (index.isascii() and index.isdigit()):
            return None
        element, given = elements.get(index, (0, {rest}))
        if rest in given:
            element, given = count, set()
            count += 1
        elements[index] = element, {*given, rest}
        found.append((number, index, element))
    return found


RENUMBER: Final = Refactoring(
    name="renumber",
    layer="gadget",
    summary="Numbers the elements of an array from 0, in their order.",
    keeps="the values and their order",
    offer=_offer,
    language="gadget",
    before="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:«»items/0\n2\n!!!ARG:items/3\n3\n!!!GADGET_END\n",
    after="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n2\n!!!ARG:items/2\n3\n!!!GADGET_END\n",
)
