"""The work of a run over a corpus, and how it is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Literal, NamedTuple, TypeVar

from llmblocks.cli.corpus.work import Work
from llmblocks.cli.source import InputError

R = TypeVar("R")


class How(NamedTuple):
    """How a run is made. Shape: `jobs` are processes; `resume` is the folder of `kept`, `address` that of a cluster.
    `memory` is what Ray keeps free for each process, in MB.
    """

    jobs: int = 1
    resume: str | None = None
    engine: Literal["processes", "ray"] = "processes"
    address: str | None = None
    memory: int | None = None


class Job(NamedTuple, Generic[R]):
    """The work of a run.

    Shape: `begin` gives the function for it, once in each process; `unread` is the result of what cannot be read;
           `join` makes one result of several, in their order. Other processes get all three.
    """

    begin: Callable[[], Callable[[Work], R]]
    unread: Callable[[InputError], R]
    join: Callable[[list[R]], R]

    def work(self) -> Callable[[Work | InputError], R]:
        """The function for all of it."""
        do = self.begin()
        return lambda each: self.unread(each) if isinstance(each, InputError) else do(each)
