"""`llmblocks report`: the most common failures in many texts."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from llmblocks.cli.colours import progress
from llmblocks.cli.corpus.figures import DATE, NONE, CorpusReport, Grouping, as_csv, as_json, as_parquet
from llmblocks.cli.corpus.run import add_how, how_of
from llmblocks.cli.corpus.texts import add_column
from llmblocks.cli.corpus.work import Groups, WorkOptions, run
from llmblocks.cli.input import add_template, with_template
from llmblocks.cli.options import add_files, add_output, add_settings, checked, corpus_files, named_files, option
from llmblocks.cli.outcome import CLEAN, MISUSED
from llmblocks.cli.output import text_output, write_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import STDIN, InputError
from llmblocks.report.summary import Summary, merged

_DESCRIPTION = """\
Reports what fails how often in many texts: which gadget, which argument, which rule, with
intervals of 95 % and examples. Files are found as by `llmblocks check`. Each row of a
JSONL file (also .gz) or a Parquet file is a text; these need --language.

exit status: 0 all has been read; 2 some could not be read, or the report could not be written
"""
_EXAMPLES = """\
examples:
  llmblocks report ~/.llmist/logs
  llmblocks report runs/ --output-format html --output-file report.html
  llmblocks report responses.jsonl --language gadget --column response
  llmblocks report new/ --compare old/
"""
_FORMATS = ("table", "json", "csv", "parquet", "html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
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
        with progress("texts", quiet=given.quiet) as advance:
            sources = corpus_files(given, names, project, file)
            return run(sources, project, WorkOptions(given.by, given.column), how, advance)

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
    told = [each for each in total.examples if not each.code]
    for each in told:
        sys.stderr.write(f"llmblocks report: {each.name}: {each.excerpt}\n")
    if more := total.unread - len(told):
        sys.stderr.write(f"llmblocks report: and {more:,} more{where} could not be read\n")
    if not total.texts and not total.unread:
        sys.stderr.write(f"llmblocks report: no texts found{where}; pass --language to read files of any name\n")
    return total.unread


def _write(report: CorpusReport, output: str, file: str | None) -> None:
    if output == "table":
        from llmblocks.cli.corpus.table import write_table

        with text_output(file) as out:
            write_table(report, out)
    elif output == "html":
        from llmblocks.cli.corpus.page import as_html

        write_output(as_html(report, file), file)
    else:
        forms: dict[str, Callable[[CorpusReport], str | bytes]]
        forms = {"json": as_json, "csv": as_csv, "parquet": as_parquet}
        write_output(forms[output](report), file)
