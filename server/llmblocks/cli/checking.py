"""The check of one file: its findings for the report, after its fixes."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from heapq import merge
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.cli.files import read, read_lines
from llmblocks.cli.output import Rewrite, diff
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.contract.other_files import ALONE, OtherFiles
from llmblocks.facts.severity import Severity
from llmblocks.languages.registry import find_language, host_ids
from llmblocks.rules.checker import checker_of
from llmblocks.settings.values import Settings

if TYPE_CHECKING:
    from llmblocks.cli.findings.reported import Reported
    from llmblocks.core.edits import Edit
    from llmblocks.core.lines import Lines
    from llmblocks.facts.finding import Finding
    from llmblocks.hosts.embedded import EmbeddedText, Host

_MOST_REMEDIES = 200
_MOST_CHARACTERS = 1 << 22
"""The total length of the texts, per file, on which fixes are tried."""
_CHARACTERS_A_FINDING = 1000
"""The length of a text without findings that takes as long as a finding."""
_NO_FORM = (
    "it does not begin as a known form of a data set; name the form in files.datasets, or the texts in files.strings"
)


class HostPart:
    """The text of a host, or one of its lines. `start` and `number` count what is before it."""

    def __init__(self, host: Host, text: str, start: int = 0, number: int = 0) -> None:
        self.host, self.text, self.start, self.number = host, text, start, number

    @cached_property
    def lines(self) -> Lines:
        from llmblocks.core.lines import Lines

        return Lines(self.text)


class CheckOptions(NamedTuple):
    """The options of a check."""

    writes: bool = False
    """Whether files get the fixed texts, and standard output that of standard input."""
    unsafe: bool = False
    diffs: bool = False
    """Whether to show the changes instead."""
    output: str = "concise"
    """The output format."""
    jobs: int = 1
    """The number of processes."""
    quiet: bool = False
    statistics: bool = False
    writes_baseline: bool = False

    @property
    def detailed(self) -> bool:
        """Whether findings have excerpts, and the fixes that an editor offers."""
        return self.output in ("full", "json", "jsonl") and not self.statistics


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
        try:
            return self._checked(source)
        except InputError as error:
            return CheckedFile(error=str(error))

    def _checked(self, source: SourceFile) -> CheckedFile:
        options, language = self._options, find_language(source.language_id)
        changes = options.writes or options.diffs
        settings = (self._project.valid_settings_for if changes else self._project.settings_for)(source.name)
        host, done, looked = _host(source.language_id, settings), CheckedFile(), ALONE.looked
        self._texts = 0 if host else 1
        if host is not None and not changes:
            parts: Iterable[HostPart] = _parts(source, host, settings)
        else:
            text = read(source, settings.max_size_mb)
            if host is not None and text.strip():
                _settled(source, host, text)
            if changes:
                text, done = self._fixed(source, text, settings)
            parts = [HostPart(host, text)] if host is not None else ()
        if host is not None:
            found: Iterator[Reported] = chain.from_iterable(self._embedded(source, settings, part) for part in parts)
        else:
            other_files = self._project.other_files(language, source.name)
            looked = other_files.looked
            found = findings(source, text, settings, other_files, detailed=options.detailed)
            # a huge text must not be in memory twice while names are checked: its document has it
            del text
        counts: Counter[tuple[str, Severity]] = Counter()
        shown: list[Reported] = []
        # with a baseline, it is not yet known which are shown
        most = 0 if options.diffs else sys.maxsize if settings.baseline else settings.max_diagnostics
        for each in found:
            if len(shown) < most:
                shown.append(each)
            counts[each.code, each.severity] += 1
        totals = tuple([(*each, number) for each, number in counts.items()])
        return done._replace(found=(*shown,), counts=totals, looked=(*looked,), texts=self._texts)

    def _fixed(self, source: SourceFile, text: str, settings: Settings) -> tuple[str, CheckedFile]:
        """Return the text of a file after its fixes, and their outcome."""
        from llmblocks.rules.check import Belonging
        from llmblocks.rules.fixing import fix_of

        if source.stays:
            return text, CheckedFile()
        of = Belonging(source.language_id, settings, self._project, source.name)
        fixed = fix_of(text, of, unsafe=self._options.unsafe)
        done = CheckedFile(fixed=len(fixed.applied))
        if self._options.diffs:
            done = done._replace(output=diff(source.name, text, fixed.text))
        elif source.is_stdin:
            done = done._replace(output=fixed.text)
        elif done.fixed:
            done = done._replace(rewrite=Rewrite.of(text, fixed.text))
        return fixed.text, done

    def _embedded(self, source: SourceFile, settings: Settings, part: HostPart) -> Iterator[Reported]:
        """Yield the findings about a part of a host, and those of its embedded texts with their places in the host."""
        text = part.text
        everything = part.host.read(text)
        texts, problems, versions, _ = everything
        self._texts += len(texts) + len(versions)
        detailed = self._options.detailed

        def inside(embedded: EmbeddedText) -> Iterator[Reported]:
            inner = SourceFile(source.name, embedded.language_id)
            other_files = self._project.other_files(find_language(embedded.language_id), source.name)
            return findings(inner, embedded.text, settings, other_files, detailed=detailed, place=(part, embedded))

        found: Iterator[Reported] = chain.from_iterable(map(inside, texts))
        if problems or versions:
            from llmblocks.cli.findings.reported import Remedy, reported
            from llmblocks.rules.checker import host_findings
            from llmblocks.rules.fixing import host_fixes

            def own(finding: Finding) -> Reported:
                fix = next(iter(host_fixes(finding)), None) if detailed else None
                remedy = Remedy.of(fix, fix.edits, part.lines) if fix else None
                shown = text if detailed else None
                return reported(source.name, source.language_id, finding, part.lines, shown, remedy)

            found = merge(map(own, host_findings(everything, settings, text)), found, key=lambda each: each.span)
        yield from (each.moved(part.start, part.number) for each in found) if part.number else found

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
        for part in _parts(source, host, settings):
            found = part.host.read(part.text)
            every = [*found.texts, *[first for first, *_ in found.versions]]
            for each in sorted(every, key=lambda each: each.start):
                yield part.number + part.lines.of(each.start)[0], each.language_id


def _host(language_id: str, settings: Settings) -> Host | None:
    if language_id not in host_ids():
        return None
    # most files are not
    from llmblocks.hosts.hosted import host_of_language

    return host_of_language(language_id, settings)


def _parts(source: SourceFile, host: Host, settings: Settings) -> Iterator[HostPart]:
    """Yield the parts of a host that are read independently: its lines, one in memory at a time, or its text."""
    settled, start = None, 0
    parts = read_lines(source, settings.max_size_mb) if host.by_line else [read(source, settings.max_size_mb)]
    for number, text in enumerate(parts):
        if settled is None and text.strip():
            settled = _settled(source, host, text)
        if settled is not None:
            yield HostPart(settled, text, start, number)
        start += len(text) + 1


def _settled(source: SourceFile, host: Host, text: str) -> Host:
    """Return the host for a text; raise `InputError` if its embedded texts are unknown."""
    if (settled := host.settled(text)) is not None:
        return settled
    if not find_language(source.language_id).code:
        raise InputError(f"{source.name}: {_NO_FORM}")
    from llmblocks.hosts.code import NO_PARSER

    raise InputError(f"{source.name}: {NO_PARSER}")


def findings(
    source: SourceFile,
    text: str,
    settings: Settings,
    other_files: OtherFiles = ALONE,
    *,
    detailed: bool = False,
    place: tuple[HostPart, EmbeddedText] | None = None,
) -> Iterator[Reported]:
    """Yield the findings of one text, in order.

    See `Checker.names` for `other_files`; `place` is that of the text in a host.
    """
    language = find_language(source.language_id)
    document = language.open(text, settings)
    del text
    found = checker_of(language, settings).all(document, other_files)
    first = next(found, None)
    if first is None:
        return
    # most files are clean: the report's modules load on demand
    from llmblocks.cli.findings.reported import Remedy, reported
    from llmblocks.core.lines import Lines

    whole, lines = (place[0].text, place[0].lines) if place else (document.text, Lines(document.text))
    fix_of, most = None, 0
    if detailed:
        from llmblocks.features.fixes import best_fixes
        from llmblocks.languages.ask import ask_all

        # fixes keep their promises, as in an editor: each trial reads the text, or its host, and finds all again
        fix_of = best_fixes(ask_all(document, language, settings, other_files))
        trial = len(document) + sum([each.finding_count for each in document.sections]) * _CHARACTERS_A_FINDING
        most = min(_MOST_REMEDIES, _MOST_CHARACTERS // (max(trial, len(whole) if place else 0) + 1))
    for number, finding in enumerate(chain((first,), found)):
        fix = fix_of(finding) if fix_of and number < most else None
        edits: Sequence[Edit] = () if fix is None else fix.edits
        if place is not None:
            from llmblocks.hosts.hosted import edits_outside, moved_outside

            # none if the host would then embed another text
            part, embedded = place
            edits = edits_outside(whole, part.host, [(embedded, edits)]) if edits else ()
            finding = moved_outside(finding, embedded)
        remedy = Remedy.of(fix, edits, lines) if fix is not None and edits else None
        yield reported(source.name, source.language_id, finding, lines, whole if detailed else None, remedy)
