"""`llmblocks test-rules`: the test cases of rules."""

from __future__ import annotations

import argparse
import os
import sys

from llmblocks.cli.options import add_settings, option
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import CLEAN, FOUND, MISUSED, STDIN, counted
from llmblocks.core.visible import visible
from llmblocks.settings.files import why_not_read

_DESCRIPTION = """\
Tests rules by Markdown files: a fence named gadget, stf, custom-blocks, request or completion
is a text, and a line of carets with a code below a line marks a finding there. Tests the
examples of your own rules too. The rules that the settings name are imported.

exit status: 0 all cases pass; 1 some fail; 2 a file or a rule could not be read
"""
_EXAMPLES = """\
examples:
  llmblocks test-rules tests/rules/*.md
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    option(parser, "files", "FILE", "Markdown files with cases", nargs="*")
    add_settings(parser)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    from llmblocks.rules.cases import example_failures, file_failures

    project = CommandProject(given.settings, trusted=True)
    rules = project.around(os.path.join(os.curdir, STDIN)).settings.rules
    unread = project.tell_problems() or bool(project.extensions.faults)
    for name, why in project.extensions.faults.items():
        sys.stderr.write(f"llmblocks test-rules: {name}: {why}\n")
    number, failed = len(rules), 0
    for rule in rules:
        for said in example_failures(rule, rules):
            failed += 1
            _print(said)
    for path in given.files:
        try:
            count, failures = file_failures(path, rules)
        except (OSError, ValueError) as error:
            unread = True
            sys.stderr.write(f"llmblocks test-rules: {path}: {why_not_read(error)}\n")
            continue
        number += count
        failed += len(failures)
        for line, message in failures:
            _print(f"{path}:{line}: {message}")
    sys.stderr.write(f"{counted(number, 'case')}: {counted(failed, 'failure') if failed else 'all pass'}\n")
    return MISUSED if unread else FOUND if failed else CLEAN


def _print(text: str) -> None:
    sys.stdout.writelines([f"{visible(line)}\n" for line in text.split("\n")])
