"""Work in other processes. Only runs over many files, or large ones, load this module."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from types import TracebackType
from typing import Any, Generic, TypeVar

from llmblocks.core.system import LINUX

T = TypeVar("T")
R = TypeVar("R")

OBJECTS_BEFORE_A_COLLECTION = 50_000


class _SpawnedProcess(SpawnProcess):
    def terminate(self) -> None:
        """Called by a pool that reads no more results: processes ignore the signal that is sent otherwise."""
        self.kill()


class _SpawnedProcesses(SpawnContext):
    Process = _SpawnedProcess


if LINUX:
    from multiprocessing.context import ForkContext, ForkProcess

    class _ForkedProcess(ForkProcess):
        def terminate(self) -> None:
            """As for spawned ones."""
            self.kill()

    class _ForkedProcesses(ForkContext):
        Process = _ForkedProcess


class Workers(Generic[T, R]):
    """Processes that do the same work.

    Shape:  each calls `begin` once, which gives it the function for its work.
    Errors: `OSError` or `ImportError` on systems that cannot have them.
    """

    def __init__(self, begin: Callable[[], Callable[[T], R]], number: int) -> None:
        context = _ForkedProcesses() if can_copy() else _SpawnedProcesses()
        stop, self._stop = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(number, context, _start, (begin, stop))

    def do(self, work: T) -> Future[R]:
        """Do some work. Errors of the future: `BrokenProcessPool` if a process has died."""
        with _without_interrupts():
            return self._pool.submit(_do, work)

    def __enter__(self) -> Workers[T, R]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            # nobody waits for what they are doing
            self._stop.send_bytes(b"stop")
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
    if not LINUX:
        return False
    try:
        # also the threads that Python does not know
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


class _Worker:
    """What a process works with.

    A process ends itself, and never while it sends results: this one would wait for the rest of them for ever.
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        self._lock = threading.Lock()
        self._is_working = False
        self._is_stopped = False

    def do(self, work: Any) -> Any:
        with self._lock:
            if self._is_stopped:
                return None
            self._is_working = True
        try:
            return self._function(work)
        finally:
            with self._lock:
                self._is_working = False

    def end_with(self, parent: multiprocessing.process.BaseProcess, stop: Connection) -> None:
        """Wait until the process that started this one has died, or stops it.

        The message is left in the pipe, for all.
        """
        if parent.sentinel in wait([parent.sentinel, stop]):
            os._exit(1)
        with self._lock:
            if self._is_working:
                os._exit(1)
            self._is_stopped = True
        parent.join()
        os._exit(1)


_workers: list[_Worker] = []


def _start(begin: Callable[[], Callable[[Any], Any]], stop: Connection) -> None:
    # the process that started this one hears them as well, and ends it: in the middle of its results, none may
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    gc.set_threshold(OBJECTS_BEFORE_A_COLLECTION)
    worker = _Worker(begin())
    _workers[:] = [worker]
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=worker.end_with, args=(parent, stop), daemon=True).start()


def _do(work: Any) -> Any:
    (worker,) = _workers
    return worker.do(work)
