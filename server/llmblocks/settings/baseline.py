"""A baseline: the findings that a team has accepted for now, so that only new ones count."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from llmblocks.facts.fingerprint import NO_LINE
from llmblocks.settings.files import read_named, why_not_read

VERSION: Final = 1
_MOST_BYTES: Final = 64 << 20
_WORDS: Final = 4
_OWN: Final = 3


class BaselineError(ValueError):
    pass


class Matched(NamedTuple):
    """The findings of a baseline among others."""

    known: dict[str, list[bool]]
    """For each finding of each file, whether the baseline has it."""
    fixed: int
    """The findings that the baseline has of these files, and that are gone."""


class Baseline(NamedTuple):
    """The fingerprints of accepted findings, by the absolute path of the file."""

    path: str
    entries: Mapping[str, Sequence[str]]

    def matched(self, found: Mapping[str, Sequence[str]]) -> Matched:
        """Compare the fingerprints of the findings of some files, in order, with the baseline.

        Each entry stands for one finding. In its own file, the marked text with its line is enough, and the lines
        around it decide between equal ones. In another file, one of those must be equal too; the entries of a file
        count there if it has been checked as well, or no longer exists.
        """
        known = {file: [False] * len(each) for file, each in found.items()}
        left = {file: [*self.entries.get(file, ())] for file in found}
        for file, prints in found.items():
            for level in range(_OWN + 1):
                if left[file] and not all(known[file]):
                    left[file] = _taken(prints, known[file], left[file], level)
        new = [(file, number) for file, flags in known.items() for number, flag in enumerate(flags) if not flag]
        fixed = sum(map(len, left.values()))
        if not new:
            return Matched(known, fixed)
        moved = [each for entries in left.values() for each in entries]
        moved += self._of_files_gone(found, {_keys(found[file][number])[_OWN] for file, number in new})
        prints, flags = [found[file][number] for file, number in new], [False] * len(new)
        for level in range(_OWN):
            moved = _taken(prints, flags, moved, level)
        for (file, number), flag in zip(new, flags, strict=True):
            known[file][number] = flag
        return Matched(known, max(fixed - sum(flags), 0))

    def _of_files_gone(self, found: Mapping[str, Sequence[str]], wanted: set[object]) -> Iterator[str]:
        for file, entries in self.entries.items():
            near = [each for each in entries if _keys(each)[_OWN] in wanted] if file not in found else ()
            if near and not os.path.lexists(file):
                yield from near

    def updated(self, found: Mapping[str, Sequence[str]]) -> Baseline:
        """Return the baseline with the findings of some files unchanged, without files that no longer exist."""
        kept = {file: each for file, each in self.entries.items() if file not in found and os.path.lexists(file)}
        return Baseline(self.path, kept | {file: each for file, each in found.items() if each})

    def as_text(self) -> str:
        """Return the content of its file: a line for each finding, so that versions are merged line by line."""
        folder = os.path.dirname(self.path)
        shown = {os.path.relpath(file, folder).replace(os.sep, "/"): [*each] for file, each in self.entries.items()}
        return json.dumps({"version": VERSION, "findings": dict(sorted(shown.items()))}, indent=1) + "\n"


def read_baseline(path: str) -> Baseline:
    """Read a baseline from an absolute path; without a file, it is empty. Raises `BaselineError`."""
    if not os.path.lexists(path):
        return Baseline(path, {})
    try:
        given = json.loads(read_named(path, _MOST_BYTES).decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise BaselineError(f"it is not JSON: {error.msg} on line {error.lineno}") from None
    except (OSError, ValueError) as error:
        raise BaselineError(why_not_read(error)) from None
    except RecursionError:
        raise BaselineError("it is nested too deeply") from None
    if not isinstance(given, dict) or given.get("version") != VERSION:
        raise BaselineError(f"it is not a baseline of llmblocks in version {VERSION}")
    return Baseline(path, dict(_entries(given.get("findings"), os.path.dirname(path))))


def _entries(findings: object, folder: str) -> Iterator[tuple[str, Sequence[str]]]:
    if not isinstance(findings, dict):
        raise BaselineError("it has no object findings")
    for name, prints in findings.items():
        if not isinstance(prints, list) or not all(
            isinstance(each, str) and len(each.split(" ")) == _WORDS for each in prints
        ):
            raise BaselineError(f"its findings of {name} are not a list of fingerprints")
        yield os.path.normpath(os.path.join(folder, name)), prints


def _taken(prints: Sequence[str], known: list[bool], entries: Sequence[str], level: int) -> list[str]:
    """Match findings that are not known yet with entries, each once; returns the entries that are left."""
    waiting: defaultdict[object, list[int]] = defaultdict(list)
    for number in range(len(entries) - 1, -1, -1):
        waiting[_keys(entries[number])[level]].append(number)
    waiting.pop(None, None)
    used = set()
    for number, each in enumerate(prints):
        if not known[number] and (places := waiting.get(_keys(each)[level])):
            used.add(places.pop())
            known[number] = True
    return [each for number, each in enumerate(entries) if number not in used]


def _keys(print_: str) -> tuple[object, ...]:
    """Return the parts of a fingerprint that may be equal, the largest first; None for one that is not compared."""
    code, own, before, after = print_.split(" ")
    with_before = None if before == NO_LINE else (code, own, before)
    with_after = None if after == NO_LINE else (code, own, after)
    return print_, with_before, with_after, (code, own)
