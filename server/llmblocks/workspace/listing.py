"""The files of a folder of an agent's logs; read in steps, as an editor does while idle, or at once."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import suppress
from typing import NamedTuple, TypeVar

from llmblocks.workspace.log_place import agent_number, file_number

T = TypeVar("T")
Stamp = tuple[int, int]
"""Changes with a file."""
_AT_ONCE = 256
"""The number of entries of a folder that one step reads."""


class NumberedFile(NamedTuple):
    """A response, a request, or the folder of a sub-agent."""

    number: int
    name: str
    path: str
    stamp: Stamp


class Listing(NamedTuple):
    """The numbered files of a folder, each list in order."""

    responses: list[NumberedFile]
    requests: list[NumberedFile]
    agents: list[NumberedFile]

    @property
    def numbers(self) -> tuple[dict[str, int], list[int]]:
        """The numbers of the responses, by path, and of the sub-agents."""
        return {each.path: each.number for each in self.responses}, [each.number for each in self.agents]


NOTHING = Listing([], [], [])


def listing(folder: str) -> Generator[None, None, Listing]:
    """List a folder in steps. Raises `OSError`."""
    found = Listing([], [], [])
    with os.scandir(folder or os.curdir) as entries:
        for count, entry in enumerate(entries, 1):
            if count % _AT_ONCE == 0:
                yield
            number, agent = file_number(entry.name), agent_number(entry.name)
            # a file may be gone
            with suppress(OSError):
                path = os.path.join(folder, entry.name)
                if number is not None and entry.is_file():
                    of_kind = found.responses if entry.name.lower().endswith(".response") else found.requests
                    of_kind.append(NumberedFile(number, entry.name, path, stamp_of(entry.stat())))
                elif agent is not None and entry.is_dir():
                    found.agents.append(NumberedFile(agent, entry.name, path, (0, 0)))
    return Listing(*map(sorted, found))


def stamp_of(status: os.stat_result) -> Stamp:
    """Return the stamp of a file."""
    return status.st_mtime_ns, status.st_size


def finished(work: Generator[None, None, T]) -> T:
    """Do all the work, and return its result."""
    try:
        while True:
            next(work)
    except StopIteration as end:
        found: T = end.value
        return found
