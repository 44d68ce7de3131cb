"""The files that define gadgets, as settings name them."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from llmblocks.core.finding import Finding
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.settings.anchors import is_import_path
from llmblocks.settings.values import Settings

_MOST_BYTES = 1 << 23
_MOST_FILES = 1000


class SchemaFile(NamedTuple):
    """A file after reading. Places of `findings` are in `text`. See `ReadGadgets` for `complete`."""

    gadgets: tuple[GadgetSchema, ...]
    findings: tuple[Finding, ...]
    text: str
    complete: bool


_MODEL = SchemaFile((), (), "", False)


class SchemaFiles:
    """The schema files of a user, each read once.

    Shape: `named` are the paths and patterns that settings have named so far, also of files that do not exist.
    """

    def __init__(self) -> None:
        self.named: set[str] = set()
        self._files: dict[str, SchemaFile] = {}
        self._joined: dict[tuple[str, ...], Gadgets] = {}

    def with_gadgets(self, settings: Settings) -> Settings:
        """The settings of a document with the gadgets that its schema files define."""
        names = [name for by in settings.schemas for name in by.values]
        return replace(settings, gadgets=self._gadgets((*dict.fromkeys(names),))) if names else settings

    def files(self) -> dict[str, SchemaFile]:
        """All files that have been read, by their paths."""
        return dict(self._files)

    def reads(self, path: str) -> bool:
        """Whether a change of a file can change gadgets."""
        return path in self._files or path in self.named or any(path in _found(name) for name in self.named)

    def _gadgets(self, names: tuple[str, ...]) -> Gadgets:
        if names not in self._joined:
            files = [
                _MODEL if is_import_path(name) else self._file(path) for name in names for path in self._paths(name)
            ]
            gadgets = [gadget for file in files for gadget in file.gadgets]
            self._joined[names] = Gadgets.of(gadgets, complete=all(file.complete for file in files))
        return self._joined[names]

    def _paths(self, name: str) -> Iterator[str]:
        if not is_import_path(name):
            self.named.add(name)
        found = _found(name)
        # a pattern for no file, or a path of none, is read in vain, and so is told
        yield from found or [name]

    def _file(self, path: str) -> SchemaFile:
        if path not in self._files:
            self._files[path] = _read(path)
        return self._files[path]


def _found(name: str) -> list[str]:
    """The files that a path or pattern names, in order."""
    if os.path.exists(name) or is_import_path(name) or not glob.has_magic(name):
        return [name]
    paths = sorted(path for path in glob.iglob(name, recursive=True) if os.path.isfile(path))
    return paths[:_MOST_FILES]


def _read(path: str) -> SchemaFile:
    from llmblocks.gadget.schemas.reading import decoded_text, read_gadgets, unreadable

    try:
        if not os.path.isfile(path):
            # as `open` would say, but without waiting for what is a pipe
            os.stat(path)
            raise OSError("it is not a regular file")
        with open(path, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise ValueError(f"the file is larger than {_MOST_BYTES >> 20} MiB")
        text = decoded_text(data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return SchemaFile((), (unreadable(f"the schemas cannot be read: {reason}"),), "", False)
    # as in an editor, a line ends in one character
    read = read_gadgets(text.replace("\r\n", "\n"), path)
    return SchemaFile(read.gadgets, read.findings, text.replace("\r\n", "\n"), read.complete)
