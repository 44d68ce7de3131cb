"""Files in unmounted file systems, named by URL: those of pyarrow, such as S3, and those of fsspec."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from operator import attrgetter
from typing import IO, TYPE_CHECKING, Any, cast

from llmblocks.cli.source import InputError, SourceFile

if TYPE_CHECKING:
    import pyarrow.fs as fs

    from llmblocks.cli.project import CommandProject

_BUFFER = 1 << 20
"""The size of a request in bytes: each costs a round trip to the storage."""
_NEEDS = "reading it needs pyarrow: pip install 'llmblocks[arrow]'"


def remote_files(name: str, language_id: str | None, project: CommandProject) -> Iterator[SourceFile | InputError]:
    """Yield the file with a URL, or those of a folder; see `find`. A folder is listed when its turn comes.

    Settings are those of the folder of the command. The files that git ignores are unknown.
    """
    try:
        with _told(name):
            system, path = located(name)
            found = system.get_file_info(path)
        if found.is_file:
            language = language_id or project.language_of(name)
            yield SourceFile(name, language) if language else InputError(_NO_LANGUAGE.format(name), name)
        elif found.type.name == "Directory":
            yield from _walk(name.rstrip("/"), language_id, project)
        else:
            yield InputError(f"{name}: no such file or folder", name)
    except InputError as error:
        yield error


_NO_LANGUAGE = "{}: cannot tell the language from the name; pass --language"


def _walk(top: str, language_id: str | None, project: CommandProject) -> Iterator[SourceFile | InputError]:
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            entries = _entries(folder)
        except InputError as error:
            yield error
            continue
        excludes, language_of = project.excludes(folder, top), project.languages_in(folder)
        folders = []
        for entry in sorted(entries, key=attrgetter("base_name")):
            name, is_folder = f"{folder}/{entry.base_name}", entry.type.name == "Directory"
            if excludes(entry.base_name, is_folder=is_folder):
                continue
            if is_folder:
                folders.append(name)
            elif entry.is_file and (language := language_id or language_of(entry.base_name)):
                yield SourceFile(name, language)
        waiting += reversed(folders)


def _entries(folder: str) -> list[fs.FileInfo]:
    with _told(folder):
        import pyarrow.fs as fs

        system, path = located(folder)
        found: list[fs.FileInfo] = system.get_file_info(fs.FileSelector(path))
        return found


def stamp(name: str) -> tuple[int, int]:
    """Return the size and the modification time of a file. Raises `InputError`."""
    with _told(name):
        system, path = located(name)
        found = system.get_file_info(path)
        if not found.is_file:
            raise FileNotFoundError("no such file")
        return found.size, found.mtime_ns or 0


@contextmanager
def opened_at(name: str) -> Iterator[IO[bytes]]:
    """Open a file, whose bytes are read on demand. Raises `InputError`; reading raises `OSError`."""
    with _told(name):
        system, path = located(name)
        # it has the interface of a raw stream, but not its class
        raw = cast(Any, system.open_input_file(path))
    with io.BufferedReader(raw, _BUFFER) as file:
        yield file


def located(name: str) -> tuple[fs.FileSystem, str]:
    """Return the file system of a URL, and the path in it. Raises `InputError`."""
    scheme, _, rest = name.partition("://")
    host, _, path = rest.partition("/")
    with _told(name):
        system, root = _system(f"{scheme}://{host}/")
    return system, f"{root.rstrip('/')}/{path}"


@lru_cache(maxsize=16)
def _system(url: str) -> tuple[fs.FileSystem, str]:
    """Return a file system and the path of its root. pyarrow's own are read without Python in between."""
    import pyarrow as pa
    import pyarrow.fs as fs

    try:
        found: tuple[fs.FileSystem, str] = fs.FileSystem.from_uri(url)
        return found
    except pa.ArrowInvalid:
        from fsspec.core import url_to_fs

        system, root = url_to_fs(url)
        return fs.PyFileSystem(fs.FSSpecHandler(system)), root


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Convert errors of storages to ours."""
    try:
        yield
    except ModuleNotFoundError as error:
        needs = _NEEDS if error.name == "pyarrow" else f"reading it needs {error.name}: pip install {error.name}"
        raise InputError(f"{name}: {needs}", name) from None
    except (OSError, ValueError, ImportError) as error:
        says = str(getattr(error, "strerror", None) or error).partition("\n")[0]
        raise InputError(f"{name}: cannot be read: {says}", name) from None
