"""The arguments that choose the engine of a run over a corpus."""

from __future__ import annotations

import argparse
from typing import Literal, NamedTuple

from llmblocks.cli.options import LARGEST, add_jobs, add_quiet, number
from llmblocks.cli.processes import processors
from llmblocks.cli.source import STDIN


class RunOptions(NamedTuple):
    """The way of a run."""

    jobs: int = 1
    """The number of processes."""
    resume: str | None = None
    """The folder of `kept`."""
    engine: Literal["processes", "ray"] = "processes"
    address: str | None = None
    """The address of a cluster."""
    memory: int | None = None
    """The memory to reserve per Ray worker, in MB."""


def add_how(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for processes and for resuming an interrupted run."""
    group = parser.add_argument_group("running")
    add_quiet(group, "show no progress")
    add_jobs(group)
    group.add_argument(
        "--engine",
        metavar="ENGINE",
        choices=("processes", "ray"),
        default="processes",
        help="processes or ray (default: processes)",
    )
    group.add_argument("--address", metavar="HOST", help="a running Ray cluster; without it, Ray starts here")
    group.add_argument("--memory", metavar="MB", type=number(1, LARGEST), help="memory to reserve per Ray worker")
    group.add_argument("--resume", metavar="FOLDER", help="save partial results in FOLDER and resume from them")


def check_how(given: argparse.Namespace, names: list[str], parser: argparse.ArgumentParser) -> None:
    """End the command if its arguments contradict each other."""
    if given.address is not None and given.engine != "ray":
        parser.error("--address requires --engine ray")
    if given.memory is not None and given.engine != "ray":
        parser.error("--memory requires --engine ray")
    if given.engine == "ray" and (STDIN in names or given.stdin_filename):
        parser.error("--engine ray cannot read standard input")


def how_of(given: argparse.Namespace) -> RunOptions:
    """Build the run options from the arguments."""
    # other processes cannot read standard input
    jobs = 1 if given.stdin_filename or STDIN in given.files else given.jobs or processors()
    return RunOptions(jobs, given.resume, given.engine, given.address, given.memory)
