"""The settings files of a user, `llmblocks.toml` and `pyproject.toml`, with the files that they extend."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from llmblocks.core.places import order
from llmblocks.facts.finding import Finding
from llmblocks.facts.problem import Problem
from llmblocks.settings.baseline import Baseline, read_baseline
from llmblocks.settings.check import CheckedSettings, InvalidSetting, check_settings
from llmblocks.settings.extensions import ExtensionError, OwnRules, extension_path
from llmblocks.settings.files import (
    MOST_BYTES,
    is_schema,
    read_markers,
    read_named,
    read_schema,
    read_template,
    table_in,
    too_large,
    why_no_file,
    why_not_read,
)
from llmblocks.settings.given import Combined, Given, SettingsLayer, as_given, combined
from llmblocks.settings.globs import anchored, anchored_path, is_import_path
from llmblocks.settings.rule_names import Known
from llmblocks.settings.rules import C001_INVALID_SETTING
from llmblocks.settings.schema import SCHEMA, Formats, SettingPath, SettingsValidation
from llmblocks.settings.toml import Span, find_places

_EXTEND: SettingPath = ("extend",)
_MOST_EXTENDED = 16
_REMEDY = "correct the name, or that file"
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
    """Check a settings file with settings in `table`. `load` takes them first, to import rules."""
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
    if load is not None:
        load(given)
    checked = check_settings(value if given is None else given, known)
    file = SettingsFile(checked.given, (), text, places.spans)
    return file._replace(findings=tuple(sorted(map(file.finding, checked.problems), key=order)))


def unreadable(text: str, reason: str, span: Span = (0, 0)) -> SettingsFile:
    problem = Problem(C001_INVALID_SETTING, *span, {"case": "unreadable", "why": reason})
    return SettingsFile({}, (problem.finding(C001_INVALID_SETTING.severity),), text)


def _where(text: str, reason: str) -> tuple[str, Span]:
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


class Sources:
    """Settings files and the files they name, each read once. Paths are absolute and normal.

    Attributes:
        named: The files that settings name, even missing ones.
        texts: Override saved files.
    """

    def __init__(self, known: Known, texts: Mapping[str, str] = {}, extensions: OwnRules | None = None) -> None:
        self.named: set[str] = set()
        self.known = known
        self._texts = texts
        self._extensions = extensions
        self._read: dict[str, SettingsFile] = {}
        self._problems: dict[str, dict[SettingPath, InvalidSetting]] = {}
        self._layers: dict[str, tuple[SettingsLayer, ...]] = {}
        self._baselines: dict[str, Baseline] = {}

    def files(self) -> dict[str, SettingsFile]:
        found = {}
        for path, file in self._read.items():
            findings = [*file.findings, *map(file.finding, self._problems.get(path, {}).values())]
            found[path] = file._replace(findings=(*sorted(findings, key=order),))
        return found

    def layers_of_file(self, path: str) -> tuple[SettingsLayer, ...]:
        """Return the settings of a file, above those that it extends."""
        if path not in self._layers:
            self._layers[path] = layers = self._layers_of_file(path, ())
            if len(layers) > 1:
                self._note(path, self.checked(layers).problems)
        return self._layers[path]

    def with_text(self, path: str, text: str) -> Sources:
        found = Sources(self.known, {path: text}, self._extensions)
        found._read = {name: file for name, file in self._read.items() if name != path}
        if len(text) > MOST_BYTES:
            found._read[path] = unreadable("", too_large(MOST_BYTES))
        return found

    def checked(self, layers: Iterable[SettingsLayer]) -> CheckedSettings:
        """Check settings together. Each may be valid alone, but not together: one marker in two files."""
        return check_settings(combined(layers).given, self.known)

    def effective(self, layers: Iterable[SettingsLayer]) -> Combined:
        found = combined(layers)
        return found._replace(given={**check_settings(found.given, self.known).values})

    def baseline(self, path: str) -> Baseline:
        """Return the baseline in a file, or an empty one without that file. Raises `BaselineError`."""
        if path not in self._baselines:
            self._baselines[path] = read_baseline(path)
        return self._baselines[path]

    def _file(self, path: str) -> SettingsFile:
        if path not in self._read:
            text, load = self._texts.get(path), partial(self._load, path)
            if text is None:
                read = read_settings_file(path, self.known, load)
            else:
                read = read_settings_text(text, self.known, table_in(path), load)
            if self._extensions is not None and self._extensions.faults and "extend" in read.given.get("rules", {}):
                # a rule that was not imported may have the name
                read = read._replace(findings=(*[each for each in read.findings if each.data.get("case") != "rule"],))
            self._read[path] = read
        return self._read[path]

    def _load(self, path: str, given: Given) -> None:
        """Import the rules that a settings file names: its other settings may name those."""
        rules = given.get("rules") if isinstance(given, dict) else None
        names = rules.get("extend") if isinstance(rules, dict) else None
        if isinstance(names, list) and self._extensions is not None:
            for name in names:
                if isinstance(name, str):
                    with suppress(ExtensionError):
                        self._extensions.rules(extension_path(name, os.path.dirname(path)))

    def _layers_of_file(self, path: str, above: tuple[str, ...]) -> tuple[SettingsLayer, ...]:
        given = self._file(path).given
        layers, problems = self.layers_of(given, os.path.dirname(path), path, (*above, path))
        self._note(path, problems)
        return layers

    def layers_of(
        self, given: dict[str, Given], folder: str, origin: str, above: tuple[str, ...] = ()
    ) -> tuple[tuple[SettingsLayer, ...], list[InvalidSetting]]:
        """Return settings above those that they name, with problems. `above` extend one another to here."""
        problems: list[InvalidSetting] = []
        layers: tuple[SettingsLayer, ...] = ()
        given = dict(given)
        if (name := given.pop("extend", None)) is not None:
            target = anchored_path(name, folder)
            self.named.add(target)
            reason = why_no_file(target)
            if target in above:
                names = [os.path.relpath(each, folder) for each in (*above[above.index(target) :], target)]
                reason = f"the files extend one another: {' → '.join(names)}"
            elif reason is None and len(above) >= _MOST_EXTENDED:
                reason = f"more than {_MOST_EXTENDED} files extend one another"
            elif reason is None:
                layers = self._layers_of_file(target, above)
            if reason is not None:
                problems.append(_problem(_EXTEND, name, reason))
        if (name := given.get("gadget", {}).get("markersFrom")) is not None:
            given["gadget"] = {key: each for key, each in given["gadget"].items() if key != "markersFrom"}
            target = anchored_path(name, folder)
            self.named.add(target)
            try:
                if markers := self._markers(target):
                    layers += (SettingsLayer(target, {"gadget": {"markers": markers}}),)
            except ValueError as error:
                problems.append(_problem(("gadget", "markersFrom"), name, str(error)))
        validation = SettingsValidation(self._readers(given, folder))
        resolved = validation.valid(SCHEMA, self._with_rules(given, folder, problems))
        for each in validation.wrong:
            remedy = "leave that out" if each.kind == "glob" else _REMEDY
            problems.append(_problem(each.path, each.given, each.need, remedy))
        return (*layers, SettingsLayer(origin, resolved)), problems

    def _readers(self, given: dict[str, Given], folder: str) -> Formats:
        """Return the functions from names in settings to absolute ones, or to the contents of files."""
        around = os.path.join(folder, "").replace(os.sep, "/")

        def found(name: str) -> str:
            target = anchored_path(name, folder)
            self.named.add(target)
            return target

        def glob(pattern: str) -> str:
            if len(around) > 1 and pattern.removeprefix("!").startswith(around):
                raise ValueError(f"it matches nothing: patterns count from {folder}")
            return anchored(pattern, folder)

        def template(name: str) -> str:
            if not name.endswith(".json"):
                return name
            template, text, findings = read_template(target := found(name))
            if findings:
                # the rules of these settings judge them
                rules = {key: each for key, each in given.items() if key == "rules"}
                self._read[target] = SettingsFile(rules, findings, text)
            if isinstance(template, ValueError):
                raise template
            return template

        def baseline(name: str) -> str:
            return self.baseline(found(name)).path

        return {
            "glob": glob,
            "template": template,
            "baseline": baseline,
            "gadgets": lambda name: name if is_import_path(name) else anchored_path(name, folder),
            "schema": lambda name: name if is_schema(name) else read_schema(found(name)),
        }

    def _with_rules(self, given: dict[str, Given], folder: str, problems: list[InvalidSetting]) -> dict[str, Given]:
        """Return settings with the absolute paths of the rules that were imported."""
        rules = given.get("rules", {})
        found = []
        for number, name in enumerate(rules.get("extend", ())):
            target = extension_path(name, folder)
            self.named.update([target] if os.path.isabs(target) else ())
            at: SettingPath = ("rules", "extend", number)
            try:
                if self._extensions is None or not self._extensions.trusted:
                    data = {"case": "rules", "name": name, "help": self._extensions.remedy if self._extensions else ""}
                    problems.append(InvalidSetting(C001_INVALID_SETTING, at, data))
                if self._extensions is not None:
                    self._extensions.rules(target)
                found.append(target)
            except ExtensionError as error:
                problems.append(_problem(at, name, str(error)))
        return {**given, "rules": {**rules, "extend": found}} if "extend" in rules else given

    def _markers(self, path: str) -> dict[str, str]:
        """Return llmist's markers; raise `ValueError` if they cannot be read or used."""
        markers = read_markers(path)
        for problem in check_settings({"gadget": {"markers": markers}}, self.known).problems:
            raise ValueError(str(problem.message))
        return markers

    def _note(self, path: str, problems: Iterable[InvalidSetting]) -> None:
        for problem in problems:
            self._problems.setdefault(path, {})[problem.path] = problem


def _problem(path: SettingPath, name: str, why: str, remedy: str = _REMEDY) -> InvalidSetting:
    setting = ".".join(map(str, path))
    data = {"case": "why", "setting": setting, "value": repr(name), "why": why, "help": remedy}
    return InvalidSetting(C001_INVALID_SETTING, path, data)
