"""The check of one file: its findings as they are reported, after its fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.cli.checked_file import CheckedFile, CheckOptions
from llmblocks.cli.files import read
from llmblocks.cli.project import CommandProject
from llmblocks.cli.replacement import Rewrite, digest_of
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.core.document import Document
from llmblocks.core.other_files import ALONE, OtherFiles
from llmblocks.core.severity import Severity
from llmblocks.languages.registry import find_language, host_ids
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import Settings

if TYPE_CHECKING:
    from llmblocks.cli.report.reported import Remedy, Reported
    from llmblocks.core.finding import Finding
    from llmblocks.core.lines import Lines
    from llmblocks.core.scan import Scanner
    from llmblocks.languages.language import Language

_MOST_REMEDIES = 200
_MOST_CHARACTERS = 1 << 22
"""The characters that are read again, of one file, to see what fixes do."""
_CHARACTERS_A_FINDING = 1000
"""The length of a text without findings that takes as long as a finding."""


class LanguageTools(NamedTuple):
    """The language, checker and scanner for texts with some settings, made once for many texts."""

    language: Language
    settings: Settings
    checker: Checker
    scanner: Scanner

    @classmethod
    def of(cls, language_id: str, settings: Settings) -> LanguageTools:
        """New ones."""
        language = find_language(language_id)
        return cls(language, settings, Checker(language, settings), language.scanner(settings))


class Outside(NamedTuple):
    """The host of an embedded text, with the places in it of what is found there."""

    text: str
    lines: Lines
    place: Callable[[Finding], Finding]


class FileChecker:
    """The checks of a project's files. Sessions of logs are read once."""

    def __init__(self, project: CommandProject, options: CheckOptions) -> None:
        self._project = project
        self._options = options
        self._tools: dict[tuple[str, int], LanguageTools] = {}

    def check(self, source: SourceFile) -> CheckedFile:
        """Check a file, and fix it if the options say so. Errors are part of the outcome."""
        fixing = self._options.fixing
        fixed, output = 0, ""
        rewrite: Rewrite | None = None
        try:
            changes = fixing.writes or fixing.diffs
            settings = (self._project.valid_settings_for if changes else self._project.settings_for)(source.name)
            text = read(source, settings.max_size_mb)
            if changes:
                text, fixed, output, rewrite = fixing.text_of(source, text, settings)
        except InputError as error:
            return CheckedFile(error=str(error))
        counts: Counter[tuple[str, Severity]] = Counter()
        shown: list[Reported] = []
        other_files = self._project.other_files(find_language(source.language_id), source.name)
        digest = digest_of(text.encode()) if self._options.digests else b""
        if source.language_id in host_ids():
            found = self._embedded_findings(source, text, settings)
        else:
            tools = self._tools_of(source.language_id, settings)
            found = findings(source, text, tools, other_files, detailed=self._options.detailed)
        # a huge one must not be in memory twice while names are judged: its document has it
        del text
        for each in found:
            if not fixing.diffs and counts.total() < settings.max_diagnostics:
                shown.append(each)
            counts[each.code, each.severity] += 1
        totals = tuple([(*each, number) for each, number in counts.items()])
        looked = () if other_files is None else (*other_files.looked.items(),)
        return CheckedFile((*shown,), totals, "", fixed, output, rewrite, digest, looked)

    def _embedded_findings(self, source: SourceFile, text: str, settings: Settings) -> Iterator[Reported]:
        """The findings of the texts that a host embeds, with their places in the host."""
        from llmblocks.core.lines import Lines
        from llmblocks.hosts.hosted import embedded_in, moved_outside

        texts = embedded_in(text, source.language_id)
        lines = Lines(text if texts else "")
        for embedded in texts:
            tools = self._tools_of(embedded.language_id, settings)
            other_files = self._project.other_files(tools.language, source.name)
            inner = SourceFile(source.name, embedded.language_id)
            outside = Outside(text, lines, partial(moved_outside, embedded=embedded))
            yield from findings(
                inner, embedded.text, tools, other_files, detailed=self._options.detailed, outside=outside
            )

    def load(self, sources: Iterable[SourceFile]) -> None:
        """Load what the check of some files needs."""
        import llmblocks.cli.report.reported  # noqa: F401

        for source in sources:
            if source.language_id in host_ids():
                continue
            # the check of the file tells what is wrong
            with suppress(InputError):
                self._tools_of(source.language_id, self._project.settings_for(source.name))

    def _tools_of(self, language_id: str, settings: Settings) -> LanguageTools:
        # equal settings are one object, which its tools keep alive
        key = language_id, id(settings)
        found = self._tools.get(key)
        if found is None:
            found = self._tools[key] = LanguageTools.of(language_id, settings)
        return found


def findings(
    source: SourceFile,
    text: str,
    tools: LanguageTools,
    other_files: OtherFiles = ALONE,
    *,
    detailed: bool = False,
    outside: Outside | None = None,
) -> Iterator[Reported]:
    """The findings of one text, in order. Shape: see `Checker.names` for `other_files`."""
    checker = tools.checker
    document = Document(tools.scanner, text, checker.count_findings)
    del text
    found = checker.all(document, other_files)
    first = next(found, None)
    if first is None:
        return
    # most files are clean: what reports findings is loaded for the others
    from llmblocks.cli.report.reported import reported
    from llmblocks.core.lines import Lines

    text, lines, place = outside or (document.text, Lines(document.text), _same)
    remedy_of, most = (_remedies(document, tools), _most_remedies(document)) if detailed else (_no_remedy, 0)
    for number, finding in enumerate(chain((first,), found)):
        remedy = remedy_of(finding) if number < most else None
        yield reported(source.name, source.language_id, place(finding), lines, text if detailed else None, remedy)


def _same(finding: Finding) -> Finding:
    return finding


def _most_remedies(document: Document) -> int:
    """The number of findings of which fixes are tried. Each trial reads the text and finds all findings again."""
    findings = sum([section.finding_count for section in document.sections])
    return min(_MOST_REMEDIES, _MOST_CHARACTERS // (len(document) + findings * _CHARACTERS_A_FINDING + 1))


def _no_remedy(_: Finding) -> Remedy | None:
    return None


def _remedies(document: Document, tools: LanguageTools) -> Callable[[Finding], Remedy | None]:
    """The fixes of findings that do what they say, as an editor offers them."""
    from llmblocks.cli.report.reported import Remedy
    from llmblocks.features.fixes import best_fix
    from llmblocks.languages.ask import ask_all

    ask = ask_all(document, tools.language, tools.settings)

    def remedy(finding: Finding) -> Remedy | None:
        found = best_fix(ask, finding)
        return None if found is None else Remedy(found.title, found.safe)

    return remedy
