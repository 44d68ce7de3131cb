"""`llmblocks check`: the findings of an editor, on the command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from typing import TYPE_CHECKING

from llmblocks.cli.files import STDIN, InputError, Source, find, read
from llmblocks.cli.fixing import Fixing
from llmblocks.cli.project import Project
from llmblocks.cli.report import FORMATS, Reported, reporter
from llmblocks.core.finding import Severity
from llmblocks.core.lines import Lines
from llmblocks.languages.registry import LANGUAGES, find_language, language_ids
from llmblocks.rules import Checker
from llmblocks.settings.values import Settings
from llmblocks.workspace.disk import DiskLogs

if TYPE_CHECKING:
    from llmblocks.settings.given import Given

CLEAN, FOUND, MISUSED = 0, 1, 2
_DESCRIPTION = """\
Reports the findings of an editor, one line each:
path:line:col: severity code message. Lines and columns count from 1, a column is
a character. Settings come from the nearest llmblocks.toml, or pyproject.toml with
a table [tool.llmblocks], from the file's folder upwards to the root of its repository.

exit status: 0 no errors, or none left after --fix; 1 errors found, or with --diff
something to change; 2 a file could not be checked, or a settings file is invalid
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description = _DESCRIPTION
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file, a folder, or - for standard input")
    parser.add_argument(
        "--language", choices=language_ids(), help="the language of all files, regardless of their names"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="the output format (default: text)")
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
    return run(
        given.files, given.language, given.format, Project(given.settings, _over(given), trusted=given.trust), fixing
    )


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


@dataclass(slots=True)
class Tally:
    """The totals so far."""

    files: int = 0
    unread: int = 0
    bad_settings: int = 0
    severities: dict[Severity, int] = field(default_factory=dict)
    fixing: Fixing = field(default_factory=Fixing)

    def add(self, severity: Severity) -> None:
        """Count a finding."""
        self.severities[severity] = self.severities.get(severity, 0) + 1

    @property
    def status(self) -> int:
        """The exit status: 2 if a file could not be checked or a setting is wrong, 1 if there is an error.

        Of a diff it is 1 if there is something to change.
        """
        if self.unread or self.bad_settings:
            return MISUSED
        found = self.fixing.fixed if self.fixing.diffs else self.severities.get(Severity.ERROR)
        return FOUND if found else CLEAN

    def sentence(self) -> str:
        """The outcome in words."""
        files = _count(self.files, "file")
        found = ", ".join(_count(number, _WORDS[severity]) for severity, number in sorted(self.severities.items()))
        unread = f"; {_count(self.unread, 'file')} could not be checked" if self.unread else ""
        settings = f"; {_count(self.bad_settings, 'error')} in the settings" if self.bad_settings else ""
        fixed = _count(self.fixing.fixed, "finding")
        if self.fixing.diffs:
            return f"{files} checked: {fixed} to fix{unread}{settings}"
        if self.fixing.fixed:
            return f"{files} checked, {fixed} fixed: {found or 'nothing left'}{unread}{settings}"
        return f"{files} checked: {found or 'nothing found'}{unread}{settings}"


_WORDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "remark",
    Severity.HINT: "hint",
}


def run(
    names: Sequence[str], language_id: str | None, output: str, project: Project, fixing: Fixing | None = None
) -> int:
    """Check files and folders. Returns the exit status."""
    tally = Tally(fixing=fixing or Fixing())
    if output == "github" and isinstance(sys.stdout, TextIOWrapper):
        # readers of annotations expect UTF-8 in any locale
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    # standard output is for the fixed text of standard input
    out = sys.stderr if tally.fixing.writes and STDIN in names else sys.stdout
    findings_left = _all_findings(names, language_id, project, tally)
    if tally.fixing.diffs:
        for _ in findings_left:
            pass  # only the diff is shown
    else:
        reporter(output, out)(findings_left)
    sys.stdout.flush()
    sys.stderr.write(f"{tally.sentence()}\n")
    if not tally.files and not tally.unread:
        suffixes = [f"*{suffix}" for language in LANGUAGES for suffix in language.suffixes]
        sys.stderr.write(f"nothing to check: expected {', '.join(suffixes)} or llmist logs\n")
    return tally.status


def findings(source: Source, text: str, settings: Settings, logs: DiskLogs | None = None) -> Iterator[Reported]:
    """The findings of one text, in order. Shape: `logs` are the sessions that were read before."""
    language = find_language(source.language_id)
    checker = Checker(language, settings)
    lines: Lines | None = None
    around = (logs or DiskLogs(lambda _: settings)).around(language, source.name)
    for finding in checker.all(language.open(text, settings, checker.count_findings), around):
        lines = lines or Lines(text)
        yield Reported(source.name, source.language_id, finding, lines)


def _all_findings(names: Sequence[str], language_id: str | None, project: Project, tally: Tally) -> Iterator[Reported]:
    yield from _settings_findings(project, tally)
    logs = DiskLogs(project.settings_for)
    for source in find(names, language_id, project):
        try:
            if isinstance(source, InputError):
                raise source
            settings = project.settings_for(source.name)
            yield from _settings_findings(project, tally)
            text = read(source, settings.max_size_mb)
            if tally.fixing.writes or tally.fixing.diffs:
                text = tally.fixing.text_of(source, text, settings)
        except InputError as error:
            tally.unread += 1
            sys.stderr.write(f"llmblocks check: {error}\n")
            continue
        tally.files += 1
        found = 0
        for found, reported in enumerate(findings(source, text, settings, logs), 1):
            tally.add(reported.finding.severity)
            if found <= settings.max_diagnostics:
                yield reported
        if found > settings.max_diagnostics:
            left_out = _count(found - settings.max_diagnostics, "finding")
            sys.stderr.write(f"{source.name}: {left_out} more, not shown: the limit is diagnostics.maxPerDocument\n")


def _settings_findings(project: Project, tally: Tally) -> Iterator[Reported]:
    for reported in project.problems():
        if reported.finding.severity is Severity.ERROR:
            tally.bad_settings += 1
        else:
            tally.add(reported.finding.severity)
        yield reported


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
