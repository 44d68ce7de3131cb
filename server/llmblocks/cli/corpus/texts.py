"""The texts of a corpus: files, and the rows of JSONL and Parquet files, in separately readable parts."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from llmblocks.cli.corpus.storage import located, stamp
from llmblocks.cli.files import advice, opened
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile, is_remote
from llmblocks.contract.markup import listed
from llmblocks.stf.convert.plain import load_json

if TYPE_CHECKING:
    import pyarrow.parquet as pq

LINES = (".jsonl", ".ndjson")
PARQUET = ".parquet"
PACKED = tuple([f"{suffix}.gz" for suffix in LINES])
PART = 4_000_000
"""The size in bytes of the smallest part of JSONL, and about that of Parquet."""
_ROWS = 256
_NO_ARROW = "reading Parquet needs pyarrow: pip install 'llmblocks[arrow]'"


class FilePart(NamedTuple):
    """A part of a file with rows: of JSONL between two bytes, of Parquet between two row groups."""

    source: SourceFile
    start: int = 0
    end: int | None = None


Work = FilePart | Sequence[SourceFile]
"""The work of a process at a time: a part of a file, or some files."""


class TextRow(NamedTuple):
    """A row with its text."""

    name: str
    """The name of the file, and the byte or row."""
    text: str
    values: Mapping[str, Any]
    """Its other columns."""


def has_rows(name: str) -> bool:
    """Return whether each row of a file is a separate text, by its name."""
    return name.lower().endswith((*LINES, *PACKED, PARQUET))


def parts(source: SourceFile, size: int) -> Iterator[FilePart]:
    """Yield the parts of a file with rows, of about this size; raise `InputError` if it cannot be read."""
    name = source.name.lower()
    if source.is_stdin or name.endswith(PACKED):
        # neither can be read from the middle
        yield FilePart(source)
    elif name.endswith(PARQUET):
        with closing(_parquet(source.name)) as file:
            yield from _row_groups(source, file, size)
    else:
        for start in range(0, _size(source.name), size):
            yield FilePart(source, start, start + size)


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
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError(f"{name}: {_NO_ARROW}") from None
    try:
        if is_remote(name):
            system, path = located(name)
            return pq.ParquetFile(path, filesystem=system)
        return pq.ParquetFile(name)
    except OSError as error:
        raise _unreadable(name, error) from None
    except pa.ArrowException as error:
        raise InputError(f"{name}: not a Parquet file: {_first_line(error)}") from None


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
            row = f"{name}#row={number:09}"
            raise InputError(f"{row}: the rest cannot be read: {_first_line(error)}", row) from None


def _lines(part: FilePart, column: str) -> Iterator[TextRow | InputError]:
    name = part.source.name
    at = part.start
    is_packed = name.lower().endswith(PACKED)
    with opened(part.source) as raw, gzip.open(raw) if is_packed else nullcontext(raw) as file:
        try:
            if at:
                # a line continued here belongs to the part before
                file.seek(at - 1)
                at += len(file.readline()) - 1
            while part.end is None or at < part.end:
                line = file.readline()
                if not line:
                    break
                if line.strip():
                    yield _line(f"{name}#byte={at:012}", line, column)
                at += len(line)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            row = f"{name}#byte={at:012}"
            raise InputError(f"{row}: the rest cannot be unpacked: {error}; the file is cut or damaged", row) from None


def _size(name: str) -> int:
    if is_remote(name):
        return stamp(name)[0]
    try:
        return os.stat(name).st_size
    except OSError as error:
        raise _unreadable(name, error) from None


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


def _unreadable(name: str, error: OSError) -> InputError:
    return InputError(f"{name}: cannot be read: {error.strerror or _first_line(error)}{advice(error)}", name)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
