"""The texts of a corpus: files, also in storages named by URL, and the rows of JSONL and Parquet files."""

from __future__ import annotations

import argparse
import gzip
import io
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from functools import lru_cache
from operator import attrgetter
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from llmblocks.cli.arguments import option
from llmblocks.cli.files import advice, opened
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile, is_remote
from llmblocks.contract.markup import listed
from llmblocks.stf.writing import load_json

if TYPE_CHECKING:
    import pyarrow.fs as fs
    import pyarrow.parquet as pq

_BUFFER = 1 << 20
"""The size of a request in bytes: each costs a round trip to the storage."""


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
            says = f"{name}: cannot tell the language from the name; pass --language"
            yield SourceFile(name, language) if language else InputError(says, name)
        elif found.type.name == "Directory":
            yield from _walk(name.rstrip("/"), language_id, project)
        else:
            yield InputError(f"{name}: no such file or folder", name)
    except InputError as error:
        yield error


def _walk(top: str, language_id: str | None, project: CommandProject) -> Iterator[SourceFile | InputError]:
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            with _told(folder):
                import pyarrow.fs as fs

                system, path = located(folder)
                entries = system.get_file_info(fs.FileSelector(path))
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
    """Convert errors of storages and of pyarrow to ours."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = "'llmblocks[arrow]'" if error.name == "pyarrow" else error.name
        raise InputError(f"{name}: reading it needs {error.name}: pip install {package}", name) from None
    except (OSError, ValueError, ImportError) as error:
        says = str(getattr(error, "strerror", None) or error).partition("\n")[0]
        more = advice(error) if isinstance(error, OSError) else ""
        raise InputError(f"{name}: cannot be read: {says}{more}", name) from None


LINES = (".jsonl", ".ndjson")
PARQUET = ".parquet"
PACKED = tuple([f"{suffix}.gz" for suffix in LINES])
PART = 4_000_000
"""The size in bytes of the smallest part of JSONL, and about that of Parquet."""
TEXT = "text"
"""The default column with the text of a row."""
_ROWS = 256


class FilePart(NamedTuple):
    """A part of a file with rows: of JSONL between two bytes, of Parquet between two row groups."""

    source: SourceFile
    start: int = 0
    end: int | None = None


Work = FilePart | Sequence[SourceFile]
"""The work of a process at a time: a part of a file, or some files."""


class TextRow(NamedTuple):
    name: str
    """The name of the file, and the byte or row."""
    text: str
    values: Mapping[str, Any]
    """Its other columns."""


def add_column(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the group of options about the texts of a corpus, with their column."""
    texts = parser.add_argument_group("texts")
    option(texts, "--column", "NAME", f"the column with the text of a row, e.g. a.b (default: {TEXT})", default="")
    return texts


def has_rows(name: str) -> bool:
    """Return whether each row of a file is a separate text, by its name."""
    return name.lower().endswith((*LINES, *PACKED, PARQUET))


def parts(source: SourceFile, size: int) -> Iterator[FilePart | InputError]:
    """Yield the parts of a file with rows, of about this size, or the error if it cannot be read."""
    name = source.name
    try:
        if name.lower().endswith(PARQUET):
            with closing(_parquet(name)) as file:
                yield from _row_groups(source, file, size)
        elif name.lower().endswith(PACKED):
            # it cannot be read from the middle
            yield FilePart(source)
        else:
            with _told(name):
                whole = stamp(name)[0] if is_remote(name) else os.stat(name).st_size
            for start in range(0, whole, size):
                yield FilePart(source, start, start + size)
    except InputError as error:
        yield InputError(str(error), name)


def rows(part: FilePart, column: str, project: CommandProject) -> Iterator[TextRow | InputError]:
    """Yield the texts of a part, and errors for unreadable ones. `column` may lead into objects, as in `a.b`."""
    name = part.source.name
    is_parquet = name.lower().endswith(PARQUET) and not part.source.is_stdin
    try:
        most_mb = project.valid_settings_for(name).max_size_mb
        for row in _parquet_rows(part, column) if is_parquet else _lines(part, column):
            if isinstance(row, TextRow) and len(row.text) > most_mb * 1e6:
                yield InputError(f"{row.name}: larger than {most_mb:g} MB", row.name)
            else:
                yield row
    except InputError as error:
        yield error if error.name else InputError(str(error), name)


def _row_groups(source: SourceFile, file: pq.ParquetFile, size: int) -> Iterator[FilePart]:
    start = found = 0
    for number in range(file.num_row_groups):
        found += file.metadata.row_group(number).total_byte_size
        if found >= size:
            yield FilePart(source, start, number + 1)
            start, found = number + 1, 0
    if start < file.num_row_groups:
        yield FilePart(source, start, file.num_row_groups)


def _parquet(name: str) -> pq.ParquetFile:
    with _told(name):
        import pyarrow as pa
        import pyarrow.parquet as pq

        system, path = located(name) if is_remote(name) else (None, name)
        try:
            return pq.ParquetFile(path, filesystem=system)
        except pa.ArrowInvalid as error:
            says = str(error).partition("\n")[0]
            raise InputError(f"{name}: not a Parquet file: {says}") from None


def _parquet_rows(part: FilePart, column: str) -> Iterator[TextRow | InputError]:
    name = part.source.name
    with closing(_parquet(name)) as file:
        top = column.partition(".")[0]
        names = file.schema_arrow.names
        if top not in names:
            raise InputError(f"{name}: no column {top!r}; it has {listed(names)}")
        number = sum([file.metadata.row_group(each).num_rows for each in range(part.start)])
        try:
            for batch in file.iter_batches(_ROWS, row_groups=[*range(part.start, part.end or 0)]):
                for values in batch.to_pylist():
                    yield _row(f"{name}#row={number:09}", values, column)
                    number += 1
        except OSError as error:
            row, says = f"{name}#row={number:09}", str(error).partition("\n")[0]
            raise InputError(f"{row}: the rest cannot be read: {says}", row) from None


def _lines(part: FilePart, column: str) -> Iterator[TextRow | InputError]:
    name, at = part.source.name, part.start
    is_packed = name.lower().endswith(PACKED)
    with opened(part.source) as raw, gzip.open(raw) if is_packed else nullcontext(raw) as file:
        try:
            if at:
                # a line continued here belongs to the part before
                file.seek(at - 1)
                at += len(file.readline()) - 1
            while part.end is None or at < part.end:
                if not (line := file.readline()):
                    break
                if line.strip():
                    yield _line(f"{name}#byte={at:012}", line, column)
                at += len(line)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            row = f"{name}#byte={at:012}"
            raise InputError(f"{row}: the rest cannot be unpacked: {error}; the file is cut or damaged", row) from None


def _line(name: str, line: bytes, column: str) -> TextRow | InputError:
    try:
        values = load_json(line.decode())
    except UnicodeDecodeError as error:
        return InputError(f"{name}: not UTF-8: byte 0x{line[error.start]:02x} at offset {error.start}", name)
    except ValueError as error:
        return InputError(f"{name}: {error}", name)
    if not isinstance(values, dict):
        return InputError(f"{name}: not an object with the column {column!r}", name)
    return _row(name, values, column)


def _row(name: str, values: Mapping[str, Any], column: str) -> TextRow | InputError:
    try:
        return TextRow(name, text_of(name, values, column), values)
    except InputError as error:
        return error


def text_of(name: str, values: Mapping[str, Any], column: str) -> str:
    """Return the text in a column of a row; raise `InputError` without one."""
    found: Any = values
    for key in column.split("."):
        if not isinstance(found, Mapping) or key not in found:
            known = listed([*found]) if isinstance(found, Mapping) else "no columns inside"
            raise InputError(f"{name}: no column {column!r}; it has {known}", name)
        found = found[key]
    if not isinstance(found, str):
        raise InputError(f"{name}: the column {column!r} does not contain text", name)
    return found
