"""The arguments that choose the engine of a run over a corpus."""

from __future__ import annotations

import argparse
from typing import Literal, NamedTuple

from llmblocks.cli.processes import processors
from llmblocks.cli.selection import add_jobs
from llmblocks.cli.source import STDIN


class RunOptions(NamedTuple):
    """How a run is made. Shape: `jobs` are processes; `resume` is the folder of `kept`, `address` that of a cluster.
    `memory` is what Ray keeps free for each process, in MB.
    """

    jobs: int = 1
    resume: str | None = None
    engine: Literal["processes", "ray"] = "processes"
    address: str | None = None
    memory: int | None = None


def add_how(parser: argparse.ArgumentParser) -> None:
    """The processes of a run, and what goes on after it was ended."""
    add_jobs(parser)
    parser.add_argument(
        "--engine", choices=("processes", "ray"), default="processes", help="what runs them (default: processes)"
    )
    parser.add_argument("--address", metavar="HOST", help="a running Ray cluster; without it, Ray starts here")
    parser.add_argument(
        "--memory",
        metavar="MB",
        type=_megabytes,
        help="what Ray keeps free for each process: it starts no more of them than have room",
    )
    parser.add_argument(
        "--resume", metavar="FOLDER", help="keep the results of parts there; the same command later goes on from them"
    )


def check_how(given: argparse.Namespace, names: list[str], parser: argparse.ArgumentParser) -> None:
    """End the command if its arguments contradict each other."""
    if given.address is not None and given.engine != "ray":
        parser.error("--address is that of a Ray cluster; pass --engine ray")
    if given.memory is not None and given.engine != "ray":
        parser.error("--memory is that of the processes of Ray; pass --engine ray")
    if given.engine == "ray" and (STDIN in names or given.stdin_filename):
        parser.error("--engine ray cannot read standard input")


def how_of(given: argparse.Namespace) -> RunOptions:
    """The choice."""
    # other processes cannot read standard input
    jobs = 1 if given.stdin_filename or STDIN in given.files else given.jobs or processors()
    return RunOptions(jobs, given.resume, given.engine, given.address, given.memory)


def _megabytes(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text)):
        raise argparse.ArgumentTypeError(f"{text} is invalid; use a number of megabytes, such as 500")
    return int(text)
