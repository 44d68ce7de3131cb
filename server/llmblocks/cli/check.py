"""`llmblocks check`: the findings of an editor, on the command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from llmblocks.cli.checking import Checked, FileChecker, Wish
from llmblocks.cli.files import STDIN, InputError, Source, find
from llmblocks.cli.fixing import Fixing, print_unchanged
from llmblocks.cli.outcome import MISUSED, Outcome, counted
from llmblocks.cli.project import Project
from llmblocks.cli.report import FORMATS, writer
from llmblocks.core.finding import Severity
from llmblocks.languages.registry import LANGUAGES, language_ids

if TYPE_CHECKING:
    from llmblocks.cli.report.reported import Reported
    from llmblocks.settings.given import Given

_DESCRIPTION = """\
Reports the findings of an editor. Settings come from the nearest llmblocks.toml, or
pyproject.toml with a table [tool.llmblocks], from the file's folder upwards to the root
of its repository. Lines and columns count from 1; a column is a character.

exit status: 0 nothing found, or nothing left after --fix; 1 errors or warnings found
(remarks and hints do not count), or with --diff something to change; 2 a file could
not be checked, or a settings file is invalid
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description = _DESCRIPTION
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file, a folder, or - for standard input")
    parser.add_argument(
        "--language", choices=language_ids(), help="the language of all files, regardless of their names"
    )
    parser.add_argument(
        "--output-format",
        "--format",
        dest="format",
        metavar="FORMAT",
        choices=FORMATS,
        help=f"{', '.join(name for name in FORMATS if name != 'text')} (default: full on a terminal, else concise)",
    )
    parser.add_argument("--output-file", metavar="FILE", help="write the findings there, to standard output nothing")
    parser.add_argument("--fix", action="store_true", help="apply safe fixes, then report the rest")
    parser.add_argument("--unsafe-fixes", action="store_true", help="also apply fixes that may change the meaning")
    parser.add_argument("--diff", action="store_true", help="show the changes of --fix without making them")
    parser.add_argument(
        "--select", metavar="CODES", type=_codes, default=(), help="only these rules, e.g. G1,duplicate-pointer"
    )
    parser.add_argument(
        "--ignore",
        metavar="CODES",
        type=_codes,
        default=(),
        help="leave these rules out, besides those that the settings ignore",
    )
    parser.add_argument("--trust", action="store_true", help="import the pydantic models that the settings name")
    parser.add_argument("--settings", metavar="FILE", type=_file, help="the settings file, instead of the nearest one")


def main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Run the command."""
    fixing = Fixing(given.fix, given.unsafe_fixes, given.diff)
    if fixing.unsafe and not (fixing.writes or fixing.diffs):
        parser.error("--unsafe-fixes requires --fix or --diff")
    project = Project(given.settings, _over(given), trusted=given.trust)
    # standard output is for the fixed text of standard input
    out = sys.stderr if fixing.writes and STDIN in given.files else sys.stdout
    output = given.format or ("full" if out.isatty() and not given.output_file else "concise")
    wish = Wish(fixing, output == "full")
    try:
        with _opened(given.output_file, out, output) as file:
            return _Run(project, wish).run(given.files, given.language, output, file)
    except InputError as error:
        sys.stderr.write(f"llmblocks check: {error}\n")
        return MISUSED


def _over(given: argparse.Namespace) -> dict[str, Given]:
    """The settings of the command line, as in a settings file."""
    names = {"select": "select", "ignore": "extendIgnore"}
    rules = {setting: list(codes) for name, setting in names.items() if (codes := getattr(given, name))}
    return {"rules": rules} if rules else {}


def _codes(text: str) -> tuple[str, ...]:
    from llmblocks.rules.names import NAMES
    from llmblocks.settings.rule_names import code_of, nearest

    codes = []
    for each in filter(None, map(str.strip, text.split(","))):
        code = code_of(each, NAMES)
        if code is None:
            raise argparse.ArgumentTypeError(f"no rule has the code or name {each}; {nearest(each, NAMES)}")
        codes.append(code)
    return tuple(codes)


def _file(name: str) -> str:
    if not os.path.isfile(name):
        raise argparse.ArgumentTypeError(f"no such file: {name}")
    return name


def _opened(file: str | None, out: TextIO, output: str) -> AbstractContextManager[TextIO]:
    """The stream that the findings go to."""
    if file is not None:
        from llmblocks.cli.output import replacing

        return replacing(file)
    if output in ("github", "junit") and isinstance(out, TextIOWrapper):
        # their readers expect UTF-8 in any locale
        out.reconfigure(encoding="utf-8", errors="backslashreplace")
    return nullcontext(out)


class _Run:
    """A check of files and folders."""

    def __init__(self, project: Project, wish: Wish) -> None:
        self._project = project
        self._wish = wish
        self._outcome = Outcome(wish.fixing.diffs)

    def run(self, names: Sequence[str], language_id: str | None, output: str, out: TextIO) -> int:
        """Check and report. Returns the exit status."""
        outcome = self._outcome
        found = self._found(names, language_id)
        if self._wish.fixing.diffs:
            for _ in found:
                pass  # only the diff is shown
        else:
            writer(output)(found, out)
        out.flush()
        sys.stderr.write(f"{outcome.sentence()}\n")
        if not outcome.files and not outcome.unread:
            suffixes = [f"*{suffix}" for language in LANGUAGES for suffix in language.suffixes]
            sys.stderr.write(f"nothing to check: expected {', '.join(suffixes)} or llmist logs\n")
        return outcome.status

    def _found(self, names: Sequence[str], language_id: str | None) -> Iterator[Reported]:
        yield from self._settings_findings()
        checker = FileChecker(self._project, self._wish)
        for source in find(names, language_id, self._project):
            checked = Checked(error=str(source)) if isinstance(source, InputError) else checker.check(source)
            yield from self._settings_findings()
            if checked.error:
                self._outcome.unread += 1
                sys.stderr.write(f"llmblocks check: {checked.error}\n")
                continue
            assert isinstance(source, Source)
            yield from self._reported(source, checked)

    def _reported(self, source: Source, checked: Checked) -> Iterator[Reported]:
        outcome = self._outcome
        outcome.files += 1
        outcome.fixed += checked.fixed
        for code, severity, number in checked.counts:
            outcome.add(code, severity, number)
        if checked.output:
            print_unchanged(checked.output)
        yield from checked.found
        left = sum([number for _, _, number in checked.counts]) - len(checked.found)
        if left and not self._wish.fixing.diffs:
            told = f"{counted(left, 'finding')} more, not shown: the limit is diagnostics.maxPerDocument"
            sys.stderr.write(f"{source.name}: {told}\n")

    def _settings_findings(self) -> Iterator[Reported]:
        for each in self._project.problems():
            if each.severity is Severity.ERROR:
                self._outcome.bad_settings += 1
            else:
                self._outcome.add(each.code, each.severity)
            yield each
