"""`llmblocks check --watch`: a new report after each change."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime

from llmblocks.cli.checked_file import CheckedFile
from llmblocks.cli.colours import console
from llmblocks.cli.growing import changes
from llmblocks.cli.outcome import counted
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import CACHE_FOLDER, InputError, SourceFile
from llmblocks.core.visible import visible
from llmblocks.languages.registry import find_language
from llmblocks.settings.nearest import NAMES, parents
from llmblocks.workspace.files_beside import is_missing

_IGNORES = (".gitignore", "exclude")

Stamp = tuple[int, ...]
Sources = Sequence[SourceFile | InputError]


def watch(
    names: Sequence[str],
    begin: Callable[[], CommandProject],
    find: Callable[[CommandProject], Iterator[SourceFile | InputError]],
    report: Callable[[CommandProject, Sources, Memory], None],
    *,
    quiet: bool = False,
) -> None:
    """Check, and check again after each change, until Ctrl-C.

    Shape:  `names` are the paths to watch. `begin` reads the settings anew, `find` finds the files, `report` checks
            them and writes a report.
    Errors: `InputError` if that is not possible.
    """
    folders = {name if os.path.isdir(name) else os.path.dirname(name) or os.curdir for name in names}
    watched = changes(sorted(folders), recursive=any(map(os.path.isdir, names)), by="--watch")
    project, memory = begin(), Memory()
    outside = _Outside(names)
    # the first change is none: the watch begins before the first check, so that nothing is missed
    for number, found in enumerate(watched):
        touched = {path for path in found if CACHE_FOLDER not in path.split(os.sep)}
        renewed = outside.changed(project, touched)
        beside = memory.come_or_gone()
        if number and not (renewed or beside or any(_matters(path, project, memory) for path in touched)):
            continue
        if renewed:
            project, memory = begin(), memory.emptied()
        project.begin_again()
        sources = [*find(project)]
        changed = sorted({*memory.take(sources, project, touched), *beside})
        if number and not (renewed or changed):
            continue
        if sys.stdout.isatty():
            console(sys.stdout).clear()
        if not quiet:
            _say(_reason(number, changed, settings=renewed))
        report(project, sources, memory)
        outside.note(project)
        if not quiet:
            _say("watching for changes; Ctrl-C stops")


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

    def take(self, sources: Sources, project: CommandProject, touched: Collection[str]) -> list[str]:
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

    def known(self, path: str) -> CheckedFile | None:
        """The outcome for a file that has not changed."""
        return self._known.get(path)

    def keep(self, source: SourceFile, project: CommandProject, found: CheckedFile) -> None:
        """Keep an outcome, if it depends on no other file."""
        self._looked[source.name] = found.looked
        if not (found.error or found.looked or project.is_log(find_language(source.language_id), source.name)):
            self._known[project.path(source.name)] = found


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
