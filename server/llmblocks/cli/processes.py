"""A function applied to many pieces of work, in several processes."""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

from llmblocks.cli.arguments import MOST_JOBS
from llmblocks.cli.commands import OBJECTS_BEFORE_A_COLLECTION
from llmblocks.core.system import LINUX, POSIX

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

T = TypeVar("T")
R = TypeVar("R")

_WAITING_EACH = 4
"""The number of waiting pieces of work for each process."""


def processors() -> int:
    """Return the number of processors that this process may use, up to the maximum of a run."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), MOST_JOBS)
    return min(os.cpu_count() or 1, MOST_JOBS)


def mapped(
    work: Iterable[T], here: Callable[[T], R], begin: Callable[[], Callable[[T], R]], jobs: int
) -> Generator[tuple[T, R], None, None]:
    """Yield pieces of work with their results, in order.

    Args:
        work: The pieces.
        here: Does the work in this process: the first piece, so that copies of this process have loaded everything; all
            of it if there is little, or if a process has died.
        begin: Creates the function for other processes.
        jobs: The number of processes.
    """
    left = iter(work)
    first, waiting = [*islice(left, 1)], deque(islice(left, 2))
    # at most one
    done = [(each, here(each)) for each in first]
    if jobs > 1 and len(waiting) > 1 and (pool := _started(begin, jobs)) is not None:
        from concurrent.futures.process import BrokenProcessPool

        due: deque[Future[R]] = deque()
        # one may die: continue without them
        try:
            with suppress(BrokenProcessPool):
                due.extend(_sent(pool, each) for each in waiting)
                while due:
                    if done:
                        yield done.pop()
                    while len(due) < jobs * _WAITING_EACH and not due[0].done() and (more := [*islice(left, 1)]):
                        waiting += more
                        due.append(_sent(pool, *more))
                    interrupted = isinstance(due[0].exception(), KeyboardInterrupt)
                    result = here(waiting[0]) if interrupted else due[0].result()
                    due.popleft()
                    done.append((waiting.popleft(), result))
        finally:
            _end(pool, at_once=bool(due))
    yield from done
    for each in chain(waiting, left):
        yield each, here(each)


def _started(begin: Callable[[], Callable[[Any], Any]], jobs: int) -> ProcessPoolExecutor | None:
    """Return a pool, or None on a system without processes, or without shared memory."""
    is_alone = False
    # Linux: a copy of this process keeps the locks of other threads, including those unknown to Python
    with suppress(OSError):
        is_alone = LINUX and len(os.listdir("/proc/self/task")) == 1
    try:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        return ProcessPoolExecutor(jobs, get_context("fork" if is_alone else "spawn"), _start, (begin,))
    except (ImportError, OSError, NotImplementedError):
        return None


def _sent(pool: ProcessPoolExecutor, work: Any) -> Future[Any]:
    """Send some work. New processes ignore Ctrl-C from their first instruction on."""
    before = None
    # signals can only be changed in the first thread
    with suppress(ValueError):
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return pool.submit(_do, work)
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def _end(pool: ProcessPoolExecutor, *, at_once: bool) -> None:
    """End the processes, without waiting for their work if `at_once`."""
    if at_once and POSIX:
        from multiprocessing import active_children

        for each in active_children():
            with suppress(ProcessLookupError):
                os.kill(each.pid or 0, signal.SIGINT)
    pool.shutdown(wait=not at_once, cancel_futures=True)


_function: Callable[[Any], Any]


def _start(begin: Callable[[], Callable[[Any], Any]]) -> None:
    """Begin a process, which ends with its parent."""
    from multiprocessing import parent_process
    from threading import Thread

    global _function
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.set_threshold(OBJECTS_BEFORE_A_COLLECTION)
    _function = begin()
    if (parent := parent_process()) is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _do(work: Any) -> Any:
    """Do some work. Only the work can be interrupted: half of a result would let the parent wait for the rest."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return _function(work)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
