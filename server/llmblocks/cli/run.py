"""A run of `llmblocks check`: many files, one report."""

from __future__ import annotations

import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, TextIO

from llmblocks.cli.checking import CheckedFile, CheckOptions, FileChecker
from llmblocks.cli.files import size_of
from llmblocks.cli.output import Progress, print_diff, rewrite, write_output
from llmblocks.cli.processes import mapped
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import CLEAN, FOUND, MISUSED, InputError, SourceFile, counted
from llmblocks.facts.severity import Severity
from llmblocks.languages.registry import LANGUAGES
from llmblocks.settings.rule_names import NAMES

if TYPE_CHECKING:
    from llmblocks.cli.findings.reported import Reported

Source = SourceFile | InputError
FORMATS = {
    **dict.fromkeys(("full", "concise"), "people"),
    **dict.fromkeys(("json", "jsonl", "sarif", "github", "gitlab", "junit"), "services"),
}
"""The output formats, with the modules that write them."""
_FILES, _BYTES = 32, 1_000_000
"""The files that one process checks together."""


class Outcome:
    """The totals so far.

    `codes` counts the findings by rule, `fixable` those with a fix by its safety. For a baseline, `known` findings are
    still present, `gone` ones are not, and `written` is its new size.
    """

    def __init__(self, *, diffs: bool = False) -> None:
        self.diffs = diffs
        self.files = self.texts = self.unread = self.bad_settings = self.fixed = self.known = self.gone = 0
        self.written: int | None = None
        self.severities: Counter[Severity] = Counter()
        self.codes: Counter[str] = Counter()
        self.fixable: Counter[bool] = Counter()

    def add(self, code: str, severity: Severity, number: int = 1) -> None:
        """Count findings."""
        self.severities[severity] += number
        self.codes[code] += number

    @property
    def status(self) -> int:
        """The exit status: 2 if a file could not be checked or a setting is wrong, 1 if an error or a warning is left.

        For a diff, 1 if there is a change.
        """
        if self.unread or self.bad_settings:
            return MISUSED
        # the other severities let no run fail
        found = self.fixed if self.diffs else self.severities[Severity.ERROR] + self.severities[Severity.WARNING]
        return FOUND if found else CLEAN

    def baseline(self) -> str:
        """Return the part of a baseline in words; empty without one."""
        if self.written is not None:
            return f"{counted(self.written, 'finding')} written to the baseline"
        if self.gone:
            return f"{counted(self.gone, 'finding')} of the baseline fixed; --write-baseline removes them from it"
        return ""

    def sentence(self) -> str:
        """Return the outcome in words."""
        files = counted(self.files, "file")
        if self.texts != self.files:
            files += f" with {counted(self.texts, 'text')}"
        severities = sorted(self.severities.items())
        found = ", ".join([counted(number, each.name.lower()) for each, number in severities if number])
        unread = f"; {counted(self.unread, 'file')} could not be checked" if self.unread else ""
        settings = f"; {self.known} in the baseline" if self.known else ""
        if self.bad_settings:
            settings += f"; {counted(self.bad_settings, 'error')} in the settings"
        if self.unread and not self.files:
            # without any file, "nothing found" would mislead
            return f"{unread.removeprefix('; ')}{found and f': {found}'}{settings}"
        fixed = counted(self.fixed, "finding")
        if self.diffs:
            return f"{files} checked: {fixed} to fix{unread}{settings}"
        if self.fixed:
            return f"{files} checked, {fixed} fixed: {found or 'nothing left'}{unread}{settings}"
        return f"{files} checked: {found or 'nothing found'}{unread}{settings}"

    def fixes(self) -> str:
        """Return the number of fixable findings in words; empty for none."""
        safe, unsafe = self.fixable[True], self.fixable[False]
        if not safe:
            return f"{unsafe} fixable with --fix --unsafe-fixes" if unsafe else ""
        return f"{safe} fixable with --fix" + (f", {unsafe} with --unsafe-fixes" if unsafe else "")


class CheckRun:
    """A check of files, whose findings are written in an output format, or only their numbers.

    `outcome` and `looked`, the other files that affect it, grow during the check.
    """

    def __init__(self, project: CommandProject, options: CheckOptions) -> None:
        self.outcome = Outcome(diffs=options.diffs)
        self.looked: set[str] = set()
        self._project, self._options = project, options
        self._shows = not (options.diffs or options.statistics)
        self._held: dict[str, list[tuple[SourceFile, CheckedFile]]] = {}
        """The files with a baseline, by its path: new findings are known only at the end."""
        self._known_errors: set[str] = set()

    def report(self, sources: Iterable[Source], out: TextIO) -> None:
        """Check all files, and write the report; then a summary to standard error."""
        with closing(self._found(sources)) as found:
            if self._shows:
                output = self._options.output
                getattr(import_module(f"llmblocks.cli.findings.{FORMATS[output]}"), f"write_{output}")(found, out)
            else:
                deque(found, 0)
                if self._options.statistics:
                    self._write_statistics(out)
        out.flush()
        outcome = self.outcome
        for line in () if self._options.quiet else (outcome.sentence(), outcome.fixes(), outcome.baseline()):
            sys.stderr.write(f"{line}\n" if line else "")
        if not (outcome.files or outcome.unread or self._options.quiet):
            suffixes = [f"*{suffix}" for language in LANGUAGES for suffix in language.suffixes]
            sys.stderr.write(f"nothing to check: expected {', '.join(suffixes)} or llmist logs\n")

    def _found(self, sources: Iterable[Source]) -> Generator[Reported, None, None]:
        yield from self._settings_findings()
        here = partial(_check, FileChecker(self._project, self._options))
        begin = partial(_begin, self._project.again, self._options)
        with (
            closing(Progress("files", quiet=self._options.quiet)) as progress,
            closing(mapped(self._batches(sources), here, begin, self._options.jobs)) as results,
        ):
            for batch, found in results:
                yield from self._settings_findings()
                for source, checked in zip(batch, found, strict=True):
                    if len(batch) >= _FILES:
                        progress.advance()
                    if checked.found or checked.error or checked.output:
                        progress.close()
                    yield from self._reported(source, checked)
        yield from self._compared()
        for name, why in self._project.extensions.faults.items():
            self.outcome.bad_settings += 1
            sys.stderr.write(f"llmblocks check: the rules of {name}: {why}\n")

    def _compared(self) -> Iterator[Reported]:
        """Yield the findings that the baseline of a file lacks; all of them if a format shows their state."""
        if self._options.writes_baseline and not self._held:
            raise InputError("no baseline to write: pass --baseline FILE, or set rules.baseline")
        for path, held in self._held.items():
            # already read without errors
            baseline = self._project.sources.baseline(path)
            files = [(os.path.abspath(source.name), source, checked) for source, checked in held]
            found = {name: [each.fingerprint for each in checked.found] for name, _, checked in files}
            if self._options.writes_baseline:
                baseline = baseline.updated(found)
                write_output(baseline.as_text(), path)
                self.outcome.written = (self.outcome.written or 0) + sum(map(len, baseline.entries.values()))
            matched = baseline.matched(found)
            self.outcome.gone += matched.fixed
            for name, source, checked in files:
                flagged = zip(checked.found, matched.known[name], strict=True)
                told = [each._replace(is_known=is_known) for each, is_known in flagged]
                new = [each for each in told if not each.is_known]
                self.outcome.known += len(told) - len(new)
                counts = Counter([(each.code, each.severity) for each in new])
                totals = tuple([(*each, number) for each, number in counts.items()])
                most = self._project.settings_for(source.name).max_diagnostics
                shown = told if self._options.output == "sarif" else new[:most]
                yield from self._told(source, checked._replace(found=(*shown,), counts=totals))

    def _batches(self, sources: Iterable[Source]) -> Iterator[list[Source]]:
        batch: list[Source] = []
        size = 0
        for source in sources:
            if isinstance(source, SourceFile):
                # other processes read the settings and schemas, too; this one reports the problems
                self._project.settings_for(source.name)
            if (size >= _BYTES or len(batch) >= _FILES) and not _is_of_one_session(batch[-1], source):
                yield batch
                batch, size = [], 0
            batch.append(source)
            size += size_of(source)
        if batch:
            yield batch

    def _reported(self, source: Source, checked: CheckedFile) -> Iterator[Reported]:
        if checked.rewrite is not None and isinstance(source, SourceFile):
            # here, never in another process, which may be stopped at any moment
            try:
                rewrite(source.name, checked.rewrite, "fixed")
            except InputError as error:
                checked = CheckedFile(error=str(error))
        if checked.error or isinstance(source, InputError):
            self.outcome.unread += 1
            if checked.error not in self._known_errors:
                # invalid settings are the error of many files
                self._known_errors.add(checked.error)
                sys.stderr.write(f"llmblocks check: {checked.error}\n")
            # people read standard error; programs may read only the report
            if self._options.output not in ("full", "concise"):
                from llmblocks.cli.findings.reported import unread

                yield unread(source, checked.error)
            return
        if path := self._project.settings_for(source.name).baseline:
            self._held.setdefault(path, []).append((source, checked))
        else:
            yield from self._told(source, checked)

    def _told(self, source: SourceFile, checked: CheckedFile) -> Iterator[Reported]:
        """Yield and count the findings of a checked file."""
        outcome = self.outcome
        outcome.files += 1
        outcome.texts += checked.texts
        self.looked.update(checked.looked)
        outcome.fixed += checked.fixed
        for code, severity, number in checked.counts:
            outcome.add(code, severity, number)
        if checked.output:
            (print_diff if self._options.diffs else write_output)(checked.output)
        if self._options.output == "full":
            outcome.fixable.update([each.remedy.safe for each in checked.found if each.remedy is not None])
        yield from checked.found
        left = sum([number for _, _, number in checked.counts]) - len(checked.found)
        if left > 0 and self._shows:
            hidden = f"{counted(left, 'more finding')} not shown (diagnostics.maxPerDocument)"
            sys.stderr.write(f"{source.name}: {hidden}\n")

    def _settings_findings(self) -> Iterator[Reported]:
        for each in self._project.problems():
            if each.severity is Severity.ERROR:
                self.outcome.bad_settings += 1
            else:
                self.outcome.add(each.code, each.severity)
            yield each

    def _write_statistics(self, out: TextIO) -> None:
        """Write the number of findings of each rule, the most frequent first."""
        rows = sorted(self.outcome.codes.items(), key=lambda row: (-row[1], row[0]))
        listed = [{"code": code, "name": NAMES.get(code), "count": number} for code, number in rows]
        width = max([len(str(number)) for _, number in rows], default=0)
        lines = [f"{number:>{width}}  {code}  {NAMES.get(code, '')}" for code, number in rows]
        if self._options.output in ("json", "jsonl"):
            import json

            lines = [json.dumps(listed, indent=2)] if self._options.output == "json" else [*map(json.dumps, listed)]
        out.writelines([f"{line}\n" for line in lines])


def _check(checker: FileChecker, batch: list[Source]) -> list[CheckedFile]:
    return [CheckedFile(error=str(each)) if isinstance(each, InputError) else checker.check(each) for each in batch]


def _begin(project: Callable[[], CommandProject], options: CheckOptions) -> Callable[[list[Source]], list[CheckedFile]]:
    return partial(_check, FileChecker(project(), options))


def _is_of_one_session(one: Source, other: Source) -> bool:
    """Return whether two files are logs of one folder, whose names a process reads completely."""
    from llmblocks.workspace.listing import file_number

    (folder, name), (other_folder, _) = os.path.split(one.name), os.path.split(other.name)
    return folder == other_folder and file_number(name) is not None
