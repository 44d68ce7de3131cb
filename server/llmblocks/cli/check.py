"""`llmblocks check`: the findings of an editor, on the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper

from llmblocks.cli.files import STDIN, InputError, Source, find, read
from llmblocks.cli.fixing import Fixing
from llmblocks.cli.project import Project
from llmblocks.cli.report import Reported, reporter
from llmblocks.core.finding import Severity
from llmblocks.core.lines import Lines
from llmblocks.languages.registry import LANGUAGES, find_language
from llmblocks.rules import Checker
from llmblocks.settings.values import Settings
from llmblocks.workspace.disk import DiskLogs

CLEAN, FOUND, MISUSED = 0, 1, 2


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
