"""Work in several processes, or in this one, whose results are taken in the order of the work."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

    from llmblocks.cli.workers import Workers

T = TypeVar("T")
R = TypeVar("R")

_WAITING_EACH = 4
"""The pieces of work that wait for each process."""
_FEWEST = 2
"""The pieces of work for which processes are started: one alone needs none."""


class _Due(Generic[T, R]):
    __slots__ = ("future", "stays", "work")

    def __init__(self, work: T, stays: bool) -> None:
        self.work, self.stays = work, stays
        self.future: Future[R] | None = None

    @property
    def is_done(self) -> bool:
        return self.stays or (self.future is not None and self.future.done())


class InOrder(Generic[T, R]):
    """A run over work that `jobs` processes do.

    Shape: `begin` gives the function for the work, once in each process; in this one, `here` may give another one.
           What `stays` is done in this one, such as to read standard input. `prepare` gets the first piece of work, and
           loads what processes that are copies of this one need.
    """

    def __init__(
        self,
        begin: Callable[[], Callable[[T], R]],
        jobs: int,
        stays: Callable[[T], bool],
        here: Callable[[], Callable[[T], R]] | None = None,
        prepare: Callable[[T], object] = lambda _: None,
    ) -> None:
        self._begin, self._begin_here, self._stays, self._prepare = begin, here or begin, stays, prepare
        self._jobs = jobs
        self._workers: Workers[T, R] | None = None

    def results(self, found: Iterator[T]) -> Generator[R, None, None]:
        """Do all of the work. The processes end when the generator does."""
        waiting: deque[_Due[T, R]] = deque()
        with ExitStack() as stack:
            for work in found:
                waiting.append(_Due(work, self._stays(work)))
                self._send(waiting, stack)
                while waiting and (waiting[0].is_done or len(waiting) > self._most):
                    yield self._result(waiting.popleft())
            while waiting:
                yield self._result(waiting.popleft())

    @property
    def _most(self) -> int:
        return self._jobs * _WAITING_EACH if self._jobs > 1 else 0

    @cached_property
    def _here(self) -> Callable[[T], R]:
        return self._begin_here()

    def _send(self, waiting: deque[_Due[T, R]], stack: ExitStack) -> None:
        unsent = [each for each in waiting if each.future is None and not each.stays]
        if self._workers is None and self._jobs > 1 and len(unsent) >= _FEWEST:
            self._start(unsent[0].work, stack)
        if (workers := self._workers) is None:
            return
        for due in unsent:
            try:
                due.future = workers.do(due.work)
            except RuntimeError:
                self._died()
                return

    def _start(self, first: T, stack: ExitStack) -> None:
        try:
            from llmblocks.cli.workers import Workers, can_copy

            if can_copy():
                self._prepare(first)
            self._workers = stack.enter_context(Workers(self._begin, self._jobs))
        except (ImportError, OSError, NotImplementedError):
            # a system without processes, or without shared memory
            self._jobs = 1

    def _result(self, due: _Due[T, R]) -> R:
        if due.future is not None:
            from concurrent.futures.process import BrokenProcessPool

            try:
                return due.future.result()
            except BrokenProcessPool:
                # nothing of this work has been taken
                self._died()
        return self._here(due.work)

    def _died(self) -> None:
        """Go on without processes: one has died."""
        self._workers, self._jobs = None, 1
