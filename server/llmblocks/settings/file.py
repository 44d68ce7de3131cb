"""`llmblocks.toml`: the settings of a project."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from llmblocks.core.finding import Finding, Severity
from llmblocks.settings.given import Given, as_given
from llmblocks.settings.places import SettingPlaces, Span, find_places
from llmblocks.settings.rule_names import Known

_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_AT_END = re.compile(r" \(at end of document\)$")
_MOST_BYTES = 1 << 20


class SettingsFile(NamedTuple):
    """A settings file after checking. Shape: `given` has only valid settings; places of `findings` are in `text`."""

    given: dict[str, Given]
    findings: tuple[Finding, ...]
    text: str

    @property
    def broken(self) -> bool:
        """Whether a setting is invalid and its default applies."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def read_settings_file(path: Path, known: Known) -> SettingsFile:
    """Read and check a settings file. Errors: none; an unreadable file is a finding."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            return _unreadable("", f"the file is larger than {_MOST_BYTES >> 20} MiB")
        text = data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        return _unreadable("", str(error))
    return read_settings_text(text, known)


def read_settings_text(text: str, known: Known) -> SettingsFile:
    """Check the text of a settings file."""
    import tomllib

    text = text.replace("\r\n", "\n")
    places = find_places(text)
    if places.refused is not None:
        return _unreadable(text, *places.refused)
    try:
        given = as_given(tomllib.loads(text))
    except (ValueError, RecursionError) as error:
        return _unreadable(text, *_where(text, str(error)))
    if not given:
        return SettingsFile({}, (), text)
    from llmblocks.settings.check import check_settings

    checked = check_settings(given, known)
    findings = (
        Finding(problem.code, *_place(places, problem.path), problem.message, problem.severity)
        for problem in checked.problems
    )
    return SettingsFile(checked.given, tuple(sorted(findings, key=lambda finding: finding.start)), text)


def _unreadable(text: str, reason: str, span: Span = (0, 0)) -> SettingsFile:
    message = f"the settings cannot be read: {reason} — the defaults are used"
    return SettingsFile({}, (Finding("C001", *span, message, Severity.ERROR),), text)


def _where(text: str, reason: str) -> tuple[str, Span]:
    """The reason without its place in words, and the line of that place."""
    found = _AT_LINE.search(reason)
    if found is None:
        found = _AT_END.search(reason)
        if found is None:
            return reason, (0, 0)
        end = len(text.rstrip())
        return reason[: found.start()], (text.rfind("\n", 0, end) + 1, end)
    start = 0
    for _ in range(int(found[1]) - 1):
        start = text.find("\n", start) + 1
    end = text.find("\n", start)
    return reason[: found.start()], (start, len(text) if end < 0 else end)


def _place(places: SettingPlaces, path: tuple[str | int, ...]) -> Span:
    """The place of a setting, or of its nearest parent."""
    while path and path not in places.spans:
        path = path[:-1]
    return places.spans.get(path, (0, 0))
