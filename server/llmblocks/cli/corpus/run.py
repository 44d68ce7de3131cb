"""A run over a corpus: batches go to processes, and their results are taken in order."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Literal, NamedTuple, TypeVar

from llmblocks.cli.corpus.figures import MOST
from llmblocks.cli.corpus.kept import Job
from llmblocks.cli.corpus.texts import PART, FilePart, Work, has_rows, parts
from llmblocks.cli.corpus.work import Groups, ReportJob, WorkOptions
from llmblocks.cli.files import size_of
from llmblocks.cli.options import LARGEST, add_jobs, add_quiet, number
from llmblocks.cli.processes import mapped, processors
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import STDIN, InputError, SourceFile
from llmblocks.languages.registry import host_ids
from llmblocks.report.summary import merge


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


R = TypeVar("R")

_BATCH = 1_000_000
_FILES = 200
_BATCHES_A_SESSION = 16
_GROWS_EVERY = 256
"""Batches grow after this many, so that a large corpus has few results to merge and to keep."""
_LARGEST = 16


def execute(job: Job[R], found: Iterator[Work | InputError], how: RunOptions, add: Callable[[R], None]) -> None:
    """Do all of the work, and take the results in order."""
    if how.engine == "ray":
        from llmblocks.cli.corpus.on_ray import run_on_ray

        run_on_ray(job, found, how, add)
        return
    with closing(mapped(found, job.work(), job.work, how.jobs)) as results:
        for _, result in results:
            add(result)


def run(
    sources: Iterator[SourceFile | InputError],
    project: CommandProject,
    options: WorkOptions,
    how: RunOptions,
    advance: Callable[[int], None] = lambda _: None,
) -> Groups:
    """Return the summaries of all texts, by group. `advance` gets the number of texts in each batch.

    Raises:
        InputError: There are too many groups.
    """
    found: Groups = {}

    def add(groups: Groups) -> None:
        for group, summary in groups.items():
            found[group] = merge(found[group], summary) if group in found else summary
        if len(found) > MOST:
            raise InputError(f"--by {options.by} has more than {MOST:,} values; choose one with fewer, such as date")
        advance(sum([each.texts for each in groups.values()]))

    sources = (known(source, project, in_rows=bool(options.column)) for source in sources)
    job = ReportJob(project.again, options, how.resume)
    execute(job, batches(sources, piped_rows=bool(options.column)), how, add)
    return dict(sorted(found.items()))


def batches(
    sources: Iterator[SourceFile | InputError],
    *,
    piped_rows: bool = False,
    whole_folders: bool = False,
    largest: int = _LARGEST,
) -> Iterator[Work | InputError]:
    """Yield the work for the texts.

    The files of a folder, such as a session, stay together: many of them, or all if `whole_folders`. `piped_rows` if
    standard input is JSONL. Batches grow to `largest` times the first ones.
    """
    batch: list[SourceFile] = []
    size, folder = 0, ""
    done = 0
    for source in sources:
        growth = min(1 + done // _GROWS_EVERY, largest)
        if isinstance(source, InputError) or source.is_stdin or _has_rows(source):
            for each in _whole(source, growth, piped_rows=piped_rows):
                done += 1
                yield each
            continue
        here = os.path.dirname(source.name)
        times = max(_BATCHES_A_SESSION if here == folder else 1, growth)
        is_full = size >= times * _BATCH or len(batch) >= times * _FILES
        if batch and is_full and not (whole_folders and here == folder):
            done += 1
            yield batch
            batch, size = [], 0
        batch.append(source)
        size += size_of(source)
        folder = here
    if batch:
        yield batch


def known(source: SourceFile | InputError, project: CommandProject, *, in_rows: bool) -> SourceFile | InputError:
    """Return a file if the language of its texts is known."""
    if isinstance(source, InputError) or not has_rows(source.name) or source.language_id not in host_ids():
        return source
    if not in_rows and project.settings_for(source.name).strings:
        return source
    return InputError(
        f"{source.name}: cannot tell the language from the name; pass --language with that of the texts in its rows",
        source.name,
    )


def _has_rows(source: SourceFile) -> bool:
    return has_rows(source.name) and source.language_id not in host_ids()


def _whole(source: SourceFile | InputError, growth: int, *, piped_rows: bool) -> Iterator[Work | InputError]:
    if isinstance(source, InputError):
        yield source
    elif source.is_stdin:
        yield FilePart(source) if piped_rows else [source]
    else:
        try:
            yield from parts(source, growth * PART)
        except InputError as error:
            yield InputError(str(error), source.name)
