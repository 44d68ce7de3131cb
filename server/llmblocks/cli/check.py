"""`llmblocks check`: what the editor would show, on the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from llmblocks.cli.files import InputError, Source, find, read
from llmblocks.cli.place import Lines
from llmblocks.cli.project import Project
from llmblocks.cli.report import Reported, reporter
from llmblocks.core.finding import Severity
from llmblocks.languages.registry import format_for
from llmblocks.rules import Checker
from llmblocks.settings.values import Settings

CLEAN, FOUND, MISUSED = 0, 1, 2


@dataclass(slots=True)
class Tally:
    """How it went so far."""

    files: int = 0
    unread: int = 0
    severities: dict[Severity, int] = field(default_factory=dict)

    @property
    def status(self) -> int:
        """The exit status: 2 where a file could not be checked, 1 where there is an error."""
        return MISUSED if self.unread else FOUND if self.severities.get(Severity.ERROR) else CLEAN

    def sentence(self) -> str:
        """The outcome in words."""
        files = _count(self.files, "file")
        found = ", ".join(_count(number, _WORDS[severity]) for severity, number in sorted(self.severities.items()))
        unread = f"; {_count(self.unread, 'file')} could not be checked" if self.unread else ""
        return f"{files} checked: {found or 'nothing found'}{unread}"


_WORDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "remark",
    Severity.HINT: "hint",
}


def run(names: Sequence[str], language_id: str | None, output: str, project: Project) -> int:
    """Check files and folders; gives the exit status."""
    tally = Tally()
    reporter(output, sys.stdout)(_all_findings(names, language_id, project, tally))
    sys.stdout.flush()
    sys.stderr.write(f"{tally.sentence()}\n")
    if not tally.files and not tally.unread:
        sys.stderr.write(
            "no file there has a name that tells its language: .gadget, .stf, .blocks, or a log of llmist\n"
        )
    return tally.status


def findings(source: Source, text: str, settings: Settings) -> Iterator[Reported]:
    """The findings of one text, in order."""
    form = format_for(source.language_id, settings)
    checker = Checker(form)
    lines: Lines | None = None
    for finding in checker.all(form.open(text, checker.weigh)):
        lines = lines or Lines(text)
        yield Reported(source.name, source.language_id, finding, lines)


def _all_findings(names: Sequence[str], language_id: str | None, project: Project, tally: Tally) -> Iterator[Reported]:
    for source in find(names, language_id):
        try:
            if isinstance(source, InputError):
                raise source
            text = read(source)
        except InputError as error:
            tally.unread += 1
            sys.stderr.write(f"llmblocks check: {error}\n")
            continue
        tally.files += 1
        settings = project.settings_for(source.name)
        for reported in chain(project.problems(), findings(source, text, settings)):
            severity = reported.finding.severity
            tally.severities[severity] = tally.severities.get(severity, 0) + 1
            yield reported


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
