"""Fixes: edits that remove a finding, and the values that a program should read after them."""

from __future__ import annotations

import math
import re
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias

from llmblocks.contract.decoded import Decode, Decoded, DecodedValue, Scalar
from llmblocks.core.document import Document
from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings

Change: TypeAlias = Callable[[DecodedValue], DecodedValue | None]
"""From a call to the one that is expected; None for another one than meant."""
Parts: TypeAlias = list[tuple[str, Scalar]]
Suggest: TypeAlias = Callable[[Finding, Any], "Iterator[Fix]"]
_Format: TypeAlias = tuple[str, Decode[Settings]]
_NUMBERED: Final = re.compile("'gadget_[0-9]+'")


class Expected(NamedTuple):
    """A function from the values before a fix to the expected ones.

    A fix of calls expects these `changes`, one or more for each different call, in the order of the text. A fix of
    markup decides where values begin and end: it expects those of the text with these `edits`, which follow from the
    finding where they can. Of the old values, `lost` disappear or change; `come` are new.
    """

    edits: tuple[Edit, ...] = ()
    changes: tuple[Change, ...] = ()
    lost: float = 0
    come: bool = False


SAME: Final = Expected()
"""A program reads the same."""


def other_head(change: Callable[[str, str, tuple[str, ...]], tuple[str, str, tuple[str, ...]]]) -> Expected:
    """Expect a call with another name, id or dependencies."""

    def changed(call: DecodedValue) -> DecodedValue:
        return call._replace(head=repr(change(*literal_eval(call.head))))

    return Expected(changes=(changed,))


def other_parts(change: Callable[[Parts], Parts | None]) -> Expected:
    def changed(call: DecodedValue) -> DecodedValue | None:
        parts = change([*call.parts])
        return None if parts is None else call._replace(parts=(*parts,))

    return Expected(changes=(changed,))


def renamed(pointers: dict[int, tuple[str, str]]) -> Expected:
    """Expect a call in which arguments have other pointers. By number, the pointer before and after."""

    def change(parts: Parts) -> Parts | None:
        for number, (old, new) in pointers.items():
            if number >= len(parts) or parts[number][0] != old:
                return None
            parts[number] = new, parts[number][1]
        return parts

    return other_parts(change)


def without(number: int, pointer: str) -> Expected:
    """Expect a call without one of its arguments."""

    def changed(call: DecodedValue) -> DecodedValue | None:
        parts = [*call.parts]
        if number >= len(parts) or parts.pop(number)[0] != pointer:
            return None
        if number == len(parts) and parts and not call.accepted:
            # the runtime trims the end of what is last now, as a line end with CRLF there
            name, value = parts[-1]
            parts[-1] = name, value.rstrip("\r") if isinstance(value, str) else value
        return call._replace(parts=(*parts,))

    return Expected(changes=(changed,))


def joined(expected: Sequence[Expected]) -> Expected:
    return Expected(
        (*sorted(chain.from_iterable([each.edits for each in expected])),),
        (*chain.from_iterable([each.changes for each in expected]),),
        sum([each.lost for each in expected]),
        any(each.come for each in expected),
    )


def agree(
    before: Sequence[DecodedValue],
    after: Sequence[DecodedValue],
    changes: Sequence[Change],
    *,
    in_messages: bool,
    in_place: bool,
) -> bool:
    """Return whether values are as before but for changes of calls, also in messages, or with calls in place."""
    # from the last one on: the numbers of the arguments before a change stay
    left = reversed(changes)

    def compared(value: DecodedValue) -> DecodedValue:
        return value._replace(
            # 1, 1.0 and true are equal in Python
            parts=(*[(name, repr(part)) for name, part in value.parts],),
            before=value.before if in_place or value.content is not None else 0,
            message=value.message if in_messages else None,
            accepted=True,
            name="",
            body="",
        )

    def agrees(old: DecodedValue, new: DecodedValue) -> bool:
        while old is not new and compared(old) != compared(new):
            change = next(left, None) if old.name else None
            changed = None if change is None else change(old)
            if changed is None:
                return False
            old = changed
        # what the runtime rejects, it may accept now
        return new.accepted or not old.accepted

    try:
        return (
            len(before) == len(after)
            and all(map(agrees, reversed(before), reversed(after)))
            and next(left, None) is None
        )
    except RecursionError:
        return False  # values that are nested deeper than Python can look


def differ(before: Sequence[DecodedValue], after: Sequence[DecodedValue], expected: Expected, layer: str) -> bool:
    """Return whether more values are lost, or come, than expected of fixes of a format."""
    # one block may become several
    is_counted = layer != "tags" or not expected.come
    old, new = (_counted(each, is_counted, layer) for each in (before, after))
    return (old - new).total() > expected.lost or (not expected.come and bool(new - old))


def _counted(values: Iterable[DecodedValue], blocks: bool, layer: str) -> Counter[tuple[object, ...]]:
    return Counter(
        [
            # a call that comes takes a number: those after it count on
            (
                _NUMBERED.sub("", each.head),
                repr(each.parts),
                each.accepted,
                each.content,
                layer == "stf" and each.message,
            )
            for each in values
            if each.head and (blocks or each.content is None)
        ]
    )


@dataclass(frozen=True, slots=True)
class Fix:
    title: str
    """Describes it in the imperative."""
    edits: tuple[Edit, ...]
    """Ordered edits that do not touch."""
    expected: Expected = SAME
    safe: bool = False
    """Whether it does not affect the values for a program, and the text can have no other meaning; or whether it
    removes an argument that keeps a call from running and repeats another one.
    """
    uncovers: bool = False
    """Whether other problems may appear in its section, or its tag, because no rule could check that before."""
    stops: tuple[tuple[int, int], ...] = ()
    """The stretches of the last edit's text that a person is likely to change."""

    @property
    def start(self) -> int:
        return self.edits[0].start

    @property
    def end(self) -> int:
        return self.edits[-1].end


def changing(
    title: str,
    *edits: Edit,
    lost: float = 0,
    come: bool = False,
    spelling: Edit | None = None,
    uncovers: bool = False,
) -> Fix:
    """Return a fix of markup. By default it changes text outside of all values.

    It expects the values of the text with its edits, or with a `spelling` that follows from the finding alone.
    """
    expected = edits if spelling is None else (spelling,)
    return Fix(title, edits, Expected(expected, lost=lost, come=come), uncovers=uncovers)


becoming: Final = partial(changing, lost=1, come=True)
"""One value becomes others."""
everywhere: Final = partial(changing, lost=math.inf, come=True)
"""Any values change."""


def rewriting(
    finding: Finding,
    text: str,
    title: str,
    expected: Expected | None = None,
    *,
    safe: bool = False,
    uncovers: bool = False,
) -> Fix:
    """Return the fix that writes another text in place of a finding, by default as another value."""
    edit = Edit(finding.start, finding.end, text)
    if expected is None:
        return becoming(title, edit, uncovers=uncovers)
    return Fix(title, (edit,), expected, safe, uncovers)


def replacing(text: str, title: str, expected: Expected | None = None, *, safe: bool = False) -> Suggest:
    """Return the function for a fix that writes a text in place of a finding; both have words of its data in braces."""

    def suggest(finding: Finding, _: object) -> Iterator[Fix]:
        written, said = text.format_map(finding.data), title.format_map(finding.data)
        yield rewriting(finding, written, said, expected, safe=safe)

    return suggest


_BOM = "\ufeff"
_RETURNS = re.compile("\r+\n")


def line_removals(document: Document, offset: int) -> list[Edit]:
    """Remove the line of a place, except for a byte-order mark; the last line, with the line end before it."""
    start, end = document.line_at(offset)
    is_last = not document.slice(start, end).endswith("\n")
    if document.slice(start, start + 1) == _BOM:
        start += 1
    edits = [Edit(start, end, "")]
    if is_last and start:
        # no newline ends the last line: in one dialect the newline before it would be content
        before = 2 if document.slice(start - 2, start) == "\r\n" else 1
        edits.append(Edit(start - before, end, ""))
    return edits


def removals(document: Document, start: int, end: int) -> list[Edit]:
    """Return the removals of a part of a line to try: its whole line if nothing else is on it, then the part alone."""
    line_start, line_end = document.line_at(start)
    beside = document.slice(line_start, start) + document.slice(end, line_end)
    alone = Edit(start, end, "")
    return [alone] if beside.strip(" \t\r\n") else [Edit(line_start, line_end, ""), alone]


def after_line_end(document: Document, offset: int) -> int:
    """Return the place after the line end at a place, or the place itself."""
    following = document.slice(offset, offset + 2)
    return offset + (2 if following == "\r\n" else 1 if following[:1] == "\n" else 0)


def removed_returns(document: Document) -> tuple[Edit, ...]:
    # whole line ends, because an editor has no place inside one
    return tuple([Edit(*found.span(), "\n") for found in _RETURNS.finditer(document.text)])


def values_of(text: str, language: Language, settings: Settings) -> list[DecodedValue]:
    """Return all values of a text; those of an inner format follow those of the text around them."""
    return _values(text, _formats(language), settings)


def _formats(language: Language) -> list[_Format]:
    def as_it_is(text: str, _: Settings) -> Decoded:
        return [DecodedValue(text), text]

    # a format without decoded values: its text must not change
    return [(each.name, each.decoded() if each.decoded else as_it_is) for each in language.loaded]


def _values(text: str, formats: Sequence[_Format], settings: Settings) -> list[DecodedValue]:
    read: Decoded = [text]
    within = formats
    while within:
        (_, decode), *within = within
        read = decode(text, settings)
        if read != [text]:
            break
    else:
        # most texts of messages contain no constructs
        return [DecodedValue("", free=text)]
    found = []
    known: dict[frozenset[str], Sequence[_Format]] = {}
    for each in read:
        if isinstance(each, DecodedValue):
            found.append(each)
        elif isinstance(each, str):
            found += _values(each, within, settings)
        else:
            if each.formats not in known:
                known[each.formats] = [one for one in within if one[0] in each.formats]
            found += _values(each.text, known[each.formats], settings)
    return found
