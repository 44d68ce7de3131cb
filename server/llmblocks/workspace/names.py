"""The names and the calls of files whose text is not kept: a file is read once for both."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from itertools import count
from typing import Protocol

from llmblocks.core.document import scanned
from llmblocks.core.lines import Lines
from llmblocks.core.places import Elsewhere
from llmblocks.core.scan import Scanner
from llmblocks.core.section import Section
from llmblocks.core.symbol import Role, Symbol
from llmblocks.gadget.call import can_be_trimmed, read_body
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.syntax.values import SPACE
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings
from llmblocks.workspace.listing import Stamp, file_number, stamp_of
from llmblocks.workspace.outcomes import LoggedCall

STEP = 1 << 16
"""The number of code points that a step reads, and then the rest of the line."""


class FileNames(Protocol):
    """The names of a file, open or not."""

    def kinds(self) -> Collection[tuple[Role, str]]:
        """Return the roles and kinds of its symbols."""

    def names(self, role: Role, kind: str) -> Collection[str]:
        """Return all defined or referenced names of a kind, unordered."""

    def places(self, role: Role, kind: str, name: str) -> Sequence[Elsewhere]:
        """Return the places of a name, in order."""


class StoredNames:
    """The names of a file that is not open, and the calls of a log.

    Only the lines with names are kept of its text. `stamp` changes with the file.
    """

    __slots__ = ("_file", "_lines", "_rows", "calls", "stamp")

    def __init__(self, file: str, stamp: Stamp = (0, 0)) -> None:
        self.stamp = stamp
        self._file = file
        self._rows: dict[tuple[Role, str], dict[str, list[tuple[int, int, int]]]] = {}
        # by line: its start, and its text up to the last name
        self._lines: dict[int, tuple[int, str]] = {}
        self.calls: tuple[LoggedCall, ...] = ()

    def kinds(self) -> Collection[tuple[Role, str]]:
        return self._rows.keys()

    def names(self, role: Role, kind: str) -> Collection[str]:
        return self._rows.get((role, kind), {}).keys()

    def places(self, role: Role, kind: str, name: str) -> list[Elsewhere]:
        found = []
        for start, end, line in self._rows.get((role, kind), {}).get(name, ()):
            line_start, text = self._lines[line]
            before, at = text[: start - line_start], text[start - line_start : end - line_start]
            found.append(Elsewhere(self._file, start, line, before, at))
        return found

    def read(
        self, text: str, scanner: Scanner, symbols: Callable[[Section], Iterable[Symbol]], arg: str = ""
    ) -> Iterator[None]:
        """Read a text in steps. `arg` is the marker of the arguments of its calls; without it, they are not read."""
        at, state, size = 0, scanner.initial, len(text)
        lines, ends = Lines(text), dict[int, tuple[int, int]]()
        calls, pieces, numbers = list[LoggedCall](), list[Section](), count(1)
        while at < size:
            stop = text.find("\n", at + STEP) + 1 or size
            sections, is_head = scanned(scanner, text[at:stop], state, final=stop == size)
            for section in sections:
                for symbol in symbols(section):
                    self._put(symbol, at, lines, ends)
                if arg:
                    if is_head:
                        calls += _call_of(pieces, arg, numbers)
                        pieces = []
                    pieces.append(section)
                at, state, is_head = at + section.length, section.after, True
            yield
        calls += _call_of(pieces, arg, numbers)
        self._lines = {line: (start, text[start:end]) for line, (start, end) in ends.items()}
        self.calls = (*calls,)

    def _put(self, symbol: Symbol, at: int, lines: Lines, ends: dict[int, tuple[int, int]]) -> None:
        role, kind, name, start, end = symbol
        if role != "boundary":
            line, column = lines.of(at + start)
            _, before = ends.get(line - 1, (0, 0))
            ends[line - 1] = at + start - column + 1, max(before, at + end)
            self._rows.setdefault((role, kind), {}).setdefault(name, []).append((at + start, at + end, line - 1))


def read_names(
    file: str, language: Language, settings: Settings, most: float = math.inf, errors: str = "strict"
) -> Generator[None, None, StoredNames | None]:
    """Read the names of a file in steps, and the calls of a log; None if it is too large, or not UTF-8.

    `most` is the maximum size in bytes, if the settings allow no less; `errors` is that of `bytes.decode`. Raises
    `OSError`.
    """
    read = read_file(file, int(min(most, settings.max_size_mb * 1e6)), errors)
    if read is None:
        return None
    text, stamp = read
    found = StoredNames(file, stamp)
    arg = "" if file_number(os.path.basename(file)) is None else settings.markers.arg
    yield from found.read(text, language.scanner(settings), language.stored, arg)
    return found


def read_file(file: str, most: int, errors: str = "strict") -> tuple[str, Stamp] | None:
    """Return the text of a file, and its stamp; None for more than `most` bytes, or without UTF-8. Raises `OSError`."""
    with open(file, "rb") as opened:
        status = os.fstat(opened.fileno())
        # a growing file may have more by now
        data = opened.read(most + 1) if status.st_size <= most else None
    try:
        return None if data is None or len(data) > most else (data.decode("utf-8", errors), stamp_of(status))
    except ValueError:
        return None


def is_as_read(file: str, stamp: Stamp) -> bool:
    """Return whether a file is unchanged since it was read."""
    try:
        return stamp_of(os.stat(file)) == stamp
    except OSError:
        return False


def _call_of(pieces: Sequence[Section], arg: str, numbers: Iterator[int]) -> Iterator[LoggedCall]:
    """Yield the call of a section, which steps may have cut into pieces. `numbers` are those of calls without an id."""
    if len(pieces) > 1:
        tokens = [token for each in pieces for token in each.tokens]
        pieces = [Section("".join([each.text for each in pieces]), tokens, pieces[0].before, pieces[-1].after)]
    call = call_in(pieces[0]) if pieces else None
    if call is not None:
        name, given, dependencies = call.parts
        invocation_id = f"gadget_{next(numbers)}" if given is None else given
        raw = call.body.strip(SPACE)
        _, problems = (read_body(call.body, arg) if can_be_trimmed(arg) else call).decoded()
        error = problems[0].message if problems else ""
        yield LoggedCall(name, invocation_id, dependencies, error, (len(raw), hash(raw)))
