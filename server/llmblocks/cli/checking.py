"""The check of one file: its findings for the report, after its fixes."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from heapq import merge
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.cli.files import read, read_lines
from llmblocks.cli.fixing import Fixing
from llmblocks.cli.project import CommandProject
from llmblocks.cli.replacement import Rewrite
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.contract.other_files import ALONE, OtherFiles
from llmblocks.facts.severity import Severity
from llmblocks.languages.registry import find_language, host_ids
from llmblocks.rules.checker import checker_of
from llmblocks.settings.values import Settings

if TYPE_CHECKING:
    from llmblocks.cli.findings.reported import Remedy, Reported
    from llmblocks.core.document import Document
    from llmblocks.core.edits import Edit
    from llmblocks.core.lines import Lines
    from llmblocks.facts.finding import Finding
    from llmblocks.hosts.embedded import EmbeddedText, Host
    from llmblocks.languages.language import Language
    from llmblocks.rules.fix import Fix

_MOST_REMEDIES = 200
_MOST_CHARACTERS = 1 << 22
"""The total length of the texts, per file, on which fixes are tried."""
_CHARACTERS_A_FINDING = 1000
"""The length of a text without findings that takes as long as a finding."""
_NO_FORM = (
    "it does not begin as a known form of a data set; name the form in files.datasets, or the texts in files.strings"
)


def _reason(host_id: str) -> str:
    """Return the reason why the embedded texts of a host are unknown."""
    if not find_language(host_id).code:
        return _NO_FORM
    from llmblocks.hosts.code import NO_PARSER

    return NO_PARSER


class HostText:
    """The text of a host. Its lines are counted once, if there are findings."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> Lines:
        from llmblocks.core.lines import Lines

        return Lines(self.text)


class HostPlace(NamedTuple):
    """Maps findings and edits of an embedded text to its host `outside`."""

    outside: HostText
    finding: Callable[[Finding], Finding]
    edits: Callable[[Sequence[Edit]], Sequence[Edit]]
    """Returns None if the host would then embed another text."""


class CheckOptions(NamedTuple):
    """The options of a check, for every file."""

    fixing: Fixing = Fixing()
    detailed: bool = False
    """Whether findings have excerpts, and the fixes that an editor offers."""


class CheckedFile(NamedTuple):
    """The outcome for one file."""

    found: tuple[Reported, ...] = ()
    """The findings to show."""
    counts: tuple[tuple[str, Severity, int], ...] = ()
    """The numbers of all findings."""
    error: str = ""
    """The reason why the file could not be checked."""
    fixed: int = 0
    output: str = ""
    """For standard output: a diff, or the fixed text of standard input."""
    rewrite: Rewrite | None = None
    """The new content of the file."""
    looked: tuple[str, ...] = ()
    """The paths of other files that affect the outcome."""
    texts: int = 1
    """The number of texts read; a file of our languages is one."""


class FileChecker:
    """Checks a project's files. Sessions of logs are read once."""

    def __init__(self, project: CommandProject, options: CheckOptions) -> None:
        self._project = project
        self._options = options
        self._texts = 0

    def check(self, source: SourceFile) -> CheckedFile:
        """Check a file, and fix it if the options say so. Errors are part of the outcome."""
        fixing = self._options.fixing
        fixed, output = 0, ""
        self._texts = 0
        rewrite: Rewrite | None = None
        try:
            changes = fixing.writes or fixing.diffs
            settings = (self._project.valid_settings_for if changes else self._project.settings_for)(source.name)
            host = _host(source.language_id, settings)
            if host is not None and host.by_line and not changes:
                return self._checked_by_line(source, host, settings)
            text = read(source, settings.max_size_mb)
            if host is not None and text.strip() and host.settled(text) is None:
                raise InputError(f"{source.name}: {_reason(source.language_id)}")
            if changes:
                text, fixed, output, rewrite = fixing.text_of(source, text, settings, self._project)
        except InputError as error:
            return CheckedFile(error=str(error))
        language = find_language(source.language_id)
        other_files = self._project.other_files(language, source.name)
        if host is not None:
            found = self._embedded_findings(source, text, settings, host)
        else:
            found = findings(source, text, settings, other_files, detailed=self._options.detailed)
        # a huge text must not be in memory twice while names are checked: its document has it
        del text
        shown, totals = _counted(found, 0 if fixing.diffs else _most(settings))
        texts = 1 if host is None else self._texts
        return CheckedFile(shown, totals, "", fixed, output, rewrite, (*other_files.looked,), texts)

    def _checked_by_line(self, source: SourceFile, host: Host, settings: Settings) -> CheckedFile:
        """Check a host with one line in memory at a time.

        Raises:
            InputError: It cannot be read.
        """
        lines = read_lines(source, settings.max_size_mb)
        shown, totals = _counted(self._findings_by_line(source, host, settings, lines), _most(settings))
        return CheckedFile(shown, totals, texts=self._texts)

    def _findings_by_line(
        self, source: SourceFile, host: Host, settings: Settings, lines: Iterable[str]
    ) -> Iterator[Reported]:
        start = 0
        settled: Host | None = None
        for number, line in enumerate(lines):
            if settled is None and line.strip():
                settled = host.settled(line)
                if settled is None:
                    raise InputError(f"{source.name}: {_NO_FORM}")
            if settled is not None:
                for each in self._embedded_findings(source, line, settings, settled):
                    yield each.moved(start, number)
            start += len(line) + 1

    def _embedded_findings(self, source: SourceFile, text: str, settings: Settings, host: Host) -> Iterator[Reported]:
        """Yield the findings about a host, and those of its embedded texts with their places in the host."""
        everything = host.read(text)
        texts, problems, versions, _ = everything
        self._texts += len(texts) + len(versions)
        outside = HostText(text)
        inside = (
            each for embedded in texts for each in self._findings_inside(source, settings, host, embedded, outside)
        )
        if not problems and not versions:
            yield from inside
            return
        from llmblocks.cli.findings.reported import reported
        from llmblocks.rules.checker import host_findings

        shown = text if self._options.detailed else None
        own = (
            reported(source.name, source.language_id, each, outside.lines, shown, self._own_remedy(each, outside))
            for each in host_findings(everything, settings, text)
        )
        yield from merge(own, inside, key=lambda each: each.span)

    def _own_remedy(self, finding: Finding, outside: HostText) -> Remedy | None:
        """Return the fix of a finding about a host."""
        if not self._options.detailed:
            return None
        from llmblocks.cli.findings.reported import Remedy
        from llmblocks.rules.fixing import host_fixes

        return next((Remedy.of(each, each.edits, outside.lines) for each in host_fixes(finding)), None)

    def _findings_inside(
        self, source: SourceFile, settings: Settings, host: Host, embedded: EmbeddedText, outside: HostText
    ) -> Iterator[Reported]:
        from llmblocks.hosts.hosted import edits_outside, moved_outside

        inner = SourceFile(source.name, embedded.language_id)
        other_files = self._project.other_files(find_language(embedded.language_id), source.name)
        place = HostPlace(
            outside,
            partial(moved_outside, embedded=embedded),
            lambda edits: edits_outside(outside.text, host, [(embedded, edits)]),
        )
        return findings(inner, embedded.text, settings, other_files, detailed=self._options.detailed, place=place)

    def texts(self, source: SourceFile) -> Iterator[tuple[int, str]]:
        """Yield the texts of a file: the first line of each, and its language.

        Raises:
            InputError: It cannot be read.
        """
        settings = self._project.settings_for(source.name)
        host = _host(source.language_id, settings)
        if host is None:
            read(source, settings.max_size_mb)
            yield 1, source.language_id
            return
        settled: Host | None = None
        parts = read_lines(source, settings.max_size_mb) if host.by_line else [read(source, settings.max_size_mb)]
        for number, part in enumerate(parts, 1):
            if settled is None and part.strip():
                settled = host.settled(part)
                if settled is None:
                    raise InputError(f"{source.name}: {_reason(source.language_id)}")
            if settled is None:
                continue
            found = settled.read(part)
            outside = HostText(part)
            every = [*found.texts, *[first for first, *_ in found.versions]]
            for each in sorted(every, key=lambda each: each.start):
                yield number + outside.lines.of(each.start)[0] - 1, each.language_id


def _host(language_id: str, settings: Settings) -> Host | None:
    if language_id not in host_ids():
        return None
    # most files are not
    from llmblocks.hosts.hosted import host_of_language

    return host_of_language(language_id, settings)


def findings(
    source: SourceFile,
    text: str,
    settings: Settings,
    other_files: OtherFiles = ALONE,
    *,
    detailed: bool = False,
    place: HostPlace | None = None,
) -> Iterator[Reported]:
    """Yield the findings of one text, in order.

    See `Checker.names` for `other_files`; `place` is that of the text in a host.
    """
    language = find_language(source.language_id)
    checker = checker_of(language, settings)
    document = language.open(text, settings)
    del text
    found = checker.all(document, other_files)
    first = next(found, None)
    if first is None:
        return
    # most files are clean: the report's modules load on demand
    from llmblocks.cli.findings.reported import Remedy, reported

    outside = place.outside if place else HostText(document.text)
    shown = outside.text if detailed else None
    fix_of, most = _fixes(document, language, settings, other_files) if detailed else (None, 0)
    if place:
        # each trial reads the host again
        most = min(most, _MOST_CHARACTERS // (len(outside.text) + 1))
    for number, finding in enumerate(chain((first,), found)):
        fix = fix_of(finding) if fix_of and number < most else None
        edits = () if fix is None else place.edits(fix.edits) if place else fix.edits
        remedy = Remedy.of(fix, edits, outside.lines) if fix is not None and edits else None
        placed = place.finding(finding) if place else finding
        yield reported(source.name, source.language_id, placed, outside.lines, shown, remedy)


def _most(settings: Settings) -> int:
    """Return the maximum number of reported findings. With a baseline, it is not yet known which are shown."""
    return sys.maxsize if settings.baseline else settings.max_diagnostics


def _counted(
    found: Iterable[Reported], most: int
) -> tuple[tuple[Reported, ...], tuple[tuple[str, Severity, int], ...]]:
    """Return the first findings, and the numbers of all."""
    counts: Counter[tuple[str, Severity]] = Counter()
    shown: list[Reported] = []
    for each in found:
        if len(shown) < most:
            shown.append(each)
        counts[each.code, each.severity] += 1
    return (*shown,), tuple([(*each, number) for each, number in counts.items()])


def _fixes(
    document: Document, language: Language, settings: Settings, other_files: OtherFiles
) -> tuple[Callable[[Finding], Fix | None], int]:
    """Return the function for the fixes of findings, and the number of findings to call it for.

    Fixes keep their promises, as in an editor. Each trial reads the text and finds all findings again.
    """
    from llmblocks.features.fixes import best_fixes
    from llmblocks.languages.ask import ask_all

    ask = ask_all(document, language, settings, other_files)
    findings = sum([section.finding_count for section in document.sections])
    return best_fixes(ask), min(
        _MOST_REMEDIES, _MOST_CHARACTERS // (len(document) + findings * _CHARACTERS_A_FINDING + 1)
    )
