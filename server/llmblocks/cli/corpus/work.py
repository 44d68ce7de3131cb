"""The work of a process for a report: a batch of texts, summarised by group."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, groupby
from typing import Any, NamedTuple

from llmblocks.cli.corpus.figures import MOST, Grouping
from llmblocks.cli.corpus.run import Job, RunOptions, batches, execute, known
from llmblocks.cli.corpus.texts import TEXT, FilePart, Work, rows
from llmblocks.cli.files import read
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile, is_remote
from llmblocks.languages.registry import find_language
from llmblocks.report.as_json import as_dict, from_dict
from llmblocks.report.of_text import summariser
from llmblocks.report.summary import Summary, merge, merged, unread
from llmblocks.workspace.listing import file_number

Groups = dict[str, Summary]
"""Summaries by group."""
_Found = Iterator[tuple[str, Summary]]
_TOGETHER = 256
"""The number of texts whose summaries are merged at once."""


class WorkOptions(NamedTuple):
    """The options of a report."""

    by: str
    column: str
    """The column with the text of a row; empty if none is given."""


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


class ReportJob(Job[Groups]):
    """The summaries of the texts in a corpus."""

    def result(self, batch: Work, project: CommandProject) -> Groups:
        grouping = Grouping(self.options.by)
        if isinstance(batch, FilePart):
            return _joined(_of_rows(batch, project, grouping, self.options.column or TEXT))
        folders = groupby(batch, lambda each: os.path.dirname(each.name))
        of_folders = (_of_folder(folder, [*files], project, grouping) for folder, files in folders)
        return _joined(chain.from_iterable(of_folders))

    def unread(self, error: InputError) -> Groups:
        return {Grouping(self.options.by).of(error.name): unread(error.name, reason(error, error.name))}

    def join(self, found: list[Groups]) -> Groups:
        return _joined(chain.from_iterable([groups.items() for groups in found]))

    def as_json(self, result: Groups) -> Any:
        return {name: as_dict(each) for name, each in result.items()}

    def from_json(self, found: Any) -> Groups:
        return {name: from_dict(each) for name, each in found.items()}

    def is_whole(self, result: Groups) -> bool:
        return not any(each.unread for each in result.values())


def _joined(found: _Found) -> Groups:
    """Return the merged summaries of each group."""
    waiting: defaultdict[str, list[Summary]] = defaultdict(list)
    for group, summary in found:
        waiting[group].append(summary)
        if len(waiting[group]) >= _TOGETHER:
            waiting[group] = [merged(waiting[group])]
    return {group: merged(summaries) for group, summaries in waiting.items()}


def _of_folder(folder: str, sources: Sequence[SourceFile], project: CommandProject, grouping: Grouping) -> _Found:
    """Yield the texts of a folder, and the reports of its requests about the calls in responses."""
    for each in sources:
        yield grouping.of(each.name), _of_file(each, project)
    logs = [each for each in sources if is_log(each)]
    if any(each.language_id == "request" for each in logs):
        # unreadable files have been reported as texts
        with suppress(InputError):
            project.valid_settings_for(logs[0].name)
            session = project.logs().session(find_language("gadget"), folder, os.path.basename(logs[0].name))
            for each in logs:
                unanswered, repeated = session.unanswered_and_repeated(os.path.basename(each.name))
                if unanswered or repeated:
                    yield grouping.of(each.name), Summary(unanswered=unanswered, repeated=repeated)


def is_log(source: SourceFile) -> bool:
    """Return whether a file is a numbered log of a session whose other files can be read."""
    if source.is_stdin or is_remote(source.name) or source.language_id not in ("gadget", "request"):
        return False
    return file_number(os.path.basename(source.name)) is not None


def _of_file(source: SourceFile, project: CommandProject) -> Summary:
    try:
        settings = project.valid_settings_for(source.name)
        text = read(source, settings.max_size_mb)
    except InputError as error:
        return unread(source.name, reason(error, source.name))
    other_files = project.other_files(find_language(source.language_id), source.name)
    return summariser(source.language_id, settings).summary(source.name, text, other_files)


def _of_rows(part: FilePart, project: CommandProject, grouping: Grouping, column: str) -> _Found:
    name = part.source.name
    of_text = summariser(part.source.language_id, project.settings_for(name))
    for row in rows(part, column, project):
        if isinstance(row, InputError):
            yield grouping.of(name), unread(row.name, reason(row, row.name))
        else:
            yield grouping.of(name, row.values), of_text.summary(row.name, row.text)


def reason(error: InputError, name: str) -> str:
    """Return the message of an error without the file name, which is shown beside it."""
    return str(error).removeprefix(f"{name}: ")
