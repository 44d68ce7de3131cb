"""Fixes of the arguments of gadget calls: pointers, values, and what schemas say about them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from llmblocks.gadget.running.schema import ParameterSchema
from llmblocks.gadget.syntax.values import coerce, leading_integer
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import (
    SAME,
    Expected,
    Fix,
    Parts,
    Suggest,
    after_line_end,
    other_parts,
    renamed,
    replacing,
    rewriting,
    without,
)
from llmblocks.stf.kinds import ESCAPE

_PARTS = frozenset((kinds.ARG, kinds.POINTER, kinds.POINTER_END, kinds.VALUE))
_LONGEST = 60


class WrongArgument(NamedTuple):
    """The argument of a finding."""

    section: Section
    """Starts at `offset`."""
    offset: int
    call: Call
    number: int
    """The index of the argument in its call."""
    schema: ParameterSchema | None
    """The parameters of the gadget, if they are known."""

    @property
    def arguments(self) -> tuple[ArgumentView, ...]:
        return self.call.arguments

    @property
    def argument(self) -> ArgumentView:
        return self.arguments[self.number]

    def path_before(self, finding: Finding) -> str:
        """Return the part of its pointer before the segment that a finding marks."""
        return self.argument.pointer[: finding.start - self.offset - self.argument.name]

    def edit(self, start: int, end: int, text: str) -> Edit:
        return Edit(self.offset + start, self.offset + end, text)

    def renamed(self, pointer: str) -> Expected:
        """Expect the call in which the argument has another pointer."""
        return renamed({self.number: (self.argument.pointer, pointer)})

    def respelt(self, finding: Finding, text: str, title: str, *, uncovers: bool = False) -> Fix:
        """Write another text in place of the part of the pointer that a finding marks."""
        before = self.path_before(finding)
        rest = self.argument.pointer[len(before) + finding.end - finding.start :]
        return rewriting(finding, text, title, self.renamed(before + text + rest), uncovers=uncovers)

    def other_value(self, written: str, text: str) -> Expected:
        """Expect the call in which the argument has this text in its value in place of another."""

        def change(parts: Parts) -> Parts | None:
            if self.number >= len(parts):
                return None
            value = coerce(self.call.received(self.number).replace(written, text, 1))
            parts[self.number] = self.argument.pointer, value
            return parts

        return other_parts(change)

    def removed(self, title: str = "Remove this argument") -> Iterator[Fix]:
        """Remove the argument, and keep the comments in its value. The title begins with this."""
        tokens, starts = self.section.tokens, _starts(self.section)
        edits: list[Edit] = []
        escape = False
        for number in range(bisect_left(starts, self.argument.start), len(tokens)):
            kind, start, end = tokens[number].kind, starts[number], starts[number + 1]
            if start >= self.argument.end:
                break
            if kind in _PARTS:
                edit = self.edit(starts[number - 1] if escape else start, end, "")
                if edits and edits[-1].end == edit.start:
                    edit = Edit(edits.pop().start, edit.end, "")
                edits.append(edit)
            escape = kind is ESCAPE
        if edits:
            pointer = self.argument.pointer
            title = f"{title} `{pointer}`" if 0 < len(pointer) <= _LONGEST else title
            yield Fix(title, (*edits,), without(self.number, pointer))


def subject_of(finding: Finding, ask: Ask, *, in_value: bool = False) -> Iterator[WrongArgument]:
    """Yield the argument whose pointer, or also whose value, a finding is about; nothing if it no longer exists."""
    placed = ask.document.section_at(finding.start)
    at = finding.start - placed.start
    call = call_in(placed.section)
    if call is None or (at > call.end and not in_value):
        return
    number = bisect_right(call.arguments, at, key=attrgetter("start" if in_value else "name")) - 1
    if number >= 0 and (in_value or at <= call.arguments[number].name_end):
        gadget = ask.settings.gadgets.find(call.parts.name)
        yield WrongArgument(placed.section, placed.start, call, number, None if gadget is None else gadget.prepared)


def _first_numbers(section: Section) -> dict[str, int]:
    call = call_in(section)
    return {each.pointer: number for number, each in reversed([*enumerate(call.arguments if call else ())])}


_firsts: Query[Section, dict[str, int]] = Query("first arguments with a pointer", _first_numbers)
_starts: Query[Section, list[int]] = Query(
    "starts of tokens", lambda section: [*accumulate([token.width for token in section.tokens], initial=0)]
)


def without_white_space(finding: Finding, ask: Ask) -> Iterator[Fix]:
    if not ask.document.slice(finding.start, finding.end).strip():
        yield rewriting(finding, "", "Remove the white space", SAME)


def removed_text(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove text that the runtime ignores."""
    end = after_line_end(ask.document, finding.end)
    yield Fix("Remove this text", (Edit(finding.start, end, ""),))


def removed_argument(finding: Finding, ask: Ask) -> Iterator[Fix]:
    for subject in subject_of(finding, ask, in_value=True):
        yield from subject.removed()


def distinct_pointers(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove a repeated argument, or give it another pointer."""
    for subject in subject_of(finding, ask):
        argument, call, first = subject.argument, subject.call, _firsts(subject.section)
        path, _, last = argument.pointer.rpartition("/")
        of_array = any(_is_index(segment) for segment in argument.pointer.split("/")[1:])
        if not of_array and call.received(first[argument.pointer]) == call.received(subject.number):
            yield from [replace(each, safe=True) for each in subject.removed()]
            return
        # elements of an array are both meant, of other arguments only one: removing a value is the last resort
        if path and _is_index(last):
            made, indices = [_next_index(subject, path, last)], numbered(subject.arguments, f"{path}/")
            if any(old != new for old, new in indices.values()):
                made.append(Fix(title_of(path), *reindexed(subject.arguments, f"{path}/", indices, subject.edit)))
            yield from made[::-1] if len(subject.arguments) - len(first) > 1 else made
        yield from subject.removed()


def chosen_duplicate(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove the first or the second of two arguments with one pointer, or rename the second."""
    for subject in subject_of(finding, ask):
        pointer, first = subject.argument.pointer, _firsts(subject.section)
        yield from subject._replace(number=first[pointer]).removed("Remove the first argument")
        yield from subject.removed()
        names = (f"{pointer}_{number}" for number in range(2, 2 + len(subject.arguments)))
        new = next(name for name in names if name not in first)
        edit = subject.edit(subject.argument.name, subject.argument.name_end, new)
        yield Fix(f"Rename this argument to `{new}`", (edit,), subject.renamed(new))


def _next_index(subject: WrongArgument, path: str, last: str) -> Fix:
    """Give a repeated element of an array the next free index."""
    taken = [index for each in subject.arguments if (index := _index_below(path, each)) is not None]
    new = f"{path}/{max(taken) + 1}"
    end = subject.argument.name_end
    edit = subject.edit(end - len(last), end, new[len(path) + 1 :])
    return Fix(f"Rename this argument to `{new}`", (edit,), subject.renamed(new))


def numbered(arguments: Sequence[ArgumentView], path: str) -> dict[int, tuple[str, str]]:
    """Return the indices after a path, as written and in order, by argument; none if the array has other keys."""
    found: dict[int, tuple[str, str]] = {}
    elements: dict[str, tuple[int, set[str]]] = {}
    count = 0
    for number, each in enumerate(arguments):
        if not each.pointer.startswith(path):
            continue
        index, _, rest = each.pointer[len(path) :].partition("/")
        if not _is_index(index):
            return {}
        element, given = elements.get(index, (0, {rest}))
        if rest in given:
            element, given = count, set()
            count += 1
        elements[index] = element, {*given, rest}
        found[number] = index, str(element)
    return found


def reindexed(
    arguments: Sequence[ArgumentView],
    path: str,
    indices: Mapping[int, tuple[str, str]],
    edit: Callable[[int, int, str], Edit],
) -> tuple[tuple[Edit, ...], Expected]:
    """Return the edits that write other indices after a path, and the values after them."""
    changed = {number: each for number, each in indices.items() if each[0] != each[1]}
    edits, pointers = [], {}
    for number, (old, new) in changed.items():
        pointer, start = arguments[number].pointer, arguments[number].name + len(path)
        edits.append(edit(start, start + len(old), new))
        pointers[number] = pointer, path + new + pointer[len(path) + len(old) :]
    return (*edits,), renamed(pointers)


def renumbering(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Close the gap before an index: by renumbering the array, or by this index alone."""
    expected = str(finding.data.get("expected"))
    for subject in subject_of(finding, ask):
        path = subject.path_before(finding)
        gap, every = subject.argument.pointer[len(path) :].partition("/")[0], numbered(subject.arguments, path)
        if any(new != old and (old, new) != (gap, expected) for old, new in every.values()):
            yield Fix(title_of(path[:-1]), *reindexed(subject.arguments, path, every, subject.edit))
        alone = {number: (old, expected) for number, (old, _) in every.items() if old == gap}
        if alone and expected not in [old for old, _ in every.values()]:
            title = f"Change this index to {expected}"
            yield Fix(title, *reindexed(subject.arguments, path, alone, subject.edit))


def title_of(path: str) -> str:
    return f"Number the elements of `{path}` from 0, in their order"


def _index_below(path: str, argument: ArgumentView) -> int | None:
    if not argument.pointer.startswith(f"{path}/"):
        return None
    index = leading_integer(argument.pointer[len(path) + 1 :].partition("/")[0])
    # beyond float64, it is infinite
    return None if index is None or not 0 <= index < 2**53 else int(index)


def _is_index(segment: str) -> bool:
    return segment.isascii() and segment.isdigit() and len(segment) < 16


def _respelling(text: str, title: str) -> Suggest:
    """Return the function for a fix that writes a text in place of a part of a pointer, like `replacing`."""

    def suggest(finding: Finding, ask: Ask) -> Iterator[Fix]:
        for subject in subject_of(finding, ask):
            yield subject.respelt(finding, text.format_map(finding.data), title.format_map(finding.data))

    return suggest


without_slashes = _respelling("", "Remove this `/`")
plain_index = _respelling("{index}", "Write this index as {index}")
decoded_escape = _respelling("{character}", "Write `{character}`")
plain_number = replacing("{value}", "Write {value}", SAME)


def next_index(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Give an element without an index the next one, or remove it."""
    for subject in subject_of(finding, ask):
        path = subject.path_before(finding)
        below = [each.pointer[len(path) :] for each in subject.arguments if each.pointer.startswith(path)]
        taken = {each.partition("/")[0] for each in below}
        index = next(text for number in range(len(subject.arguments) + 1) if (text := str(number)) not in taken)
        yield subject.respelt(finding, index, f"Write the index {index}")
        yield from subject.removed()


def second_fence(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Repeat a closing fence, because the runtime removes one."""
    # in the other case both would be one fence
    for subject in () if "case" in finding.data else subject_of(finding, ask, in_value=True):
        value = subject.call.received(subject.number)
        edit = Edit(finding.end, finding.end, "\n```")
        yield Fix("Write the closing fence twice", (edit,), subject.other_value(value, f"{value}\n```"))
