"""What a program reads around some edits, before them and after: no refactoring is offered that breaks its promise."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

from llmblocks.contract.decoded import DecodedValue
from llmblocks.core.document import Document
from llmblocks.core.edits import Edit, edited
from llmblocks.languages.ask import Ask
from llmblocks.refactors.selected import said_in
from llmblocks.rules.surroundings import surroundings
from llmblocks.rules.values import values_of

LONGEST = 1 << 16
"""The most characters that are read to offer a refactoring."""
_Any = TypeVar("_Any")
_NUMBERED = re.compile(r", 'gadget_[0-9]+'(?=, \([^()]*\)\)\Z)")
_AFTER_NUMBERED = re.compile(r", \([^()]*'gadget_[0-9][^()]*\)\)\Z")


class ReadCall(NamedTuple):
    """A call."""

    name: str
    head: str
    """No id where the runtime has numbered the call and nobody waits for it."""
    parts: tuple[tuple[str, str], ...]
    accepted: bool
    body: str
    """Between header and end."""


class ReadText(NamedTuple):
    """A message, or a text outside of messages."""

    head: str
    calls: list[ReadCall]
    blocks: list[tuple[str, str]]
    """Pairs of all that is said of one, and of its content."""
    words: str
    """Outside of calls and blocks, without blanks."""


class RefactoredLines:
    """Some whole lines as a program reads them."""

    def __init__(self, text: str, ask: Ask) -> None:
        self.text = text
        self.settings = ask.settings
        self._language = ask.language

    @cached_property
    def document(self) -> Document:
        """The lines alone."""
        return self._language.open(self.text, self.settings)

    @cached_property
    def texts(self) -> list[ReadText]:
        """What is read."""
        return [*_texts(values_of(self.text, self._language, self.settings))]


class RefactoringChange(NamedTuple):
    """Some lines before edits and after them, and what the refactoring was asked about."""

    old: RefactoredLines
    new: RefactoredLines
    ask: Ask


Promise = Callable[[RefactoringChange], bool]


class Promises:
    """The promises of refactorings at one place."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._known: dict[tuple[int, int], RefactoredLines] = {}

    def keep(self, promise: Promise, edits: Sequence[Edit], *, whole: bool = False) -> bool:
        """Return whether edits keep a promise, and leave the text behind them as it is.

        Returns:
            Only `whole` reads more than `LONGEST` characters.
        """
        document = self._ask.document
        size = len(document)
        # the line in front of an edit may end there no longer
        around = None if whole else surroundings(document, max(edits[0].start - 1, 0), edits[-1].end, LONGEST)
        if around is not None and not around.are(self._read(around.start, around.end).document):
            around = None
        if around is None and not whole and size > LONGEST:
            return False
        start, end, last = (around.start, around.end, around.last) if around else (0, size, True)
        old = self._read(start, end)
        moved = [Edit(each.start - start, each.end - start, each.text) for each in edits]
        new = RefactoredLines(edited(old.text, moved), self._ask)
        if not last and new.document.end_state != old.document.end_state:
            return False
        try:
            return promise(RefactoringChange(old, new, self._ask))
        except RecursionError:
            return False  # values that are nested deeper than Python can look

    def _read(self, start: int, end: int) -> RefactoredLines:
        if (start, end) not in self._known:
            self._known[start, end] = RefactoredLines(self._ask.document.slice(start, end), self._ask)
        return self._known[start, end]


def _texts(values: Sequence[DecodedValue]) -> Iterator[ReadText]:
    waited = any(_AFTER_NUMBERED.search(each.head) for each in values)
    head, calls, blocks, words = "", list[ReadCall](), list[tuple[str, str]](), list[str]()
    for value in values:
        if value.message is not None:
            yield ReadText(head, calls, blocks, "".join(words))
            head, calls, blocks, words = value.head, [], [], []
        elif value.content is not None:
            blocks.append((value.head + repr(value.parts), value.content))
        elif value.head:
            # 1, 1.0 and true are equal in Python
            parts = tuple([(name, repr(part)) for name, part in value.parts])
            said = value.head if waited else _NUMBERED.sub("", value.head)
            calls.append(ReadCall(value.name, said, parts, value.accepted, value.body))
        else:
            words += value.free.split()
    yield ReadText(head, calls, blocks, "".join(words))


def one_more_call(change: RefactoringChange) -> bool:
    """Return whether the only news is a call whose one argument has the selected words."""
    pair = _one_differs(change.old.texts, change.new.texts)
    if pair is None or pair[0].blocks != pair[1].blocks:
        return False
    number = _inserted(pair[0].calls, pair[1].calls)
    call = pair[1].calls[number] if number is not None else None
    if call is None or not call.accepted or len(call.parts) != 1:
        return False
    value, words = call.parts[0][1], _words(said_in(change.ask))
    # what looks like a number or a truth value is one to the runtime
    is_text = value.startswith(("'", '"'))
    return (not is_text or _words(literal_eval(value)) == words) and _has_gone(pair[0].words, pair[1].words, words)


def one_more_block(change: RefactoringChange) -> bool:
    """Return whether the only news is a block with the selected words."""
    return _words(said_in(change.ask)) == _block_more(change.old.texts, change.new.texts)


def one_less_block(change: RefactoringChange) -> bool:
    """Return whether the only news is that a block has become text."""
    return _block_more(change.new.texts, change.old.texts) is not None


def changed_calls(change: RefactoringChange) -> list[tuple[ReadCall, ReadCall]] | None:
    """Return the calls that have other arguments, in pairs, before and after; None if anything else has changed."""
    if len(change.old.texts) != len(change.new.texts):
        return None
    found = []
    for one, other in zip(change.old.texts, change.new.texts, strict=True):
        if one._replace(calls=other.calls) != other or [each.head for each in one.calls] != [
            each.head for each in other.calls
        ]:
            return None
        found += [pair for pair in zip(one.calls, other.calls, strict=True) if pair[0] != pair[1]]
    return found


def same_values(change: RefactoringChange) -> bool:
    """Return whether a program reads the same."""
    return changed_calls(change) == []


def _one_differs(old: Sequence[ReadText], new: Sequence[ReadText]) -> tuple[ReadText, ReadText] | None:
    """Return the one text that has changed, before and after."""
    if [each.head for each in old] != [each.head for each in new]:
        return None
    pairs = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
    return pairs[0] if len(pairs) == 1 else None


def _block_more(old: Sequence[ReadText], new: Sequence[ReadText]) -> str | None:
    """Return the words of the block that is the only news."""
    pair = _one_differs(old, new)
    number = _inserted(pair[0].blocks, pair[1].blocks) if pair is not None and pair[0].calls == pair[1].calls else None
    if pair is None or number is None:
        return None
    words = _words(pair[1].blocks[number][1])
    return words if _has_gone(pair[0].words, pair[1].words, words) else None


def _words(text: str) -> str:
    return "".join(text.split())


def _inserted(old: Sequence[_Any], new: Sequence[_Any]) -> int | None:
    """Return the number of the one value that has come; None if anything else has changed."""
    pairs = enumerate(zip(old, new, strict=False))
    number = next((number for number, (one, other) in pairs if one != other), len(old))
    return number if len(new) == len(old) + 1 and [*new[:number], *new[number + 1 :]] == [*old] else None


def _has_gone(old: str, new: str, part: str) -> bool:
    """Return whether a text is another without a part of it."""
    at = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), len(new))
    gone = old[at : at + len(old) - len(new)]
    # a part that ends as it begins could have gone from several places
    return len(gone) == len(part) and gone in part + part and old[:at] + old[at + len(gone) :] == new
