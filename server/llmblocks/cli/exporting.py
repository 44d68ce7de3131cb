"""`llmblocks export`: clean training data from responses, chats and sessions."""

from __future__ import annotations

import argparse
import json
import posixpath
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from hashlib import blake2b
from typing import Any, BinaryIO

from llmblocks.cli.arguments import add_files, add_output, add_settings, describe, flag, option
from llmblocks.cli.corpus.exports import Export, Exported, ExportOptions
from llmblocks.cli.corpus.run import add_how, batches, execute, how_of, known
from llmblocks.cli.corpus.texts import add_column
from llmblocks.cli.corpus.training import ARROW, TARGETS, arrow_schema
from llmblocks.cli.input import corpus_files, named_files, spared
from llmblocks.cli.output import Progress, data_output, is_same
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import CLEAN, FOUND, MISUSED, InputError, SourceFile, counted, is_remote
from llmblocks.core.lines import visible
from llmblocks.languages.registry import host_ids
from llmblocks.workspace.listing import file_number

_DESCRIPTION = """\
Writes training data: a row for each conversation without an error, each once. The logs of a
session are one conversation, its responses and what its last request tells the model; every
other file, and each row of a JSONL file (also .gz) or a Parquet file, is separate.
Files are found as by `llmblocks check`.

exit status: 0 every conversation is in the result, unchanged; 1 some are left out, repaired,
or have lost something; 2 some could not be read, or the result could not be written
"""
_EXAMPLES = """\
  llmblocks export logs --to openai --output-file train.jsonl --notes n.jsonl
  llmblocks export chats/ --to anthropic --repair > train.jsonl
  llmblocks export r.parquet --language gadget --column response --to sharegpt
  llmblocks export ~/.llmist/logs --to datasets --output-file train.arrow
"""
_SAYS = {
    "left_out": "left out",
    "same_as": "the same as others",
    "repaired": "repaired",
    "lost": "with losses",
    "unread": "could not be read",
}
_MOST_TOLD = 10
_TOGETHER = 1000
"""The number of rows of a batch in an Arrow file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    add_files(parser, "read")
    texts = add_column(parser)
    option(texts, "--prompt", "NAME", "the column with what the model was asked", default="")
    flag(texts, "--repair", "apply safe fixes; skip conversations that still have errors")
    shown = add_output(parser)
    says = f"the format: {', '.join(TARGETS)}; JSONL, or for datasets Arrow"
    option(shown, "--to", "FORMAT", says, dest="target", choices=TARGETS, required=True)
    option(shown, "--notes", "FILE", "write there, as JSONL, what is left out, repaired or lost, and why")
    add_how(parser)
    add_settings(parser)


def main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    if given.language in host_ids():
        parser.error(f"{given.language} holds examples, not conversations; choose another language")
    if given.target == ARROW and given.output_file is None:
        parser.error("Arrow is not for a terminal; pass --output-file")
    if given.output_file and given.notes and is_same(given.output_file, given.notes):
        parser.error("--output-file and --notes need different files")
    names = named_files(given, parser)
    how = how_of(given, names, parser)
    project = CommandProject(given.settings)
    options = ExportOptions(given.target, given.column, given.prompt, given.repair)
    sources = spared(corpus_files(given, names, project), project, given.output_file, given.notes)
    of_rows = (known(_whole(each), project, in_rows=True) for each in sources)
    # their rows are in memory, which limits their size
    found = batches(of_rows, piped_rows=bool(given.column), whole_folders=True, largest=1)
    with ExitStack() as stack:
        # the last one is replaced first, so that all rows have notes
        rows = stack.enter_context(data_output(given.output_file))
        notes = stack.enter_context(data_output(given.notes)) if given.notes else None
        progress = stack.enter_context(closing(Progress("conversations", quiet=given.quiet)))
        export = _Export(rows, notes, progress.advance, is_arrow=given.target == ARROW)
        execute(Export(project.again, options, how.resume), found, how, export.add)
        export.end()
    project.tell_problems()
    for line in export.told():
        sys.stderr.write(f"llmblocks export: {line}\n")
    return export.status


def _whole(source: SourceFile | InputError) -> SourceFile | InputError:
    """Return the same file; a log in a storage is rejected, since its session has other files."""
    name = source.name
    if isinstance(source, InputError) or not is_remote(name) or file_number(posixpath.basename(name)) is None:
        return source
    return InputError(f"{name}: logs of sessions are read from folders; mount the storage or copy them", name)


class _Export:
    """The rows of an export, each once, and notes on changed and dropped ones.

    Rows are JSONL, or an Arrow stream, which `datasets` maps into memory. `advance` gets the number of conversations in
    each batch. `InputError` without pyarrow.
    """

    def __init__(
        self, out: BinaryIO, notes: BinaryIO | None, advance: Callable[[int], None], *, is_arrow: bool
    ) -> None:
        self._out, self._notes, self._advance = out, notes, advance
        self._known: dict[bytes, int] = {}
        self._told: list[str] = []
        self._counts: Counter[str] = Counter()
        self._rows: list[str] = []
        self._schema = None
        if is_arrow:
            try:
                self._schema = arrow_schema()
            except ImportError:
                raise InputError("writing Arrow needs pyarrow: pip install 'llmblocks[arrow]'") from None
            out.write(self._schema.serialize())

    def add(self, found: list[Exported]) -> None:
        """Add the conversations of a batch, in order."""
        for each in found:
            self._add(each)
            if self._schema is None or len(self._rows) >= _TOGETHER:
                self._write()
        self._advance(len(found))

    def end(self) -> None:
        """Write the rest, and the mark of the end."""
        if self._schema is not None:
            self._write()
            self._out.write(b"\xff\xff\xff\xff\0\0\0\0")

    def _write(self) -> None:
        if self._schema is None:
            self._out.write("".join([f"{row}\n" for row in self._rows]).encode())
        else:
            import pyarrow as pa

            self._out.write(pa.RecordBatch.from_pylist([*map(json.loads, self._rows)], self._schema).serialize())
        self._rows.clear()

    @property
    def status(self) -> int:
        if self._counts["unread"]:
            return MISUSED
        return FOUND if any(self._counts[each] for each in ("left_out", "repaired", "lost")) else CLEAN

    def told(self) -> Iterator[str]:
        """Yield the lines for people: the outcome of conversations, and the numbers."""
        yield from self._told
        counts = self._counts
        if (more := counts["told"] - len(self._told)) > 0:
            yield f"and {more:,} more; pass --notes FILE to see all"
        parts = [f"{counts[key]:,} {says}" for key, says in _SAYS.items() if counts[key]]
        yield "; ".join([f"{counted(len(self._known), 'conversation')} written", *parts])
        if not len(self._known) and not counts:
            yield "no conversations found; pass --language to read files of any name"

    def _add(self, found: Exported) -> None:
        note: dict[str, Any] = {"name": found.name}
        if found.unread:
            note["unread"] = found.unread
        elif found.reasons:
            note["left_out"] = [*found.reasons]
        else:
            number = len(self._known) + 1
            same = self._known.setdefault(blake2b(found.row.encode(), digest_size=16).digest(), number)
            note["row" if same == number else "same_as"] = same
            if same == number:
                self._rows.append(found.row)
            if found.repaired:
                note["repaired"] = [*found.repaired]
            if found.lost:
                note["lost"] = [*found.lost]
        kinds = [each for each in _SAYS if each in note]
        self._counts.update(kinds)
        if kinds and self._notes is not None:
            self._notes.write(json.dumps(note, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
        elif kinds and kinds != ["same_as"]:
            self._counts["told"] += 1
            if len(self._told) < _MOST_TOLD:
                self._told += [visible(f"{found.name}: {_first(note, each)}") for each in kinds if each != "same_as"]


def _first(note: dict[str, Any], kind: str) -> str:
    """Return the first of the reasons in a note."""
    if kind == "unread":
        return str(note[kind])
    first, *more = note[kind]
    return f"{kind.replace('_', ' ')}: {first}" + (f", and {len(more):,} more" if more else "")
