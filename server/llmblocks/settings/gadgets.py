"""The files that define gadgets, named in settings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.settings.files import read_named, why_not_read
from llmblocks.settings.globs import is_import_path
from llmblocks.settings.values import Settings

if TYPE_CHECKING:
    from llmblocks.facts.finding import Finding
    from llmblocks.gadget.schemas.models import ModelImport

_Model = tuple[str, str]
"""An import path, and its base folder."""
_MOST_BYTES = 1 << 23
_MOST_FILES = 1000


class SchemaFile(NamedTuple):
    """A file after reading. Places of `findings` are in `text`. See `ReadGadgets` for `complete`."""

    gadgets: tuple[GadgetSchema, ...]
    findings: tuple[Finding, ...]
    text: str
    complete: bool
    has_text: bool = True
    """False for a model, and for a file that cannot be opened: its findings have no place in it."""


_NOT_READ = SchemaFile((), (), "", False, has_text=False)


class SchemaFiles:
    """The schema files and models of a user, each read once.

    Models are imported, in other processes, only if the user has `trusted` the settings that name them. Imports
    continue while `advance` is called; until then, and without trust, the gadgets of models are unknown.

    Attributes:
        named: The paths and patterns that settings have named so far, even of missing files.
    """

    def __init__(self, *, trusted: bool = False) -> None:
        self.named: set[str] = set()
        self.trusted = trusted
        self._read: dict[str | _Model, SchemaFile] = {}
        self._old: dict[str | _Model, SchemaFile] = {}
        self._waiting: dict[_Model, ModelImport] = {}
        self._joined: dict[tuple[str, tuple[str, ...]], Gadgets] = {}

    def renewed(self) -> SchemaFiles:
        """Return the same files, to be read again. Known models stay in use until they are imported again."""
        self.end()
        found = SchemaFiles(trusted=self.trusted)
        found._old = {**self._old, **self._read}
        return found

    def with_gadgets(self, settings: Settings, folder: str) -> Settings:
        """Return the settings of a document with the gadgets of its schema files. Models are found from `folder`."""
        names = [name for by in settings.schemas for name in by.values]
        if not names:
            return settings
        return settings._replace(gadgets=self._gadgets(folder, (*dict.fromkeys(names),)))

    def files(self) -> dict[str, SchemaFile]:
        return {path: found for path, found in self._read.items() if isinstance(path, str)}

    def models(self) -> dict[str, SchemaFile]:
        return {model[0]: found for model, found in self._read.items() if not isinstance(model, str)}

    def reads(self, path: str) -> bool:
        """Return whether a change of a file can change gadgets."""
        return path in self._read or path in self.named or any(path in _found(name) for name in self.named)

    @property
    def imports(self) -> bool:
        return bool(self._waiting)

    def advance(self, seconds: float) -> bool:
        """Wait at most this long for the import of a model; return whether it is done."""
        if not self._waiting:
            return False
        name, waiting = next(iter(self._waiting.items()))
        read = waiting.wait(seconds)
        if read is None:
            return False
        del self._waiting[name]
        self._old.pop(name, None)
        self._read[name] = SchemaFile(read.gadgets, read.findings, "", read.complete, has_text=False)
        self.named.update(gadget.source.file for gadget in read.gadgets if gadget.source is not None)
        self._joined.clear()
        return True

    def end(self) -> None:
        for each in self._waiting.values():
            each.end()
        self._waiting.clear()

    def _gadgets(self, folder: str, names: tuple[str, ...]) -> Gadgets:
        found = self._joined.get((folder, names))
        if found is None:
            files = [
                file
                for name in names
                for file in ([self._model((name, folder))] if is_import_path(name) else self._named(name))
            ]
            gadgets = [gadget for file in files for gadget in file.gadgets]
            found = Gadgets(gadgets, complete=all(file.complete for file in files))
            self._joined[folder, names] = found
        return found

    def _named(self, name: str) -> Iterator[SchemaFile]:
        self.named.add(name)
        # a pattern without matches, or a missing path, is read anyway so that the error is reported
        for path in _found(name) or [name]:
            yield self._read.get(path) or self._file(path)

    def _file(self, path: str) -> SchemaFile:
        """Return a file. Unchanged text keeps its content."""
        known = self._old.pop(path, _NOT_READ)
        text = _text_of(path)
        if isinstance(text, SchemaFile):
            found = text
        elif known.has_text and known.text == text and text:
            found = known
        else:
            from llmblocks.gadget.schemas.reading import read_gadgets

            read = read_gadgets(text, path)
            found = SchemaFile(read.gadgets, read.findings, text, read.complete)
        self._read[path] = found
        return found

    def _model(self, model: _Model) -> SchemaFile:
        if model in self._read:
            return self._read[model]
        if self.trusted and model not in self._waiting:
            from llmblocks.gadget.schemas.models import ModelImport

            name, folder = model
            folders = [folder, os.path.join(folder, "src")]
            self._waiting[model] = ModelImport(name, folders)
            # the module may exist after a correction or a move
            module = os.path.join(*name.partition(":")[0].split(".")) + ".py"
            self.named.update(os.path.join(each, module) for each in folders)
        return self._old.get(model, _NOT_READ)


def _found(name: str) -> list[str]:
    import glob

    if os.path.exists(name) or not glob.has_magic(name):
        return [name]
    paths = sorted(path for path in glob.iglob(name, recursive=True) if os.path.isfile(path))
    return paths[:_MOST_FILES]


def _text_of(path: str) -> str | SchemaFile:
    """Return the text of a file, or the result for a file that cannot be read."""
    from llmblocks.gadget.schemas.reading import decoded_text, unreadable

    try:
        text = decoded_text(read_named(path, _MOST_BYTES))
    except (OSError, ValueError) as error:
        reason = why_not_read(error)
        is_there = not isinstance(error, OSError)
        return SchemaFile((), (unreadable("the schemas cannot be read", why=reason),), "", False, has_text=is_there)
    # as in an editor, a line ends in one character
    return text.replace("\r\n", "\n")
