"""`llmblocks check --watch`: a new report after each change."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from llmblocks.cli.colours import console
from llmblocks.cli.growing import changes
from llmblocks.cli.outcome import counted
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.core.visible import visible
from llmblocks.settings.files import NAMES, parents

Stamp = tuple[int, ...]
Sources = Sequence[SourceFile | InputError]


def watch(
    names: Sequence[str],
    begin: Callable[[], CommandProject],
    find: Callable[[CommandProject], Iterator[SourceFile | InputError]],
    report: Callable[[CommandProject, Sources], Iterable[str]],
    *,
    quiet: bool = False,
) -> None:
    """Check, and check again after each change, until Ctrl-C.

    Args:
        names: The paths to watch.
        begin: Reads the settings again.
        find: Finds the files.
        report: Checks them, writes a report, and returns the paths of other files that affect it.
        quiet: Write nothing else.

    Raises:
        InputError: Watching is impossible.
    """
    folders = {name if os.path.isdir(name) else os.path.dirname(name) or os.curdir for name in names}
    tops = [os.path.abspath(name) for name in names]
    near = {os.path.join(folder, name) for top in tops for folder in (top, *parents(top)) for name in NAMES}
    texts: dict[str, Stamp] = {}
    settings: dict[str, Stamp] = {}
    others: dict[str, Stamp] = {}
    # the watch begins before the first check, so that nothing is missed
    for number, touched in enumerate(changes(sorted(folders), recursive=any(map(os.path.isdir, names)), by="--watch")):
        before = stamps({*near, *settings})
        renewed = any(os.path.basename(path) in NAMES for path in touched) or any(
            stamp != before[path] for path, stamp in settings.items()
        )
        if number and not (touched or renewed or stamps(others) != others):
            continue
        project = begin()
        sources = [*find(project)]
        now = stamps([str(each) if isinstance(each, InputError) else each.name for each in sources])
        beside = [os.path.relpath(path) for path, stamp in stamps(others).items() if stamp != others[path]]
        changed = sorted({*beside, *[name for name in {**texts, **now} if texts.get(name) != now.get(name)]})
        if number and not (renewed or changed):
            continue
        if sys.stdout.isatty():
            console(sys.stdout).clear()
        if not quiet:
            _say("checking" if not number else "the settings have changed" if renewed else _changed(changed))
        texts, others = now, stamps(report(project, sources))
        settings = {**stamps(project.files()), **before}
        if not quiet:
            _say("watching for changes; Ctrl-C stops")


def stamps(paths: Iterable[str]) -> dict[str, Stamp]:
    """Return a value for each path that changes with the file."""
    return {path: _stamp(path) for path in paths}


def _stamp(path: str) -> Stamp:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def _changed(names: Sequence[str]) -> str:
    return f"{visible(names[0])} has changed" if len(names) == 1 else f"{counted(len(names), 'file')} have changed"


def _say(text: str) -> None:
    sys.stderr.write(f"{datetime.now():%H:%M:%S} {text}\n")
    sys.stderr.flush()
