"""A run on Ray Data: the same work, in the processes of one machine or of a cluster. `pip install 'llmblocks[ray]'`."""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from typing import Any, Generic, TypeVar

from llmblocks.cli.corpus.run import How, Job
from llmblocks.cli.corpus.work import Work
from llmblocks.cli.source import InputError

R = TypeVar("R")
T = TypeVar("T")

_TOGETHER = 8
"""The batches of a task, whose results it merges."""
_AT_ONCE = 4000
"""The batches that are listed before their results are taken: names of files fill the memory, too."""
_STORE = 64_000_000
"""The memory for what goes through Ray, for each process."""
_WORK, _RESULT = "work", "result"


class _Worker(Generic[R]):
    """A process of Ray."""

    def __init__(self, job: Job[R], folder: str) -> None:
        # names are as they were given, from the folder of the command
        os.chdir(folder)
        self._job, self._do = job, job.begin()

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        found: list[Work | InputError] = pickle.loads(row[_WORK])
        try:
            results = [self._job.unread(each) if isinstance(each, InputError) else self._do(each) for each in found]
        except InputError as error:
            # a disk without room, for example: Ray would wrap it, and try again
            return {_RESULT: pickle.dumps(error)}
        return {_RESULT: pickle.dumps(self._job.join(results))}


def run_on_ray(job: Job[R], found: Iterator[Work | InputError], how: How, add: Callable[[R], None]) -> None:
    """Do the work on Ray. Results are taken in the order of the work; Ray does the work of a lost process again.

    Shape:  without an address, Ray starts here with `jobs` processes; otherwise all processors of the cluster are used.
    Errors: `InputError` without Ray, and those of the work.
    """
    # their messages are for developers of Ray
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray: Any = import_module("ray")
        data: Any = import_module("ray.data")
    except ImportError:
        raise InputError("--engine ray needs Ray: pip install 'llmblocks[ray]'") from None
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if how.address is None:
            # otherwise a third of the memory of this machine: what goes through it is names, and results of parts
            store = _STORE * (how.jobs + 1)
            ray.init(address="local", num_cpus=how.jobs, include_dashboard=False, object_store_memory=store, **quiet)
        else:
            ray.init(address=how.address, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(f"Ray at {how.address or 'this machine'} does not answer: {error}") from None
    try:
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        context = data.DataContext.get_current()
        context.enable_progress_bars = False
        context.execution_options.preserve_order = True
        processes = how.jobs if how.address is None else max(int(ray.cluster_resources().get("CPU", 1)), 1)
        most = max([each["Resources"].get("memory", 0) for each in ray.nodes() if each["Alive"]], default=0)
        if how.memory is not None and how.memory * 1_000_000 > most:
            # Ray would wait for it for ever
            raise InputError(
                f"--memory {how.memory}: no machine has so much; the most that Ray has is {most / 1e6:.0f}"
            )
        # as many as have room: Ray would wait for ever for that of all
        compute = data.ActorPoolStrategy(min_size=1, max_size=processes)
        room = {} if how.memory is None else {"memory": how.memory * 1_000_000}
        for listed in _in_parts(found, _AT_ONCE):
            rows = [{_WORK: pickle.dumps(each)} for each in _in_parts(iter(listed), _TOGETHER)]
            tasks = data.from_items(rows, override_num_blocks=len(rows)).map(
                _Worker, fn_constructor_args=(job, os.getcwd()), compute=compute, num_cpus=1, **room
            )
            for row in tasks.iter_rows():
                result = pickle.loads(row[_RESULT])
                if isinstance(result, InputError):
                    raise result
                add(result)
    finally:
        ray.shutdown()


def _in_parts(found: Iterator[T], size: int) -> Iterator[list[T]]:
    while part := [*islice(found, size)]:
        yield part
