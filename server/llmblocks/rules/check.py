"""The findings of a text in its context: its file, or the earlier responses of a session in memory; and as JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from heapq import merge
from typing import Any, Final, NamedTuple

from llmblocks.contract.other_files import ALONE, OtherFiles
from llmblocks.core.chunks import expect_text
from llmblocks.core.lines import Lines
from llmblocks.core.places import Elsewhere, order
from llmblocks.facts.finding import Finding
from llmblocks.languages.language import Language
from llmblocks.languages.registry import find_language, host_ids, language_ids
from llmblocks.rules.checker import check_text
from llmblocks.rules.project import Project
from llmblocks.settings.rule_names import NAMES
from llmblocks.settings.values import DEFAULTS, Settings

_NONE: Final[Mapping[str, str]] = {}


class Belonging(NamedTuple):
    """The language and the settings of a text, and its session."""

    language_id: str
    settings: Settings
    project: Project | None = None
    name: str | None = None
    """The path of its file, or None."""
    known: Collection[str] = ()
    """The earlier responses of the session in memory, or the ids of their calls."""
    results: Mapping[str, str] = _NONE
    """The runtime's reports about calls of that session."""

    def other_files(self, language: Language, text: str) -> OtherFiles:
        """Return the other files, or the earlier responses, of the session of the text, or of one embedded in it."""
        if self.known or self.results:
            from llmblocks.workspace.memory import EarlierResponses

            return EarlierResponses(text, self.known, self.results, self.settings.markers)
        return ALONE if self.project is None or self.name is None else self.project.other_files(language, self.name)


def belonging(
    language_id: str | None,
    settings: Settings | None,
    name: str | None,
    known: Collection[str] = (),
    results: Mapping[str, str] | None = None,
) -> Belonging:
    """Return the context of a text. Raises the errors of `check`."""
    if isinstance(known, str | bytes) or not isinstance(known, Collection):
        raise TypeError(f"known is a collection of ids or of texts, such as a list, not {type(known).__name__}")
    if not isinstance(results, Mapping | None):
        raise TypeError(f"results are what the runtime said, by the ids of calls, not {type(results).__name__}")
    settings = settings or DEFAULTS
    project = None if name is None else Project(settings=settings)
    if project is not None and name is not None:
        language_id = language_id or project.language_of(name)
        settings = project.settings_for(name)
    if language_id is None:
        every = ", ".join((*language_ids(), *host_ids()))
        raise ValueError(f"the name {name!r} does not determine a language: use one of {every}")
    return Belonging(language_id, settings, project, name, known, results or _NONE)


def check(
    text: str,
    language_id: str | None,
    settings: Settings | None = None,
    name: str | None = None,
    *,
    known: Collection[str] = (),
    results: Mapping[str, str] | None = None,
) -> tuple[Finding, ...]:
    """Return the findings of a text, in order, as in an editor. Never raises for any text.

    If calls depend on ones outside the text, the other files of its session are read. Paths of embedded files start at
    its folder.

    Args:
        text: The text.
        language_id: The language; by default that of `name`.
        settings: The settings.
        name: The path of the text's file.
        known: For a session in memory, the earlier responses, or the ids of their calls. No other file is read then.
        results: For a session in memory, the runtime's reports about calls, by their ids.

    Raises:
        ValueError: The language is unknown.
        TypeError: The argument is not text.
    """
    expect_text(text, "check")
    return check_of(text, belonging(language_id, settings, name, known, results))


def check_of(text: str, of: Belonging) -> tuple[Finding, ...]:
    if of.language_id in host_ids():
        from llmblocks.hosts.hosted import host_of_language, moved_outside
        from llmblocks.rules.checker import host_findings

        host = host_of_language(of.language_id, of.settings)
        assert host is not None, "the id of a host"
        found = host.read(text)
        inside = (
            moved_outside(each, embedded)
            for embedded in found.texts
            for each in _check(embedded.text, embedded.language_id, of)
        )
        return (*merge(host_findings(found, of.settings), inside, key=order),)
    return _check(text, of.language_id, of)


def _check(text: str, language_id: str, of: Belonging) -> tuple[Finding, ...]:
    language = find_language(language_id)
    return (*check_text(language, of.settings, text, of.other_files(language, text)),)


class Region(NamedTuple):
    """A stretch of text, by lines and columns from 1. An end is after the last character."""

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of(cls, lines: Lines, start: int, end: int) -> Region:
        return cls(start, end, *lines.of(start), *lines.of(end))

    @classmethod
    def elsewhere(cls, place: Elsewhere) -> Region:
        line, column = place.line + 1, len(place.before) + 1
        return cls(place.start, place.end, line, column, line, column + len(place.text))

    def moved(self, by: int, lines: int) -> Region:
        """Return the same stretch after this many more lines, with this many code points in them."""
        start, end, line, column, end_line, end_column = self
        return Region(start + by, end + by, line + lines, column, end_line + lines, end_column)

    def as_json(self) -> dict[str, int]:
        names = "start", "end", "line", "column", "endLine", "endColumn"
        return dict(zip(names, self, strict=True))


def findings_as_json(findings: Iterable[Finding], text: str) -> list[dict[str, Any]]:
    """Return the findings of a text as plain JSON values, as in `llmblocks check --output-format json`.

    Lines and columns count from 1; an end is after the last character. `start` and `end` are code points from the start
    of the text.
    """
    lines = Lines(text)
    return [finding_as_json(finding, lines) for finding in findings]


def finding_as_json(finding: Finding, lines: Lines) -> dict[str, Any]:
    return {
        **Region.of(lines, finding.start, finding.end).as_json(),
        "code": finding.code,
        "name": NAMES.get(finding.code),
        "severity": finding.severity.name.lower(),
        "message": str(finding.message),
        **finding.message._asdict(),
        "related": [
            *[
                {**Region.of(lines, each.start, each.end).as_json(), "message": each.message}
                for each in finding.related
            ],
            *[
                {"path": place.file, **Region.elsewhere(place).as_json(), "message": message}
                for place, message in finding.elsewhere
            ],
        ],
    }
