"""A project: from the name of a file to its settings, language, gadgets and other files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.contract.other_files import ALONE, OtherFiles
from llmblocks.core.places import order
from llmblocks.languages.language import Language
from llmblocks.languages.registry import host_of, language_ids, language_of
from llmblocks.rules.checker import severity_of
from llmblocks.settings.extensions import OwnRules
from llmblocks.settings.files import NAMES, find_settings_file
from llmblocks.settings.gadgets import SchemaFile, SchemaFiles
from llmblocks.settings.globs import anchored_path, is_import_path
from llmblocks.settings.rule_names import BY_CODE
from llmblocks.settings.values import DEFAULTS, Settings

if TYPE_CHECKING:
    from llmblocks.facts.finding import Finding
    from llmblocks.settings.baseline import Baseline
    from llmblocks.settings.check import InvalidSetting
    from llmblocks.settings.given import Combined, Given, SettingsLayer
    from llmblocks.settings.schema import SettingPath
    from llmblocks.settings.sources import SettingsFile, Sources
    from llmblocks.workspace.other_logs import DiskLogs


class FallbackSettings(NamedTuple):
    """The settings that apply if no settings file overrides them. Paths in them start at `folder`."""

    given: dict[str, Given]
    folder: str
    origin: str


_NOTHING = FallbackSettings({}, "", "")


class ProjectSettings(NamedTuple):
    """The settings of all files with the same settings file, or none."""

    settings: Settings
    file: str | None
    folder: str
    """The folder from which models are found."""
    problems: tuple[InvalidSetting, ...] = ()
    """The problems of the fallback settings."""
    together: tuple[InvalidSetting, ...] = ()
    """The problems of valid settings that exclude each other."""


class Project:
    """The settings files and schema files of a user, each read once, and their effects on each file.

    Attributes:
        file: The settings file of all files. If None, the nearest one from a file's folder upwards to the folders that
            `tops` returns.
        over: Settings above all of them.
        settings: If given, no file is read.
        trusted: The models that settings name are imported.
    """

    def __init__(
        self,
        tops: Callable[[str], Iterable[str]] = lambda _: (),
        *,
        file: str | None = None,
        over: tuple[SettingsLayer, ...] = (),
        settings: Settings | None = None,
        trusted: bool = False,
    ) -> None:
        self._tops = tops
        self._file = file
        self._over = over
        self._given = settings
        self.texts: dict[str, str] = {}
        """Unsaved texts of settings files, which already apply."""
        self._sources: Sources | None = None
        self.schemas = SchemaFiles(trusted=trusted)
        self.extensions = OwnRules(trusted=trusted)
        self._nearest: dict[str, str | None] = {}
        self._around: dict[str | None, ProjectSettings] = {}
        self._shared: dict[Settings, Settings] = {}
        self._disk: DiskLogs | None = None

    def settings_for(self, name: str) -> Settings:
        around = self.around(name)
        settings = around.settings.for_file(os.path.abspath(name))
        if settings is around.settings and not settings.schemas:
            return settings
        found = self.with_gadgets(settings, around.folder)
        return self._shared.setdefault(found, found)

    def language_of(self, name: str) -> str | None:
        """Return the id of a file's language, by its settings or else by its name; it may be a host."""
        # the absolute path counts: `llmblocks check 0007.response` inside a folder of logs
        path, settings = os.path.abspath(name), self.around(name).settings
        return language_of(path, settings) or host_of(path, named=settings.names_texts(path), given=True)

    def other_files(self, language: Language, name: str) -> OtherFiles:
        """Return the other files that belong to a file. `-` stands for a text without a file."""
        path = os.path.abspath(name).replace(os.sep, "/")
        if language.is_log(path):
            return self.logs().other_files(language, name, path)
        if not language.names_files or name == "-":
            return ALONE
        from llmblocks.workspace.listing import FilesBeside

        return FilesBeside(os.path.dirname(os.path.abspath(name)))

    def logs(self) -> DiskLogs:
        # few files are logs: their modules load on demand
        if self._disk is None:
            from llmblocks.workspace.other_logs import DiskLogs

            self._disk = DiskLogs(self.settings_for)
        return self._disk

    def around(self, name: str) -> ProjectSettings:
        """Return the settings of all files that share a file's settings file."""
        file = self.file_in(os.path.dirname(os.path.abspath(name)))
        found = self._around.get(file)
        if found is None:
            found = self._around[file] = self.built(file)
        return found

    def file_in(self, folder: str) -> str | None:
        """Return the settings file of the files in a folder, given as an absolute path."""
        if self._file is not None or self._given is not None:
            return self._file
        if folder not in self._nearest:
            self._nearest[folder] = find_settings_file(folder, self._tops(folder))
        return self._nearest[folder]

    def built(self, file: str | None, under: FallbackSettings = _NOTHING) -> ProjectSettings:
        """Return the settings of all files with a settings file, above others."""
        if self._given is not None or not (file or under.given or self._over):
            settings = self._given or self._with_rules(DEFAULTS, {})
            return ProjectSettings(settings, file, "")
        sources = self.sources
        below, problems = sources.layers_of(*under) if under.given else ((), [])
        above = () if file is None else sources.layers_of_file(file)
        checked = sources.checked((*below, *above, *self._over))
        known = (sources.checked(above) if below else checked).problems
        together = tuple([each for each in checked.problems if each not in known])
        folder = (under.folder or os.getcwd()) if file is None else os.path.dirname(file)
        settings = self._with_rules(checked.settings, checked.given)
        return ProjectSettings(settings, file, folder, (*problems,), together)

    def _with_rules(self, settings: Settings, given: dict[str, Given]) -> Settings:
        """Add the rules of installed packages, then those that settings name; of two with one code, the last counts."""
        rules = {rule.code: rule for rule in self.extensions.installed()}
        for name in given.get("rules", {}).get("extend", ()):
            rules |= {rule.code: rule for rule in self.extensions.rules(name)}
        return settings._replace(rules=(*rules.values(),)) if rules else settings

    def trust(self, *, trusted: bool) -> None:
        """Say whether settings files may name code to import."""
        self.schemas.trusted = self.extensions.trusted = trusted

    def effective_of(self, file: str | None, under: FallbackSettings = _NOTHING) -> Combined:
        below, _ = self.sources.layers_of(*under)
        above = () if file is None else self.sources.layers_of_file(file)
        return self.sources.effective((*below, *above, *self._over))

    def baseline(self, settings: Settings) -> Baseline | None:
        """Return the accepted findings of files with these settings, if they name some. Raises `BaselineError`."""
        return self.sources.baseline(settings.baseline) if settings.baseline else None

    def with_gadgets(self, settings: Settings, folder: str) -> Settings:
        return settings if self._given is not None else self.schemas.with_gadgets(settings, folder)

    @property
    def sources(self) -> Sources:
        if self._sources is None:
            from llmblocks.settings.sources import Sources

            self._sources = Sources(language_ids(), self.texts, self.extensions)
        return self._sources

    def judged(self) -> Iterator[tuple[str, SettingsFile | SchemaFile]]:
        """Yield the settings files, schema files and models read so far, with their findings."""
        if self._sources is not None:
            yield from self._judged(self._sources)

    def judged_text(self, path: str, text: str) -> SettingsFile:
        """Return the text of a settings file with its findings, as if it were saved. The saved file stays in force."""
        sources = self.sources.with_text(path, text)
        sources.layers_of_file(path)
        return next(file for at, file in self._judged(sources) if at == path and not isinstance(file, SchemaFile))

    def _judged(self, sources: Sources) -> Iterator[tuple[str, SettingsFile | SchemaFile]]:
        files, defining = _at_their_names(sources.files(), {**self.schemas.files(), **self.schemas.models()})
        for path, file in files.items():
            found = (
                graded(file.findings, sources.checked(sources.layers_of_file(path)).settings) if file.findings else ()
            )
            yield path, file._replace(findings=found)
        for path, schema in defining.items():
            found = graded(schema.findings, self.around(path).settings) if schema.findings else ()
            yield path, schema._replace(findings=found)

    def files(self) -> Iterator[str]:
        yield from self._sources.files() if self._sources is not None else ()
        yield from self.schemas.files()

    def named_files(self) -> frozenset[str]:
        """Return the paths of all files that settings name, even missing ones, and patterns for such files."""
        return frozenset(self.schemas.named | (set() if self._sources is None else self._sources.named))

    def reads(self, path: str) -> bool:
        """Return whether a change of a file can change settings, or the gadgets that they name."""
        return os.path.basename(path) in NAMES or path in self.named_files() or self.schemas.reads(path)

    def forget_files(self) -> None:
        self.schemas = self.schemas.renewed()
        self._sources = None
        for known in (self._nearest, self._around, self._shared):
            known.clear()


def _at_their_names(
    files: Mapping[str, SettingsFile], schemas: Mapping[str, SchemaFile]
) -> tuple[dict[str, SettingsFile], dict[str, SchemaFile]]:
    """Return settings and schema files by path; findings of a schema file without text are where settings name it."""
    moved: set[str] = set()
    found = {}
    for path, file in files.items():
        found[path] = file
        for name, setting in _named_schemas(path, file):
            if (schema := schemas.get(name)) is not None and not schema.has_text and schema.findings:
                moved.add(name)
                start, end = file.place(setting)
                more = [finding.__replace__(start=start, end=end) for finding in schema.findings]
                found[path] = found[path]._replace(findings=(*sorted((*found[path].findings, *more), key=order),))
    return found, {path: schema for path, schema in schemas.items() if path not in moved}


def schemas_named_by(sources: Sources) -> set[str]:
    """Return all schema files, patterns and models that settings files name."""
    return {name for path, file in sources.files().items() for name, _ in _named_schemas(path, file)}


def _named_schemas(path: str, file: SettingsFile) -> Iterator[tuple[str, SettingPath]]:
    """Yield the schema files, patterns and models that a settings file names, each with its setting."""
    for glob, names in file.given.get("gadget", {}).get("schemas", {}).items():
        for number, name in enumerate(names):
            whole = name if is_import_path(name) else anchored_path(name, os.path.dirname(path))
            yield whole, ("gadget", "schemas", glob, number)


def graded(findings: tuple[Finding, ...], settings: Settings) -> tuple[Finding, ...]:
    """Return findings about settings with their severities from settings, without those that are off."""
    found = []
    for finding in findings:
        rule = BY_CODE[finding.code]
        if (chosen := severity_of(rule, settings)) is not None:
            found.append(finding.__replace__(severity=rule.graded(chosen, finding.data)))
    return tuple(found)
