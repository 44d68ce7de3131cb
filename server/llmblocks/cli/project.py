"""The project of a command: its settings may come from the command line, and invalid ones are reported."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from llmblocks.cli.source import SIGNS, STDIN, InputError, root_of
from llmblocks.core.system import parents
from llmblocks.languages.registry import host_of, language_of
from llmblocks.rules.project import Project
from llmblocks.settings.files import NAMES
from llmblocks.settings.globs import is_excluded
from llmblocks.settings.values import ByGlob, Settings

if TYPE_CHECKING:
    from llmblocks.cli.findings.reported import Reported
    from llmblocks.facts.finding import Finding
    from llmblocks.settings.gadgets import SchemaFile
    from llmblocks.settings.given import Combined, Given, SettingsLayer
    from llmblocks.settings.sources import SettingsFile

COMMAND_LINE = "the command line"
_NOT_USED = "files using these settings were skipped"
_FIRST = "fix the settings first"


class CommandProject(Project):
    """A project for a command, which waits for imported models.

    Args:
        file: The settings file for everything, or None for the nearest one from a file's folder upwards to the root of
            its repository.
        over: The settings of the command line.
        trusted: The models that settings name are imported.
        again: Creates another one, even in another process.
    """

    def __init__(self, file: str | None = None, over: dict[str, Given] | None = None, *, trusted: bool = False) -> None:
        file = None if file is None else os.path.abspath(file)
        self.again = partial(CommandProject, file, over, trusted=trusted)
        layers: tuple[SettingsLayer, ...] = ()
        if over:
            from llmblocks.settings.given import SettingsLayer

            layers = (SettingsLayer(COMMAND_LINE, over),)
        super().__init__(_tops, file=file, over=layers, trusted=trusted)
        self.extensions.remedy = "pass --trust, if the command has it"
        self._here = os.getcwd()
        self._mistakes: dict[tuple[str | None, tuple[ByGlob, ...]], str] = {}
        self._known_findings: set[tuple[str, Finding]] = set()
        if file is not None:
            self.sources.layers_of_file(file)

    def valid_settings_for(self, name: str) -> Settings:
        """Return the settings of a file that a command acts on.

        Raises:
            InputError: Some are invalid: the fallback could give the text another meaning.
        """
        settings = self.settings_for(name)
        key = self.around(name).file, settings.schemas
        if any(key) and key not in self._mistakes:
            self._mistakes[key] = self._mistake(*key)
        if mistake := self._mistakes.get(key):
            raise InputError(mistake)
        return settings

    def file_in(self, folder: str) -> str | None:
        """See `Project.file_in`. A folder without settings files has those of its parent."""
        if self._file is None and folder not in self._nearest:
            parent = os.path.dirname(folder)
            decides = parent == folder or any(os.path.lexists(os.path.join(folder, each)) for each in (*NAMES, *SIGNS))
            self._nearest[folder] = super().file_in(folder) if decides else self.file_in(parent)
        return super().file_in(folder)

    def languages_in(self, folder: str) -> Callable[[str], str | None]:
        """Return the function for the language ids of a folder's entries, by name."""
        settings = self.around(os.path.join(folder, STDIN)).settings
        folder = os.path.join(os.path.abspath(folder), "")

        def language(name: str) -> str | None:
            path = folder + name
            return language_of(path, settings) or host_of(path, named=settings.names_texts(path))

        return language

    def excludes(self, folder: str, top: str) -> Callable[..., bool]:
        """Return the function for whether a folder's entry is skipped, by name. The folder is in `top`."""
        patterns = self.around(os.path.join(folder, STDIN)).settings.exclude
        folder, top = os.path.join(os.path.abspath(folder), ""), os.path.abspath(top)
        return lambda name, *, is_folder: is_excluded(patterns, folder + name, top, is_folder=is_folder)

    def effective(self, name: str) -> Combined:
        """Return all settings for a file or a folder."""
        return self.effective_of(self.around(os.path.join(name, STDIN) if os.path.isdir(name) else name).file)

    def begin_again(self) -> None:
        """Let `problems` return all findings again, and read the other files of sessions again."""
        self._disk = None
        self._known_findings.clear()

    def problems(self, *, refused: bool = False) -> Iterator[Reported]:
        """Yield the findings of the settings files and schema files read since the last call.

        Settings with errors are unused if they are `refused`.
        """
        for path, file in self.judged():
            for finding, shown in zip(file.findings, self._reported(path, file, refused=refused), strict=True):
                if (path, finding) not in self._known_findings:
                    self._known_findings.add((path, finding))
                    yield shown

    def tell_problems(self, *, used: bool = False) -> bool:
        """Write them to standard error; return whether one of them is an error.

        A command that has `used` the settings has done so despite errors; others have skipped the files.
        """
        from llmblocks.cli.findings.people import text_line
        from llmblocks.facts.severity import Severity

        found = [*self.problems(refused=not used)]
        for each in found:
            sys.stderr.write(f"{text_line(each)}\n")
        return any(each.severity is Severity.ERROR for each in found)

    def with_gadgets(self, settings: Settings, folder: str) -> Settings:
        """See `Project.with_gadgets`; here, all are known."""
        found = super().with_gadgets(settings, folder)
        while self.schemas.imports:
            self.schemas.advance(1.0)
            found = super().with_gadgets(settings, folder)
        return found

    def _mistake(self, file: str | None, schemas: tuple[ByGlob, ...]) -> str:
        """Return the first error in a settings file, in those that it extends, and in schema files; otherwise empty."""
        from llmblocks.cli.findings.people import text_line
        from llmblocks.facts.severity import Severity
        from llmblocks.settings.sources import SettingsFile

        named = {layer.origin for layer in self.sources.layers_of_file(file)} if file else set()
        for path, read in self.judged():
            if path in named or (schemas and not isinstance(read, SettingsFile)):
                for each in self._reported(path, read, refused=True):
                    if each.severity is Severity.ERROR:
                        return text_line(each)
        return ""

    def _reported(self, path: str, file: SettingsFile | SchemaFile, *, refused: bool) -> Iterator[Reported]:
        from llmblocks.cli.findings.reported import reported
        from llmblocks.core.lines import Lines
        from llmblocks.facts.severity import Severity
        from llmblocks.settings.sources import SettingsFile

        shown = os.path.relpath(path, self._here) if self._here in parents(path) else path
        language_id = "toml" if isinstance(file, SettingsFile) else "json"
        lines = Lines(file.text)
        for finding in file.findings:
            if refused and finding.severity is Severity.ERROR:
                # without the fallback, which is unused
                why, message = finding.data.get("why"), finding.message
                note = f"{why}; {_NOT_USED}" if why else _NOT_USED
                finding = finding.__replace__(message=message._replace(note=note, help=message.help or _FIRST))
            yield reported(shown, language_id, finding, lines, file.text)


def _tops(folder: str) -> tuple[str]:
    *_, top = (folder, *parents(folder))
    return (root_of(folder) or top,)
