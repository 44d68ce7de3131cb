"""`llmblocks.toml` and `pyproject.toml`: the settings of a project."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.places import order
from llmblocks.facts.finding import Finding
from llmblocks.facts.problem import Problem
from llmblocks.settings.files import MOST_BYTES, read_named, table_in, why_not_read
from llmblocks.settings.given import Given, as_given
from llmblocks.settings.rule_names import Known
from llmblocks.settings.rules import C001_INVALID_SETTING
from llmblocks.settings.schema import SettingPath
from llmblocks.settings.toml import Span, find_places

if TYPE_CHECKING:
    from llmblocks.settings.check import InvalidSetting

_AT = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


Load = Callable[[Given], None]


class SettingsFile(NamedTuple):
    """A settings file after checking."""

    given: dict[str, Given]
    """Only valid settings."""
    findings: tuple[Finding, ...]
    """Places, like `spans` of the settings, are in `text`."""
    text: str
    spans: Mapping[SettingPath, Span] = {}

    def finding(self, problem: InvalidSetting) -> Finding:
        """Return the finding for a problem at its place."""
        return problem.finding(*self.place(problem.path))

    def place(self, path: SettingPath) -> Span:
        """Return the place of a setting, or of its nearest parent."""
        while path and path not in self.spans:
            path = path[:-1]
        return self.spans.get(path, (0, 0))


def read_settings_file(path: str, known: Known, load: Load | None = None) -> SettingsFile:
    """Read and check a settings file. Never raises: an unreadable file is a finding."""
    try:
        text = read_named(path, MOST_BYTES).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        return unreadable("", why_not_read(error))
    return read_settings_text(text, known, table_in(path), load)


def read_settings_text(text: str, known: Known, table: tuple[str, ...] = (), load: Load | None = None) -> SettingsFile:
    """Check the text of a settings file, whose settings are in `table`.

    `load` takes the settings before they are checked, to import the rules that they name.
    """
    import tomllib

    text = text.replace("\r\n", "\n")
    places = find_places(text, table)
    if places.refused is not None:
        return unreadable(text, *places.refused)
    try:
        value: Given = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        return unreadable(text, *_where(text, str(error)))
    for name in table:
        value = value.get(name) if isinstance(value, dict) else None
    given = as_given(value)
    if given == {}:
        return SettingsFile({}, (), text, places.spans)
    from llmblocks.settings.check import check_settings

    if load is not None:
        load(given)
    checked = check_settings(value if given is None else given, known)
    file = SettingsFile(checked.given, (), text, places.spans)
    return file._replace(findings=tuple(sorted(map(file.finding, checked.problems), key=order)))


def unreadable(text: str, reason: str, span: Span = (0, 0)) -> SettingsFile:
    """Return a file that cannot be read for a reason."""
    problem = Problem(C001_INVALID_SETTING, *span, {"case": "unreadable", "why": reason})
    return SettingsFile({}, (problem.finding(C001_INVALID_SETTING.severity),), text)


def _where(text: str, reason: str) -> tuple[str, Span]:
    """Return the reason without its line number, and the line."""
    found = _AT.search(reason)
    if found is None:
        return reason, (0, 0)
    if found[1] is None:
        end = len(text.rstrip())
        return reason[: found.start()], (text.rfind("\n", 0, end) + 1, end)
    start = 0
    for _ in range(int(found[1]) - 1):
        start = text.find("\n", start) + 1
    end = text.find("\n", start)
    return reason[: found.start()], (start, len(text) if end < 0 else end)
