"""The settings of each file: the project's, as in an editor, overridden by the command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.cli.repository import root_of
from llmblocks.cli.source import STDIN, InputError
from llmblocks.languages.registry import language_of
from llmblocks.settings.excludes import is_excluded
from llmblocks.settings.nearest import find_settings_file, parents
from llmblocks.settings.values import DEFAULTS, ByGlob, Settings

if TYPE_CHECKING:
    from llmblocks.cli.report.reported import Reported
    from llmblocks.core.finding import Finding
    from llmblocks.settings.effective import Effective
    from llmblocks.settings.file import SettingsFile
    from llmblocks.settings.gadgets import SchemaFile, SchemaFiles
    from llmblocks.settings.given import Given
    from llmblocks.settings.sources import Sources

COMMAND_LINE = "the command line"
_NOT_USED = "the files that it is for are neither read nor changed; correct it first"
_NO_NAMES = ("", os.curdir, os.pardir)


class ProjectArguments(NamedTuple):
    """The arguments of a `Project`, for one in another process."""

    file: str | None
    over: dict[str, Given]
    trusted: bool


class Project:
    """Settings by file. A settings file is read once.

    Shape: `file` is the settings file for everything, or None: then the nearest one from a file's folder upwards
           applies, up to the root of its repository. `over` has the settings of the command line. If `trusted`, the
           models that settings name are imported.
    """

    def __init__(self, file: str | None = None, over: dict[str, Given] | None = None, *, trusted: bool = False) -> None:
        self._trusted = trusted
        self._file = None if file is None else os.path.abspath(file)
        self._over = over or {}
        self.plan = ProjectArguments(self._file, self._over, trusted)
        self._here = os.getcwd()
        self._sources: Sources | None = None
        self._schemas: SchemaFiles | None = None
        self._folders: dict[str, str] = {}
        self._nearest: dict[str, str | None] = {}
        self._plain: dict[str, Settings] = {}
        self._built: dict[str | None, Settings] = {}
        self._of_files: dict[tuple[str | None, tuple[object, ...], tuple[object, ...]], Settings] = {}
        self._mistakes: dict[tuple[str | None, tuple[ByGlob, ...]], str] = {}
        self._reported_of = (-1, 0)
        self._known_findings: set[tuple[str, Finding]] = set()
        if self._file is not None:
            self._read_sources().layers_of_file(self._file)

    @classmethod
    def of(cls, plan: ProjectArguments) -> Project:
        """A project like the one with this plan."""
        return cls(plan.file, plan.over, trusted=plan.trusted)

    def settings_for(self, name: str) -> Settings:
        """The settings of a file. Files with equal settings share one object."""
        folder = os.path.dirname(name)
        plain = self._plain.get(folder)
        if plain is not None:
            return plain
        file = self._file or self._nearest_to(name)
        around = self._settings_around(name)
        settings = around.for_file(self.path(name))
        if settings is around and not settings.schemas:
            # they are the same for all files of the folder
            self._plain[folder] = settings
            return settings
        # a file is part of its settings by these alone
        key = file, settings.ignore, settings.schemas
        known = self._of_files.get(key)
        if known is None:
            known = self._of_files[key] = self._with_gadgets(settings, file)
        return known

    def valid_settings_for(self, name: str) -> Settings:
        """The settings of a file that somebody acts on.

        Errors: `InputError` if some of them cannot be used: those in force instead may give the text another meaning.
        """
        settings = self.settings_for(name)
        file = self._file or self._nearest_to(name)
        if file is None and not settings.schemas:
            return settings
        key = file, settings.schemas
        if key not in self._mistakes:
            self._mistakes[key] = self._mistake(file, settings)
        if mistake := self._mistakes[key]:
            raise InputError(mistake)
        return settings

    def path(self, name: str) -> str:
        """The absolute path of a file."""
        folder, base = os.path.split(name)
        return os.path.join(self._folder(folder), base) if base not in _NO_NAMES else os.path.abspath(name)

    def language_of(self, name: str) -> str | None:
        """The id of a file's language, by its settings or else by its name."""
        # the absolute path counts: `llmblocks check 0007.response` inside a folder of logs
        path = self.path(name)
        return self._settings_around(name).language_of(path) or language_of(path)

    def languages_in(self, folder: str) -> Callable[[str], str | None]:
        """The same for the entries of a folder, by their names."""
        settings = self._settings_around(os.path.join(folder, STDIN))
        folder = os.path.join(os.path.abspath(folder), "")

        def language(name: str) -> str | None:
            path = folder + name
            return settings.language_of(path) or language_of(path)

        return language

    def excludes(self, folder: str, top: str) -> Callable[..., bool]:
        """Whether an entry of a folder is passed over, by its name. Shape: the folder is in `top`."""
        folder, top = os.path.abspath(folder), os.path.abspath(top)
        patterns = self._settings_around(os.path.join(folder, STDIN)).exclude

        def excluded(name: str, *, is_folder: bool) -> bool:
            return is_excluded(patterns, os.path.join(folder, name), top, is_folder=is_folder)

        return excluded

    def effective(self, name: str) -> Effective:
        """All settings for a file or a folder."""
        from llmblocks.settings.effective import effective
        from llmblocks.settings.layers import SettingsLayer

        sources = self._read_sources()
        file = self._file or self._nearest_to(os.path.join(name, STDIN) if os.path.isdir(name) else name)
        below = () if file is None else sources.layers_of_file(file)
        return effective(sources, (*below, SettingsLayer(COMMAND_LINE, self._over)))

    def files(self) -> Iterator[str]:
        """The settings files and schema files that have been read."""
        if self._sources is not None:
            yield from self._sources.files()
        if self._schemas is not None:
            yield from self._schemas.files()

    def tell_again(self) -> None:
        """Let `problems` give all findings again."""
        self._reported_of = (-1, 0)
        self._known_findings.clear()

    def problems(self) -> Iterator[Reported]:
        """The findings of the settings files and schema files read since the last call."""
        schemas = {} if self._schemas is None else {**self._schemas.files(), **self._schemas.models()}
        read = len(self._built), len(schemas)
        if read == self._reported_of:
            return
        self._reported_of = read
        if self._sources is not None or self._schemas is not None:
            from llmblocks.rules.settings import judged_files

            for path, file in judged_files(self._sources, self._schemas):
                for finding, shown in zip(file.findings, self._reported(path, file), strict=True):
                    if (path, finding) not in self._known_findings:
                        self._known_findings.add((path, finding))
                        yield shown

    def _mistake(self, file: str | None, settings: Settings) -> str:
        """The first error in a settings file, in those that it extends, and in schema files; or an empty text."""
        from llmblocks.cli.report.concise import text_line
        from llmblocks.core.severity import Severity
        from llmblocks.rules.settings import judged_files
        from llmblocks.settings.file import SettingsFile

        named = {layer.origin for layer in self._read_sources().layers_of_file(file)} if file else set()
        for path, read in judged_files(self._sources, self._schemas):
            if path in named or (settings.schemas and not isinstance(read, SettingsFile)):
                for each in self._reported(path, read):
                    if each.severity is Severity.ERROR:
                        says = each.message.partition(" — ")[0]
                        return text_line(each._replace(message=f"{says} — {_NOT_USED}"))
        return ""

    def _reported(self, path: str, file: SettingsFile | SchemaFile) -> Iterator[Reported]:
        from llmblocks.cli.report.reported import reported
        from llmblocks.core.lines import Lines
        from llmblocks.settings.file import SettingsFile

        shown = os.path.relpath(path, self._here) if self._here in parents(path) else path
        language_id = "toml" if isinstance(file, SettingsFile) else "json"
        lines = Lines(file.text)
        for finding in file.findings:
            yield reported(shown, language_id, finding, lines, file.text)

    def _with_gadgets(self, settings: Settings, file: str | None) -> Settings:
        if not settings.schemas:
            return settings
        if self._schemas is None:
            from llmblocks.settings.gadgets import SchemaFiles

            self._schemas = SchemaFiles(trusted=self._trusted)
        folder = self._here if file is None else os.path.dirname(file)
        found = self._schemas.with_gadgets(settings, folder)
        if not self._schemas.imports:
            return found
        while self._schemas.imports:
            self._schemas.advance(1.0)
        return self._schemas.with_gadgets(settings, folder)

    def _settings_around(self, name: str) -> Settings:
        """The settings of all files with the settings file of a file."""
        file = self._file or self._nearest_to(name)
        if file not in self._built:
            self._built[file] = self._build(file)
        return self._built[file]

    def _folder(self, folder: str) -> str:
        """The absolute path of a folder."""
        found = self._folders.get(folder)
        if found is None:
            found = self._folders[folder] = os.path.abspath(folder)
        return found

    def _build(self, file: str | None) -> Settings:
        if file is None and not self._over:
            return DEFAULTS
        from llmblocks.settings.check import check_settings
        from llmblocks.settings.layers import SettingsLayer

        sources = self._read_sources()
        below = () if file is None else sources.layers_of_file(file)
        given = sources.combined((*below, SettingsLayer(COMMAND_LINE, self._over))).given
        return check_settings(given, sources.known).settings

    def _read_sources(self) -> Sources:
        if self._sources is None:
            from llmblocks.rules.names import KNOWN
            from llmblocks.settings.sources import Sources

            self._sources = Sources(KNOWN)
        return self._sources

    def _nearest_to(self, name: str) -> str | None:
        folder = os.path.dirname(self.path(name))
        if folder not in self._nearest:
            *_, top = (folder, *parents(folder))
            self._nearest[folder] = find_settings_file(folder, (root_of(folder) or top,))
        return self._nearest[folder]
