"""`llmblocks format`: files in one style, with the same values for a program."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

from llmblocks.cli.arguments import add_files, add_settings, describe, flag
from llmblocks.cli.files import read
from llmblocks.cli.input import chosen_files, named_files
from llmblocks.cli.output import Rewrite, diff, print_diff, rewrite, write_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile, counted
from llmblocks.languages.registry import find_language

_DESCRIPTION = """\
Formats files in place: one blank line between two calls or blocks, commas between
dependencies, plain array indices, missing end markers, one kind of quotes, and no
spaces at the ends of header lines. A program reads the same calls, messages, blocks
and texts as before, except for blank lines between two calls or blocks. In a folder,
logs and what git ignores are skipped; name a file to format it.

exit status: 0 all files are formatted; 1 with --check or --diff, some would change;
2 a file could not be formatted, or a settings file is invalid
"""
_EXAMPLES = """\
  llmblocks format
  llmblocks format --diff chats/ answer.stf
  llmblocks format - --stdin-filename chat.stf < chat.stf
  some-agent | llmblocks format - --language gadget
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    add_files(parser, "format")
    changes = parser.add_argument_group("changes")
    flag(changes, "--check", "name the files that would change, and change none")
    flag(changes, "--diff", "show the changes without making them")
    add_settings(parser)


def main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    names = named_files(given, parser)
    from llmblocks.features.formatting import format_text

    project = CommandProject(given.settings)
    only_looks = given.check or given.diff
    files = changed = failed = 0
    # invalid settings are the error of many files
    reported: set[str] = set()
    for source in _sources(given, names, project):
        try:
            if isinstance(source, InputError):
                raise source
            settings = project.valid_settings_for(source.name)
            text = read(source, settings.max_size_mb)
            formatted = format_text(text, source.language_id, settings)
            is_changed = formatted != text
            if given.diff:
                print_diff(diff(source.name, text, formatted))
            if given.check and is_changed:
                sys.stdout.write(f"{source.name}\n")
            if not only_looks and source.is_stdin:
                write_output(formatted)
            elif not only_looks and is_changed:
                rewrite(source.name, Rewrite.of(text, formatted), "formatted")
        except InputError as error:
            failed += 1
            if str(error) not in reported:
                reported.add(str(error))
                sys.stderr.write(f"llmblocks format: {error}\n")
            continue
        files += 1
        changed += is_changed
    would, others = "would be " if only_looks else "", counted(files - changed, "file")
    sys.stderr.write(f"{counted(changed, 'file')} {would}formatted, {others} unchanged\n")
    return 2 if failed else 1 if only_looks and changed else 0


def _sources(given: argparse.Namespace, names: list[str], project: CommandProject) -> Iterator[SourceFile | InputError]:
    """Yield the files to format, without records that a runtime has written."""
    named = {os.path.realpath(name) for name in names}
    for source in chosen_files(given, names, project):
        stays = isinstance(source, SourceFile) and (
            source.stays or find_language(source.language_id).is_log(os.path.abspath(source.name).replace(os.sep, "/"))
        )
        if not stays or os.path.realpath(source.name) in named:
            yield source
