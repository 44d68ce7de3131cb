"""The work of a process for a report: a batch of texts, summarised by group."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, groupby
from typing import Any, NamedTuple

from llmblocks.cli.corpus.figures import Grouping
from llmblocks.cli.corpus.kept import Job
from llmblocks.cli.corpus.texts import FilePart, Work, rows
from llmblocks.cli.files import read
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile, is_remote
from llmblocks.languages.registry import find_language
from llmblocks.report.as_json import as_dict, from_dict
from llmblocks.report.of_text import summariser
from llmblocks.report.summary import Summary, merged, unread
from llmblocks.workspace.log_place import file_number

Groups = dict[str, Summary]
"""Summaries by group."""
_TOGETHER = 256
"""The number of texts whose summaries are merged at once."""


TEXT = "text"
"""The default column with the text of a row."""


class WorkOptions(NamedTuple):
    """The options of a report."""

    by: str
    column: str
    """The column with the text of a row; empty if none is given."""


class ReportJob(Job[Groups]):
    """The summaries of the texts in a corpus."""

    def result(self, batch: Work, project: CommandProject) -> Groups:
        grouping = Grouping(self.options.by)
        if isinstance(batch, FilePart):
            return joined(_of_rows(batch, project, grouping, self.options.column or TEXT))
        folders = groupby(batch, lambda each: os.path.dirname(each.name))
        return joined(chain.from_iterable(_of_folder(folder, [*files], project, grouping) for folder, files in folders))

    def unread(self, error: InputError) -> Groups:
        return {Grouping(self.options.by).of(error.name): unread(error.name, reason(error, error.name))}

    def join(self, found: list[Groups]) -> Groups:
        return joined(chain.from_iterable([groups.items() for groups in found]))

    def as_json(self, result: Groups) -> Any:
        return {name: as_dict(each) for name, each in result.items()}

    def from_json(self, found: Any) -> Groups:
        return {name: from_dict(each) for name, each in found.items()}

    def is_whole(self, result: Groups) -> bool:
        return not any(each.unread for each in result.values())


def joined(found: Iterator[tuple[str, Summary]]) -> Groups:
    """Return the merged summaries of each group."""
    groups: Groups = {}
    waiting: defaultdict[str, list[Summary]] = defaultdict(list)

    def join(group: str) -> None:
        groups[group] = merged([*waiting.pop(group), *([groups[group]] if group in groups else [])])

    for group, summary in found:
        waiting[group].append(summary)
        if len(waiting[group]) >= _TOGETHER:
            join(group)
    for group in [*waiting]:
        join(group)
    return groups


def _of_folder(
    folder: str, sources: Sequence[SourceFile], project: CommandProject, grouping: Grouping
) -> Iterator[tuple[str, Summary]]:
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
    name = os.path.basename(source.name)
    if source.is_stdin or is_remote(source.name):
        return False
    return source.language_id in ("gadget", "request") and file_number(name) is not None


def _of_file(source: SourceFile, project: CommandProject) -> Summary:
    try:
        settings = project.valid_settings_for(source.name)
        text = read(source, settings.max_size_mb)
    except InputError as error:
        return unread(source.name, reason(error, source.name))
    other_files = project.other_files(find_language(source.language_id), source.name)
    return summariser(source.language_id, settings).summary(source.name, text, other_files)


def _of_rows(part: FilePart, project: CommandProject, grouping: Grouping, column: str) -> Iterator[tuple[str, Summary]]:
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
