"""Checks in other processes. Only runs over many files, or large ones, load this module."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from types import TracebackType

from llmblocks.cli.checked_file import CheckedFile, Wish
from llmblocks.cli.checking import FileChecker
from llmblocks.cli.files import SourceFile
from llmblocks.cli.project import Project, ProjectArguments

_OBJECTS_BEFORE_A_COLLECTION = 50_000
_checkers: list[FileChecker] = []


class Workers:
    """Processes that check files. Errors: `OSError` or `ImportError` on systems that cannot have them."""

    def __init__(self, plan: ProjectArguments, wish: Wish, number: int) -> None:
        context = multiprocessing.get_context("fork" if can_copy() else "spawn")
        self._pool = ProcessPoolExecutor(number, context, _start, (plan, wish))

    def check(self, sources: Sequence[SourceFile]) -> Future[list[CheckedFile]]:
        """Check some files, in order. Errors of the future: `BrokenProcessPool` if a process has died."""
        with _without_interrupts():
            return self._pool.submit(_check, sources)

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            # nobody waits for what they are doing
            for each in multiprocessing.active_children():
                each.terminate()
        self._pool.shutdown(cancel_futures=True)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes that are started here ignore Ctrl-C from their first instruction on; this one ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def can_copy() -> bool:
    """Whether workers are copies of this process: they start in a millisecond, and have loaded what it has loaded.

    Shape: on Linux, and with one thread. A copy keeps the locks of other threads, and libraries of macOS fail in it.
    """
    if sys.platform != "linux":
        return False
    try:
        # also the threads that Python does not know
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def _start(plan: ProjectArguments, wish: Wish) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(_OBJECTS_BEFORE_A_COLLECTION)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    _checkers[:] = [FileChecker(Project.of(plan), wish)]


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _check(sources: Sequence[SourceFile]) -> list[CheckedFile]:
    (checker,) = _checkers
    return [checker.check(source) for source in sources]
