"""`llmblocks check --watch`: a new report after each change."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.cli.checked_file import CheckedFile, CheckOptions
from llmblocks.cli.growing import changes
from llmblocks.cli.outcome import counted
from llmblocks.cli.project import CommandProject
from llmblocks.cli.schedule import Done, Resources, check_all
from llmblocks.cli.source import CACHE_FOLDER, InputError, SourceFile
from llmblocks.core.visible import visible
from llmblocks.languages.registry import find_language
from llmblocks.settings.nearest import NAMES, parents
from llmblocks.workspace.files_beside import is_missing

if TYPE_CHECKING:
    from llmblocks.cli.run import Check

_IGNORES = (".gitignore", "exclude")

Stamp = tuple[int, ...]
Sources = Callable[[CommandProject], Iterator[SourceFile | InputError]]
Reporter = Callable[[CommandProject, Sequence[SourceFile | InputError], "Check"], None]


class Watch(NamedTuple):
    """A check that is repeated.

    Shape: `names` are the paths to watch. `project` reads the settings anew, `sources` finds the files, `report` checks
           them and writes a report. `clear` is called before each report.
    """

    names: Sequence[str]
    project: Callable[[], CommandProject]
    sources: Sources
    report: Reporter
    clear: Callable[[], None]

    def run(self, *, quiet: bool = False) -> int:
        """Check, and check again after each change, until Ctrl-C. Errors: `InputError` if that is not possible."""
        folders = {name if os.path.isdir(name) else os.path.dirname(name) or os.curdir for name in self.names}
        watched = changes(sorted(folders), recursive=any(map(os.path.isdir, self.names)), by="--watch")
        project, memory = self.project(), Memory()
        outside = _Outside(self.names)
        # the first change is none: the watch begins before the first check, so that nothing is missed
        for number, found in enumerate(watched):
            touched = {path for path in found if not _is_own(path)}
            renewed = outside.changed(project, touched)
            beside = memory.come_or_gone()
            if number and not (renewed or beside or any(_matters(path, project, memory) for path in touched)):
                continue
            if renewed:
                project, memory = self.project(), memory.emptied()
            project.begin_again()
            sources = [*self.sources(project)]
            changed = sorted({*memory.take(sources, project, touched), *beside})
            if number and not (renewed or changed):
                continue
            self.clear()
            if not quiet:
                _say(_reason(number, changed, settings=renewed))
            self.report(project, sources, memory.check)
            outside.note(project)
            if not quiet:
                _say("watching for changes; Ctrl-C stops")
        return 0


class Memory:
    """The outcomes of the last check, by path. Those that depend on other files are not kept."""

    def __init__(self, names: Collection[str] = ()) -> None:
        self._names = {*names}
        self._stamps: dict[str, Stamp] = {}
        self._known: dict[str, CheckedFile] = {}
        self._looked: dict[str, tuple[tuple[str, bool], ...]] = {}

    def emptied(self) -> Memory:
        """A memory of the files, without their outcomes."""
        return Memory(self._names)

    def take(
        self, sources: Sequence[SourceFile | InputError], project: CommandProject, touched: Collection[str]
    ) -> list[str]:
        """Take in which files there are now, and which have been touched. Returns the names of those that differ."""
        paths = {project.path(each.name): each.name for each in sources if isinstance(each, SourceFile)}
        stamps = {path: stamp_of(path) for path in paths}
        different = {path for path in paths if path in touched or stamps[path] != self._stamps.get(path)}
        names = {*paths.values(), *[str(each) for each in sources if isinstance(each, InputError)]}
        changed = sorted({*[paths[path] for path in different], *(names ^ self._names)})
        self._known = {path: each for path, each in self._known.items() if path in paths and path not in different}
        self._names, self._stamps = names, stamps
        return changed

    def knows(self, path: str) -> bool:
        """Whether this is the path of a file."""
        return path in self._stamps

    def come_or_gone(self) -> list[str]:
        """The files that an outcome depends on by being there, and that have come or gone: watched or not."""
        looked = {each for name in self._names for each in self._looked.get(name, ())}
        return [os.path.relpath(path) for path, was_there in looked if is_missing(path) is was_there]

    def has_below(self, folder: str) -> bool:
        """Whether a folder has had files."""
        start = os.path.join(folder, "")
        return any(path.startswith(start) for path in self._stamps)

    def check(
        self,
        sources: Iterator[SourceFile | InputError],
        project: CommandProject,
        options: CheckOptions,
        resources: Resources,
    ) -> Generator[tuple[Done, bool], None, None]:
        """The same as `check_all`, for which only the outcomes that are not known are found."""
        listed = [*sources]
        known = [None if isinstance(each, InputError) else self._known.get(project.path(each.name)) for each in listed]
        unknown = [each for each, checked in zip(listed, known, strict=True) if checked is None]
        with closing(check_all(iter(unknown), project, options, resources)) as outcomes:
            for source, checked in zip(listed, known, strict=True):
                if checked is not None:
                    yield (source, checked), False
                    continue
                (_, found), is_long = next(outcomes)
                self._looked[str(source.name if isinstance(source, SourceFile) else source)] = found.looked
                if isinstance(source, SourceFile) and not (
                    found.error or found.looked or project.is_log(find_language(source.language_id), source.name)
                ):
                    self._known[project.path(source.name)] = found
                yield (source, found), is_long


class _Outside:
    """The files that a check depends on, and that may be outside of what is watched."""

    def __init__(self, names: Sequence[str]) -> None:
        tops = [os.path.abspath(name) for name in names]
        around = {folder for top in tops for folder in (top, *parents(top))}
        self._always = {os.path.join(folder, name) for folder in around for name in (*NAMES, ".gitignore")}
        self._stamps: dict[str, Stamp] = {}

    def changed(self, project: CommandProject, touched: Collection[str]) -> bool:
        """Whether one of them has changed since the last time, or a new settings file is among what was touched."""
        before = self._stamps
        self._always.update(path for path in touched if os.path.basename(path) in NAMES)
        self._stamps = {path: stamp_of(path) for path in (*self._always, *project.files())}
        return any(
            found != before.get(path, None if path in touched else found) for path, found in self._stamps.items()
        )

    def note(self, project: CommandProject) -> None:
        """Take in the files that have been read for the first time."""
        self._stamps.update({path: stamp_of(path) for path in project.files() if path not in self._stamps})


def stamp_of(path: str) -> Stamp:
    """A value that changes with a file."""
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def _matters(path: str, project: CommandProject, memory: Memory) -> bool:
    """Whether a change at a path may change a report."""
    if os.path.basename(path) in _IGNORES or os.path.isdir(path) or project.language_of(path) is not None:
        return True
    return memory.knows(path) or memory.has_below(path)


def _is_own(path: str) -> bool:
    return CACHE_FOLDER in path.split(os.sep)


def _reason(number: int, changed: Sequence[str], *, settings: bool) -> str:
    if not number:
        return "checking"
    if settings:
        return "the settings have changed"
    return (
        f"{visible(changed[0])} has changed" if len(changed) == 1 else f"{counted(len(changed), 'file')} have changed"
    )


def _say(text: str) -> None:
    sys.stderr.write(f"{datetime.now():%H:%M:%S} {text}\n")
    sys.stderr.flush()
