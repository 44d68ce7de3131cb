"""`llmblocks format`: files in one style, with the same values for a program."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from llmblocks.cli.files import InputError, SourceFile, find, read
from llmblocks.cli.fixing import diff, print_diff, replace
from llmblocks.cli.outcome import counted
from llmblocks.cli.output import write_output
from llmblocks.cli.project import Project
from llmblocks.languages.registry import find_language, language_ids

if TYPE_CHECKING:
    from llmblocks.cli.report.reported import Reported

_DESCRIPTION = """\
Formats files in place: one blank line between two calls or blocks, commas between
dependencies, plain array indices, missing end markers, one kind of quotes, and no
blanks at the ends of header lines. A program reads the same calls, messages, blocks
and texts as before, except for blank lines between two calls or blocks. Logs in a
folder are skipped; name a log to format it.

exit status: 0 all files are formatted; 1 with --check or --diff, some would change;
2 a file could not be formatted, or a settings file is invalid
"""
_EXAMPLES = """\
examples:
  llmblocks format
  llmblocks format --diff chats/ answer.stf
  some-agent | llmblocks format - --language gadget
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    parser.add_argument(
        "files",
        nargs="*",
        default=["."],
        metavar="PATH",
        help="a file, a folder, or - for standard input, which is formatted to standard output (default: .)",
    )
    parser.add_argument(
        "--language", choices=language_ids(), help="the language of all files, regardless of their names"
    )
    parser.add_argument("--check", action="store_true", help="name the files that would change, and change none")
    parser.add_argument("--diff", action="store_true", help="show the changes without making them")
    parser.add_argument("--settings", metavar="FILE", help="the settings file, instead of the nearest one")


def main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Run the command."""
    if given.settings is not None and not os.path.isfile(given.settings):
        parser.error(f"argument --settings: no such file: {given.settings}")
    from llmblocks.features.formatting import format_text

    project = Project(given.settings)
    only_looks = given.check or given.diff
    files = changed = failed = 0
    for source in _sources(given, project):
        try:
            if isinstance(source, InputError):
                raise source
            settings = project.settings_for(source.name)
            failed += _bad_settings(project.problems())
            text = read(source, settings.max_size_mb)
            formatted = format_text(text, source.language_id, settings)
            if given.diff:
                print_diff(diff(source.name, text, formatted))
            if given.check and formatted != text:
                sys.stdout.write(f"{source.name}\n")
            if not only_looks and source.is_stdin:
                write_output(formatted)
            elif not only_looks and formatted != text:
                replace(source.name, text, formatted, "formatted")
        except InputError as error:
            failed += 1
            sys.stderr.write(f"llmblocks format: {error}\n")
            continue
        files += 1
        changed += formatted != text
    sys.stderr.write(_sentence(changed, files - changed, only_looks=only_looks))
    return 2 if failed else 1 if only_looks and changed else 0


def _sources(given: argparse.Namespace, project: Project) -> Iterator[SourceFile | InputError]:
    """The files to format. Those that a runtime writes are records of what was said."""
    named = {os.path.realpath(name) for name in given.files}
    for source in find(given.files, given.language, project):
        if isinstance(source, SourceFile) and os.path.realpath(source.name) not in named:
            path = os.path.abspath(source.name).replace(os.sep, "/")
            if find_language(source.language_id).is_log(path):
                continue
        yield source


def _bad_settings(problems: Iterator[Reported]) -> int:
    from llmblocks.cli.report.concise import text_line
    from llmblocks.core.severity import Severity

    errors = 0
    for reported in problems:
        if reported.severity is Severity.ERROR:
            errors += 1
            sys.stderr.write(f"llmblocks format: {text_line(reported)}\n")
    return errors


def _sentence(changed: int, others: int, *, only_looks: bool) -> str:
    would = "would be " if only_looks else ""
    return f"{counted(changed, 'file')} {would}formatted, {counted(others, 'file')} unchanged\n"
