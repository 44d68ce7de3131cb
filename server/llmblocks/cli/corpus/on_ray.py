"""A run on Ray Data: the same work, in the processes of one machine or of a cluster. `pip install 'llmblocks[ray]'`."""

from __future__ import annotations

import gc
import logging
import os
import pickle
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from itertools import islice
from typing import Any, Generic, TypeVar

from llmblocks.cli.commands import OBJECTS_BEFORE_A_COLLECTION
from llmblocks.cli.corpus.run import Job, RunOptions
from llmblocks.cli.corpus.texts import Work
from llmblocks.cli.source import InputError

R = TypeVar("R")

_TOGETHER = 4
"""The number of batches of a task, whose results it merges. At the end of a run, one task may run while others are
idle.
"""
_TASKS_AT_ONCE = 1000
"""The maximum number of tasks in the queue, since names of files fill the memory, too."""
_STORE = 64_000_000
"""The memory of each process for data in transit through Ray."""
_WORK, _RESULT = "work", "result"


class _RayWorker(Generic[R]):
    def __init__(self, job: Job[R], folder: str) -> None:
        # names are unchanged, relative to the folder of the command
        os.chdir(folder)
        # as in our own processes; Ray has loaded more
        gc.set_threshold(OBJECTS_BEFORE_A_COLLECTION)
        self._join, self._do = job.join, job.work()

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        found: list[Work | InputError] = pickle.loads(zlib.decompress(row[_WORK]))
        try:
            results = [*map(self._do, found)]
        except InputError as error:
            # for example, the disk is full: Ray would wrap the error, and retry
            return {_RESULT: pickle.dumps(error)}
        return {_RESULT: pickle.dumps(self._join(results))}


def run_on_ray(job: Job[R], found: Iterator[Work | InputError], how: RunOptions, add: Callable[[R], None]) -> None:
    """Do the work on Ray. Results are taken in the order of the work; Ray repeats the work of a lost process.

    Without an address, Ray starts here with `jobs` processes; otherwise all processors of the cluster are used.
    `InputError` without Ray, and for errors of the work.
    """
    # their messages are for developers of Ray
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray: Any = import_module("ray")
        data: Any = import_module("ray.data")
    except ImportError:
        raise InputError("--engine ray needs Ray: pip install 'llmblocks[ray]'") from None
    # Ray prints messages of its processes, such as a dead one; standard output is only for the result
    with redirect_stdout(sys.stderr):
        try:
            options = _start(ray, how)
            logging.getLogger("ray.data").setLevel(logging.ERROR)
            context = data.DataContext.get_current()
            context.enable_progress_bars = False
            context.execution_options.preserve_order = True
            # at least one, and as many as fit: Ray would wait forever for all of them
            everywhere = ray.cluster_resources().get("CPU", 1)
            processes = how.jobs if how.address is None else max(int(everywhere), 1)
            compute = data.ActorPoolStrategy(min_size=1, max_size=processes, initial_size=processes)
            tasks = iter(lambda: [*islice(found, _TOGETHER)], [])
            # names are similar: packed, they take a twentieth of their bytes
            while rows := [{_WORK: zlib.compress(pickle.dumps(each), 1)} for each in islice(tasks, _TASKS_AT_ONCE)]:
                results = data.from_items(rows, override_num_blocks=len(rows)).map(
                    _RayWorker, fn_constructor_args=(job, os.getcwd()), compute=compute, num_cpus=1, **options
                )
                for row in results.iter_rows():
                    result = pickle.loads(row[_RESULT])
                    if isinstance(result, InputError):
                        raise result
                    add(result)
        finally:
            ray.shutdown()


def _start(ray: Any, how: RunOptions) -> dict[str, int]:
    """Start or find Ray, and return the options of each process. Raises `InputError`."""
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if how.address is None:
            # otherwise a third of this machine's memory: only names and partial results go through it
            store = _STORE * (how.jobs + 1)
            ray.init(address="local", num_cpus=how.jobs, include_dashboard=False, object_store_memory=store, **quiet)
        else:
            ray.init(address=how.address, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(f"Ray at {how.address or 'this machine'} does not answer: {error}") from None
    if how.memory is None:
        return {}
    most = max([each["Resources"].get("memory", 0) for each in ray.nodes() if each["Alive"]], default=0)
    if how.memory * 1_000_000 > most:
        # Ray would wait for it forever
        raise InputError(f"--memory {how.memory}: no machine has so much; the most that Ray has is {most / 1e6:.0f}")
    return {"memory": how.memory * 1_000_000}
