"""Fixes of the pointers of a call."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

from llmblocks.core.edits import Edit
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.facts.finding import Finding
from llmblocks.gadget import kinds
from llmblocks.gadget.call import ArgumentView, Call
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.syntax.javascript import leading_integer
from llmblocks.gadget.syntax.values import coerce
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import Expected, Parts, everywhere, other_parts, renamed, without
from llmblocks.rules.fix import Fix
from llmblocks.rules.removal import removed_returns
from llmblocks.stf.kinds import ESCAPE

_PARTS = frozenset((kinds.ARG, kinds.POINTER, kinds.POINTER_END, kinds.VALUE))


class WrongArgument(NamedTuple):
    """The argument of a finding."""

    section: Section
    """Starts at `offset`."""
    offset: int
    call: Call
    number: int
    """The index of the argument in its call."""
    first: Mapping[str, int]
    """The index of the first argument with each pointer."""

    @property
    def arguments(self) -> tuple[ArgumentView, ...]:
        """All arguments of the call."""
        return self.call.arguments

    @property
    def argument(self) -> ArgumentView:
        return self.arguments[self.number]

    def path_before(self, finding: Finding) -> str:
        """Return the part of its pointer before the segment that a finding marks."""
        return self.argument.pointer[: finding.start - self.offset - self.argument.name]

    def edit(self, start: int, end: int, text: str) -> Edit:
        """Return an edit, given places in the section."""
        return Edit(self.offset + start, self.offset + end, text)

    def renamed(self, pointer: str) -> Expected:
        """Expect the call in which the argument has another pointer."""
        return renamed({self.number: (self.argument.pointer, pointer)})

    def respelt(self, finding: Finding, text: str) -> Expected:
        """Expect the call in which a part of the pointer, which a finding marks, is another."""
        before = self.path_before(finding)
        rest = self.argument.pointer[len(before) + finding.end - finding.start :]
        return self.renamed(before + text + rest)

    def other_value(self, written: str, text: str) -> Expected:
        """Expect the call in which the argument has this text in its value in place of another."""

        def change(parts: Parts) -> Parts | None:
            if self.number >= len(parts):
                return None
            parts[self.number] = (
                self.argument.pointer,
                coerce(self.call.received(self.number).replace(written, text, 1)),
            )
            return parts

        return other_parts(change)


def subject_of(finding: Finding, ask: Ask) -> WrongArgument | None:
    """Return the argument of a finding; None if it no longer exists."""
    placed = ask.document.section_at(finding.start)
    at = finding.start - placed.start
    call = call_in(placed.section)
    if call is None or at > call.end:
        return None
    number = bisect_right(call.arguments, at, key=attrgetter("name")) - 1
    if number < 0 or at > call.arguments[number].name_end:
        return None
    return WrongArgument(placed.section, placed.start, call, number, _firsts(placed.section))


def argument_around(finding: Finding, ask: Ask) -> WrongArgument | None:
    """Return the argument whose pointer or value a finding is about."""
    placed = ask.document.section_at(finding.start)
    call = call_in(placed.section)
    number = bisect_right(call.arguments, finding.start - placed.start, key=attrgetter("start")) - 1 if call else -1
    if call is None or number < 0:
        return None
    return WrongArgument(placed.section, placed.start, call, number, {})


def _first_numbers(section: Section) -> dict[str, int]:
    """Return the index of the first argument with each pointer."""
    call = call_in(section)
    return {each.pointer: number for number, each in reversed([*enumerate(call.arguments if call else ())])}


_firsts: Query[Section, dict[str, int]] = Query("first arguments with a pointer", _first_numbers)


def without_white_space(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove the marked white space."""
    is_blank = not ask.document.slice(finding.start, finding.end).strip()
    return (Fix("Remove the white space", (Edit(finding.start, finding.end, ""),)),) if is_blank else ()


def distinct_pointers(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove a repeated argument, or give it another pointer."""
    subject = subject_of(finding, ask)
    if subject is None:
        return ()
    repeated = repetition(subject)
    if repeated is not None:
        return (repeated,)
    # elements of an array are both meant, of other arguments only one: removing a value is the last resort
    of_array = (numbering, renaming) if has_several_repeats(subject) else (renaming, numbering)
    return tuple([fix for make in (*of_array, removal) if (fix := make(subject)) is not None])


_starts: Query[Section, list[int]] = Query(
    "starts of tokens", lambda section: [*accumulate([token.width for token in section.tokens], initial=0)]
)


def removal(subject: WrongArgument) -> Fix | None:
    """Remove an argument, and keep the comments in its value."""
    argument = subject.argument
    tokens, starts = subject.section.tokens, _starts(subject.section)
    edits: list[Edit] = []
    escape = False
    for number in range(bisect_left(starts, argument.start), len(tokens)):
        kind, start, end = tokens[number].kind, starts[number], starts[number + 1]
        if start >= argument.end:
            break
        if kind in _PARTS:
            edit = subject.edit(starts[number - 1] if escape else start, end, "")
            if edits and edits[-1].end == edit.start:
                edit = Edit(edits.pop().start, edit.end, "")
            edits.append(edit)
        escape = kind is ESCAPE
    return (
        Fix(f"Remove this argument `{argument.pointer}`", (*edits,), without(subject.number, argument.pointer))
        if edits
        else None
    )


def repetition(subject: WrongArgument) -> Fix | None:
    """Remove an argument that repeats the value of the first one with its pointer, outside of arrays."""
    call, first = subject.call, subject.first[subject.argument.pointer]
    if any(_is_index(segment) for segment in subject.argument.pointer.split("/")[1:]):
        return None
    found = removal(subject) if call.received(first) == call.received(subject.number) else None
    return None if found is None else replace(found, safe=True)


def renaming(subject: WrongArgument) -> Fix | None:
    """Give a repeated element of an array the next free index."""
    path, _, last = subject.argument.pointer.rpartition("/")
    if not path or not _is_index(last):
        return None
    taken = [index for each in subject.arguments if (index := _index_below(path, each)) is not None]
    free = max(taken) + 1
    start = subject.argument.name_end - len(last)
    edit = subject.edit(start, subject.argument.name_end, str(free))
    return Fix(f"Rename this argument to `{path}/{free}`", (edit,), subject.renamed(f"{path}/{free}"))


def numbering(subject: WrongArgument) -> Fix | None:
    """Number the elements of an array in their order; a repeated element counts as two."""
    path, _, last = subject.argument.pointer.rpartition("/")
    if not path or not _is_index(last):
        return None
    below = [each for each in subject.arguments if each.pointer.startswith(f"{path}/")]
    if not all(_is_index(each.pointer[len(path) + 1 :]) for each in below):
        return None
    edits = [
        subject.edit(each.name + len(path) + 1, each.name_end, str(number))
        for number, each in enumerate(below)
        if each.pointer[len(path) + 1 :] != str(number)
    ]
    indices = {each: f"{path}/{number}" for number, each in enumerate(below)}
    return Fix(_title(path), (*edits,), _pointers(subject, indices)) if edits else None


def _pointers(subject: WrongArgument, new: Mapping[ArgumentView, str]) -> Expected:
    """Expect the call in which some arguments have new pointers."""
    return renamed({number: (each.pointer, new[each]) for number, each in enumerate(subject.arguments) if each in new})


def has_several_repeats(subject: WrongArgument) -> bool:
    """Return whether a call repeats several pointers, or one of them several times."""
    return len(subject.arguments) - len(subject.first) > 1


def renumbering(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Close the gap before an index: by this index alone, or by renumbering the array."""
    subject = subject_of(finding, ask)
    expected = finding.data.get("expected")
    if subject is None or not isinstance(expected, int):
        return ()
    path = subject.path_before(finding)
    at = len(path)
    gap = subject.argument.pointer[at:].partition("/")[0]
    elements: dict[str, int] = {}  # in order of appearance
    places: list[tuple[ArgumentView, str]] = []
    for each in subject.arguments:
        if each.pointer.startswith(path):
            index = each.pointer[at:].partition("/")[0]
            if _is_index(index):
                elements.setdefault(index, len(elements))
                places.append((each, index))

    def written(title: str, indices: Mapping[str, str]) -> Fix:
        edits = [
            subject.edit(each.name + at, each.name + at + len(index), indices[index])
            for each, index in places
            if indices.get(index, index) != index
        ]
        pointers = {each: path + indices.get(index, index) + each.pointer[at + len(index) :] for each, index in places}
        return Fix(title, (*edits,), _pointers(subject, pointers))

    alone, every = {gap: str(expected)}, {index: str(number) for index, number in elements.items()}
    fixes = []
    if gap in elements and str(expected) not in elements:
        fixes.append(written(f"Change this index to {expected}", alone))
    if any(new != old and (old, new) != (gap, str(expected)) for old, new in every.items()):
        # several gaps are closed together
        gaps = sum([int(index) > number for index, number in elements.items()])
        fixes.insert(0 if gaps > 2 else len(fixes), written(_title(path[:-1]), every))
    return (*fixes,)


def _title(path: str) -> str:
    return f"Number the elements of `{path}` from 0, in their order"


def _index_below(path: str, argument: ArgumentView) -> int | None:
    if not argument.pointer.startswith(f"{path}/"):
        return None
    index = leading_integer(argument.pointer[len(path) + 1 :].partition("/")[0])
    # beyond float64, it is infinite
    return None if index is None or not 0 <= index < 2**53 else int(index)


def _is_index(segment: str) -> bool:
    return segment.isascii() and segment.isdigit() and len(segment) < 16


def without_slashes(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove the slashes around an empty segment."""
    return _respelt("Remove this `/`", finding, ask, "")


def plain_index(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Write an index as the number that the runtime reads."""
    index = str(finding.data.get("index", ""))
    return _respelt(f"Write this index as {index}", finding, ask, index)


def _respelt(title: str, finding: Finding, ask: Ask, text: str) -> tuple[Fix, ...]:
    subject = subject_of(finding, ask)
    edit = Edit(finding.start, finding.end, text)
    return () if subject is None else (Fix(title, (edit,), subject.respelt(finding, text)),)


def second_fence(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Repeat a closing fence, because the runtime removes one."""
    subject = argument_around(finding, ask)
    if "case" in finding.data or subject is None:
        return ()  # both would be one fence
    value = subject.call.received(subject.number)
    edit = Edit(finding.end, finding.end, "\n```")
    return (Fix("Write the closing fence twice", (edit,), subject.other_value(value, f"{value}\n```")),)


def line_feeds(_: Finding, ask: Ask) -> tuple[Fix, ...]:
    """End all lines of the document with LF."""
    edits = removed_returns(ask.document)
    return (Fix("End all lines with LF", edits, everywhere(*edits)),) if edits else ()
