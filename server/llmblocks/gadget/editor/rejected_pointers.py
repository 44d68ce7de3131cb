"""The runtime's verdict on the pointers of one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from llmblocks.core.places import Related
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.gadget import rules
from llmblocks.gadget.syntax.javascript import leading_integer
from llmblocks.gadget.syntax.pointer import ROWS, Assembly, Node, PointerError
from llmblocks.gadget.syntax.values import Scalar

_PROTO = "__proto__"
_FEW = 64
_MOST_OTHERS = 8
_RELATED: Final[Mapping[Rule, str]] = {
    rules.DUPLICATE_POINTER: "first given here",
    rules.POINTER_CONFLICT: "this value holds no others",
    rules.UNSAFE_POINTER: "this value holds no others",
    rules.POINTER_OVERWRITTEN: "this value is lost",
}


class Rejected(NamedTuple):
    """A pointer that the runtime rejects or misreads."""

    rule: Rule
    argument: int
    """The index of its argument."""
    start: int
    """The start of its wrong part, from the start of the pointer."""
    end: int
    data: Mapping[str, object]
    others: tuple[int, ...] = ()
    """The indices of the conflicting arguments."""

    def problem(self, at: int, others: Sequence[tuple[int, int]], lines: int) -> Problem:
        """Return the problem at its place.

        Args:
            at: The start of the pointer.
            others: The places of the conflicting arguments.
            lines: How many lines above the first of them is.
        """
        start, end, data = at + self.start, at + self.end, self.data
        if not others:
            return Problem(self.rule, start, end, data)
        if self.rule is rules.DUPLICATE_POINTER or self.rule is rules.POINTER_OVERWRITTEN:
            where = f"{lines} line{'s' if lines > 1 else ''} above" if lines else "on this line"
            data = {**data, "where": where}
        message = _RELATED[self.rule]
        return Problem(self.rule, start, end, data, tuple([Related(*place, message) for place in others]))


def rejected(pointers: Sequence[str], value_of: Callable[[int], Scalar]) -> Sequence[Rejected]:
    """Return every wrong pointer of one call, in order.

    Args:
        pointers: The pointers of the call.
        value_of: Returns the value of an argument; called only for arguments that a pointer leads below.
    """
    together = "".join(pointers)
    if "/" not in together and _PROTO not in together and len(set(pointers)) == len(pointers):
        return []
    known = _known((*pointers,)) if len(pointers) <= _FEW else None
    return _rejected(pointers, value_of) if known is None else known


# a model repeats calls of the same few gadgets
@lru_cache(maxsize=1024)
def _known(pointers: tuple[str, ...]) -> list[Rejected] | None:
    """Return every wrong pointer of a call, if that does not depend on its values; otherwise None."""
    asked: list[int] = []

    def value_of(number: int) -> Scalar:
        asked.append(number)
        return ""

    found = _rejected(pointers, value_of)
    return None if asked else found


def _rejected(pointers: Sequence[str], value_of: Callable[[int], Scalar]) -> list[Rejected]:
    found: list[Rejected] = []
    # the index of an argument takes the place of its value
    assembly = Assembly(lambda number: value_of(int(number)))
    for number, pointer in enumerate(pointers):
        if not pointer:
            continue  # the runtime drops its value before it looks at the pointer
        assembly.lenient.clear()
        outcome = assembly.take(number, pointer, number)
        if isinstance(outcome, PointerError):
            found.append(_wrong(outcome, number, pointer, assembly))
            continue
        if outcome == "ignored":
            end = len(pointer)
            found.append(Rejected(rules.IGNORED_POINTER, number, end - len(_PROTO), end, {"pointer": pointer}))
        if outcome == "overwritten" and assembly.replaced is not None:
            lost = (*islice(_arguments(assembly.replaced), _MOST_OTHERS),)
            if lost:
                found.append(Rejected(rules.POINTER_OVERWRITTEN, number, 0, len(pointer), {"pointer": pointer}, lost))
        found += [_lenient(number, pointer, place) for place in assembly.lenient]
    return found


def _wrong(error: PointerError, number: int, pointer: str, assembly: Assembly) -> Rejected:
    rule = ROWS[error.kind]
    start, end = error.span(pointer)
    others: tuple[int, ...] = ()
    if rule is rules.DUPLICATE_POINTER:
        others = (assembly.seen[pointer],)
    elif assembly.blocking is not None:
        others = (int(assembly.blocking),)
    return Rejected(rule, number, start, end, error.data, others)


def _lenient(number: int, pointer: str, place: int) -> Rejected:
    segments = pointer.split("/")
    start = sum([len(segment) + 1 for segment in segments[:place]])
    segment = segments[place]
    data = {"segment": segment, "index": leading_integer(segment)}
    return Rejected(rules.LENIENT_ARRAY_INDEX, number, start, start + len(segment), data)


def _arguments(node: Node) -> Iterator[int]:
    """Yield the arguments whose values are at a place or below it."""
    left = [node]
    while left:
        node = left.pop()
        if isinstance(node, int):
            yield node
        elif isinstance(node, dict):
            left += reversed(node.values())
        elif isinstance(node, list):
            left += reversed(node)
