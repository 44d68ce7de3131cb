"""Growing files, and `llmblocks check --watch`: the system reports changes."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from llmblocks.cli.output import console
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile, counted
from llmblocks.core.lines import visible
from llmblocks.core.system import parents
from llmblocks.settings.files import NAMES

_CHUNK = 1 << 16
_REMEMBERED = 1 << 10
"""The number of bytes by which a replaced file is detected: the last ones read."""
_WAIT_MS, _QUIET_MS = 100, 50


def changes(folders: Sequence[str], *, recursive: bool, by: str) -> Iterator[set[str]]:
    """Yield the changed paths repeatedly, until Ctrl-C; at first and after each pause, none.

    Raises:
        InputError: The library for `by` is not installed, or a folder does not exist.
    """
    try:
        from watchfiles import DefaultFilter, watch
    except ImportError:
        raise InputError(
            f"{by} needs the package watchfiles; install it with: pip install 'llmblocks[watch]'"
        ) from None
    if missing := [folder for folder in folders if not os.path.isdir(folder)]:
        raise InputError(f"{missing[0]}: no such folder")
    watched = watch(
        *folders,
        watch_filter=DefaultFilter(),
        step=_QUIET_MS,
        rust_timeout=_WAIT_MS,
        yield_on_timeout=True,
        recursive=recursive,
        ignore_permission_denied=True,
    )
    return ({path for _, path in found} for found in watched)


class GrowingFile:
    """A file that another program writes.

    Reading raises `OSError`, or `UnicodeDecodeError` if it is not UTF-8.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._begin()

    def _begin(self) -> None:
        self._at, self._last = 0, b""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def appended(self) -> Iterator[str | None]:
        """Yield the text appended since the last call. None precedes a text that has replaced another."""
        with open(self._path, "rb") as file:
            file.seek(self._at - len(self._last))
            if file.read(len(self._last)) != self._last:
                self._begin()
                yield None
                file.seek(0)
            while data := file.read(_CHUNK):
                self._at += len(data)
                self._last = (self._last + data)[-_REMEMBERED:]
                # half of a character is still arriving
                text = self._decoder.decode(data)
                if text:
                    yield text


Stamp = tuple[int, ...]
Sources = Iterable[SourceFile | InputError]


def watch(
    names: Sequence[str],
    begin: Callable[[], tuple[CommandProject, Sources]],
    report: Callable[[CommandProject, Sources], Iterable[str]],
    *,
    quiet: bool = False,
) -> None:
    """Check, and check again after each change of these paths, until Ctrl-C.

    Args:
        names: The paths to watch.
        begin: Reads the settings again, and finds the files.
        report: Checks them, writes a report, and returns the paths of other files that affect it.
        quiet: Write nothing else.

    Raises:
        InputError: Watching is impossible.
    """
    folders = {name if os.path.isdir(name) else os.path.dirname(name) or os.curdir for name in names}
    tops = [os.path.abspath(name) for name in names]
    near = {os.path.join(folder, name) for top in tops for folder in (top, *parents(top)) for name in NAMES}
    # what no event reports, because it may be outside of the folders
    beside, known = {*near}, stamps(near)
    # the watch begins before the first check, so that nothing is missed
    for number, touched in enumerate(changes(sorted(folders), recursive=any(map(os.path.isdir, names)), by="--watch")):
        if number and not touched and all(stamp == known[path] for path, stamp in stamps(beside).items()):
            continue
        project, found = begin()
        sources = [*found]
        now = stamps({*beside, *[str(each) if isinstance(each, InputError) else each.name for each in sources]})
        changed = sorted([path for path in {**known, **now} if known.get(path) != now.get(path)])
        if number and not changed:
            continue
        if sys.stdout.isatty():
            console(sys.stdout).clear()
        if not quiet:
            many = visible(changed[0]) + " has" if len(changed) == 1 else f"{counted(len(changed), 'file')} have"
            _say(f"{many} changed" if number else "checking")
        beside = {*near, *report(project, sources), *project.files()}
        known = {**stamps(beside), **now}
        if not quiet:
            _say("watching for changes; Ctrl-C stops")


def stamps(paths: Iterable[str]) -> dict[str, Stamp]:
    """Return a value for each path that changes with the file."""
    found: dict[str, Stamp] = {}
    for path in paths:
        try:
            status = os.stat(path)
            found[path] = status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
        except OSError:
            found[path] = ()
    return found


def _say(text: str) -> None:
    sys.stderr.write(f"{datetime.now():%H:%M:%S} {text}\n")
    sys.stderr.flush()
