"""The calls that go on behind the lines in which they begin: the problems of their pointers and last values."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate, chain
from typing import Final, NamedTuple

from llmblocks.core.layered import reads_crlf
from llmblocks.facts.lines import Lines
from llmblocks.facts.open_construct import Construct, Earlier, OpenFact
from llmblocks.facts.problem import Deferred, Problem, Stated
from llmblocks.facts.rule import Rule
from llmblocks.gadget.editor.open_values import judge_last
from llmblocks.gadget.editor.pointers import CALLS, CallPart, joined, part_of_call
from llmblocks.gadget.editor.rejected_pointers import Rejected, rejected
from llmblocks.gadget.editor.values import received
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.scalars import Scalar
from llmblocks.gadget.syntax.values import FENCE, coerce


class _Judged(NamedTuple):
    """What is wrong with the pointers of a call, and of what kinds that is, by the number of the lines.

    Shape: it depends on the values `read`. `last` are the problems of the last value.
    """

    found: Mapping[int, tuple[Sequence[Rejected], Sequence[Rule]]]
    read: Mapping[int, Scalar]
    last: Sequence[Problem] = ()


class _Call:
    """The arguments of a call by their numbers. Each value is read where it is asked for."""

    def __init__(self, call: Construct[CallPart]) -> None:
        self._call = call

    @cached_property
    def lines(self) -> Sequence[Lines]:
        return self._call.lines()

    @cached_property
    def pointers(self) -> list[str]:
        return [*chain.from_iterable(self._texts)]

    @cached_property
    def _texts(self) -> list[tuple[str, ...]]:
        return [part_of_call(each).texts for each in self.lines]

    @cached_property
    def starts(self) -> list[int]:
        """The number of the first argument of each part."""
        return [0, *accumulate(map(len, self._texts))][:-1]

    @cached_property
    def sizes(self) -> tuple[list[int], list[int]]:
        lengths, newlines = [each.length for each in self.lines], [each.newlines for each in self.lines]
        return [0, *accumulate(lengths)], [0, *accumulate(newlines)]

    def part(self, argument: int) -> int:
        """The number of the part in which an argument begins."""
        return bisect_right(self.starts, argument) - 1

    def value(self, argument: int) -> Scalar:
        part = self.part(argument)
        lines, number = self.lines[part], argument - self.starts[part]
        values = part_of_call(lines).values
        texts = [joined(lines.text, values[number])]
        if number + 1 == len(values):
            # nothing in the part is behind it: it goes on in the next
            for following in self.lines[part + 1 :]:
                texts.append(joined(following.text, part_of_call(following).value))
                if part_of_call(following).texts:
                    break
        return coerce(received("".join(texts), argument + 1 == len(self.pointers), reads_crlf(lines.after)))

    def problem(self, wrong: Rejected) -> Problem:
        """A problem at its place, from the start of the call's first lines."""
        line, at, _ = self._place(wrong.argument)
        others = [self._place(other) for other in wrong.others]
        return wrong.problem(at, [(start, end) for _, start, end in others], line - others[0][0] if others else 0)

    def _place(self, argument: int) -> tuple[int, int, int]:
        """The line of a pointer, and where it starts and ends."""
        part = self.part(argument)
        lines, (lengths, newlines) = self.lines[part], self.sizes
        start, end = part_of_call(lines).places[argument - self.starts[part]]
        return newlines[part] + lines.text.count("\n", 0, start), lengths[part] + start, lengths[part] + end


def _judge(construct: Construct[CallPart], earlier: Earlier[CallPart, _Judged] | None) -> _Judged:
    call = _Call(construct)
    judged = (earlier and _still(call, earlier)) or _fresh(call)
    last = judge_last(construct)
    return judged if last == judged.last else judged._replace(last=last)


def _state(construct: Construct[CallPart], judged: _Judged) -> Iterator[Stated]:
    call = _Call(construct)
    for part, (wrong, kinds) in judged.found.items():
        yield Deferred(call.sizes[0][part], kinds, partial(map, call.problem, wrong))
    yield from judged.last


def _fresh(call: _Call) -> _Judged:
    read: dict[int, Scalar] = {}

    def value(argument: int) -> Scalar:
        if argument not in read:
            read[argument] = call.value(argument)
        return read[argument]

    pointers = [*call.pointers]
    last = len(pointers) - 1
    if pointers and pointers[last].endswith(FENCE) and not str(value(last)).strip(SPACE):
        # with no value behind it, the pointer ends the body
        pointers[last] = pointers[last].removesuffix(FENCE).strip(SPACE)
    return _Judged(_by_part(call, rejected(pointers, value)), read)


def _still(call: _Call, earlier: Earlier[CallPart, _Judged]) -> _Judged | None:
    """What was wrong with the pointers before an edit, if it is wrong now."""
    judged = earlier.concluded
    gone, come = [[part.texts for part in parts] for parts in earlier.changed()]
    if [*chain(*gone)] != [*chain(*come)]:
        return None
    for argument, value in judged.read.items() if gone or come else ():
        now = call.value(argument)
        if type(now) is not type(value) or now != value:
            return None
    if judged.found and gone != come:
        return judged._replace(found=_by_part(call, chain.from_iterable([found for found, _ in judged.found.values()])))
    return judged


def _by_part(call: _Call, wrong: Iterable[Rejected]) -> Mapping[int, tuple[Sequence[Rejected], Sequence[Rule]]]:
    found: dict[int, list[Rejected]] = {}
    for each in wrong:
        found.setdefault(call.part(each.argument), []).append(each)
    return {part: (each, [one.kind for one in each]) for part, each in found.items()}


OPEN_CALLS: Final = OpenFact(CALLS, _judge, _state)
