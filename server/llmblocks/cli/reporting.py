"""`llmblocks report`: the most common failures in many texts, summarised by group."""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain, groupby
from typing import Any, NamedTuple

from llmblocks.cli.arguments import add_files, add_output, add_settings, checked, describe, option
from llmblocks.cli.corpus.figures import DATE, MOST, NONE, CorpusReport, Grouping, as_csv, as_json, as_parquet
from llmblocks.cli.corpus.run import Job, RunOptions, add_how, batches, execute, how_of, known
from llmblocks.cli.corpus.texts import TEXT, FilePart, Work, add_column, rows
from llmblocks.cli.files import read
from llmblocks.cli.input import add_template, corpus_files, named_files, spared, with_template
from llmblocks.cli.output import Progress, text_output, write_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import CLEAN, MISUSED, STDIN, InputError, SourceFile, is_remote
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

    of_rows = (known(source, project, in_rows=bool(options.column)) for source in sources)
    work = batches(of_rows, piped_rows=bool(options.column))
    execute(ReportJob(project.again, options, how.resume), work, how, add)
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
            session, names = project.logs().session(find_language("gadget"), folder), {each.name for each in logs}
            for file, unanswered, repeated in session.unanswered_and_repeated():
                if (unanswered or repeated) and (name := os.path.join(folder, file)) in names:
                    yield grouping.of(name), Summary(unanswered=unanswered, repeated=repeated)


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


_DESCRIPTION = """\
Reports what fails how often in many texts: which gadget, which argument, which rule, with
intervals of 95 % and examples. Files are found as by `llmblocks check`. Each row of a
JSONL file (also .gz) or a Parquet file is a text; these need --language.

exit status: 0 all has been read; 2 some could not be read, or the report could not be written
"""
_EXAMPLES = """\
  llmblocks report ~/.llmist/logs
  llmblocks report runs/ --output-format html --output-file report.html
  llmblocks report responses.jsonl --language gadget --column response
  llmblocks report new/ --compare old/
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    add_files(parser, "read")
    texts = add_column(parser)
    keys = "a column, a part KEY=… of the path, date, folder, or a regular expression with a group"
    by = checked(lambda text: Grouping(text).by)
    option(texts, "--by", "KEY", f"group the texts by {keys} (default: date)", type=by, default=DATE)
    option(texts, "--compare", "PATH", "an earlier corpus; may be repeated", action="append", default=[])
    add_output(parser, ("table", "json", "csv", "parquet", "html"), "table", color=True)
    add_how(parser)
    add_template(parser)
    add_settings(parser)


def main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    file = given.output_file
    if given.output_format == "parquet" and file is None and sys.stdout.isatty():
        parser.error("Parquet is not for a terminal; pass --output-file")
    names = named_files(given, parser)
    how = how_of(given, names, parser)
    if STDIN in given.compare:
        parser.error("--compare cannot read standard input")
    project = CommandProject(given.settings, with_template(given))
    if file is not None and not os.path.isdir(os.path.dirname(file) or os.curdir):
        # not after hours of reading
        raise InputError(f"{file}: cannot be written: its folder does not exist")

    def read(names: list[str]) -> Groups:
        with closing(Progress("texts", quiet=given.quiet)) as progress:
            sources = spared(corpus_files(given, names, project), project, file)
            return run(sources, project, WorkOptions(given.by, given.column), how, progress.advance)

    groups = read(names)
    before = read(given.compare) if given.compare else None
    project.tell_problems()
    report = CorpusReport(given.by, groups, before)
    _write(report, given.output_format, file)
    unread = _told(report.total, "")
    if before is not None:
        unread += _told(merged(before.values()), " in the earlier corpus")
    if given.by != DATE and [*groups] == [NONE]:
        sys.stderr.write(f"llmblocks report: --by {given.by}: no text has it, in a column or in its path\n")
    return MISUSED if unread else CLEAN


def _told(total: Summary, where: str) -> int:
    """Report the unreadable texts, and return the number of texts."""
    unread = [f"{each.name}: {each.excerpt}" for each in total.examples if not each.code]
    if more := total.unread - len(unread):
        unread.append(f"and {more:,} more{where} could not be read")
    if not total.texts and not total.unread:
        unread.append(f"no texts found{where}; pass --language to read files of any name")
    sys.stderr.writelines([f"llmblocks report: {each}\n" for each in unread])
    return total.unread


def _write(report: CorpusReport, output: str, file: str | None) -> None:
    if output == "table":
        from llmblocks.cli.corpus.table import write_table

        with text_output(file) as out:
            write_table(report, out)
        return
    if output == "html":
        from llmblocks.cli.corpus.page import as_html

        written: str | bytes = as_html(report, file)
    else:
        forms: dict[str, Callable[[CorpusReport], str | bytes]]
        forms = {"json": as_json, "csv": as_csv, "parquet": as_parquet}
        written = forms[output](report)
    write_output(written, file)
