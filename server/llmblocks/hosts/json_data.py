"""JSON and JSON Lines: the strings at some paths are embedded texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress

from llmblocks.core.edits import Edit
from llmblocks.facts.problem import Problem
from llmblocks.hosts.embedded import EmbeddedText, EmbeddedTexts, Host
from llmblocks.hosts.json_row import DATASETS, Dataset, JsonRow, RowReader, after_blanks, looked_at, parsed
from llmblocks.json5.path import Shape
from llmblocks.settings.rules import D001_NOT_JSON
from llmblocks.settings.values import Settings

_BOM = "\ufeff"


class JsonData(Host):
    """Finds the strings that settings name, or those of a known form of data sets.

    Attributes:
        reader: Reads the rows; None if nothing names a string.
        by_line: A row is a line; otherwise the document is one row, or a list of rows.
    """

    def __init__(self, reader: RowReader | None, *, by_line: bool) -> None:
        self.reader = reader
        self.by_line = by_line

    @classmethod
    def of(cls, settings: Settings, *, by_line: bool) -> JsonData:
        """Return the host for files with some settings."""
        given = [each for by_glob in settings.strings for each in by_glob.values]
        for name in given:
            if name in DATASETS:
                return cls(_reader(DATASETS[name]), by_line=by_line)
        languages = [(path, language) for language, _, path in (each.partition(":") for each in given)]
        paths = ", ".join(path for path, _ in languages)
        return cls(RowReader(Shape(languages), paths) if languages else None, by_line=by_line)

    def settled(self, text: str) -> JsonData | None:
        """See `Host.settled`: if no setting names a string in lines, the first row shows their form."""
        if self.reader is not None:
            return self
        if not self.by_line:
            return None
        start = after_blanks(text, text.startswith(_BOM))
        end = text.find("\n", start)
        row = text[start : end if end >= 0 else len(text)]
        with suppress(ValueError):
            dataset = looked_at(parsed(row, 0)[0])
            if dataset is not None:
                return JsonData(_reader(dataset), by_line=True)
        return None

    def may_embed(self, text: str) -> bool:
        """See `Host.may_embed`."""
        return self.settled(text) is not None

    def read(self, text: str) -> EmbeddedTexts:
        """See `Host.read`."""
        settled = self.settled(text)
        if settled is None or settled.reader is None:
            return EmbeddedTexts(())
        texts: list[EmbeddedText] = []
        problems: list[Problem] = []
        start = 0
        for part in text.split("\n") if self.by_line else [text]:
            for row in self._rows(part, settled.reader):
                texts += [each.moved(start) for each in row.texts]
                problems += [each.moved(start) for each in row.problems]
            start += len(part) + 1
        return EmbeddedTexts(texts, problems)

    def outside(self, text: str, embedded: EmbeddedText, edit: Edit) -> Edit:
        """See `Host.outside`."""
        start, end = embedded.outside(edit.start), embedded.outside(edit.end)
        # an ASCII file stays ASCII
        return Edit(start, end, json.dumps(edit.text, ensure_ascii=text.isascii())[1:-1])

    def _rows(self, text: str, reader: RowReader) -> Iterator[JsonRow]:
        """Yield the rows of a line or of the document."""
        start = after_blanks(text, text.startswith(_BOM))
        if start == len(text):
            return
        if self.by_line or text[start] != "[":
            row = reader.read(text, start)
            yield _more(text, row.end) or row
            return
        try:
            items, end = parsed(text, start)
        except ValueError:
            # the row is not JSON
            yield reader.read(text, start)
            return
        at = after_blanks(text, start + 1)
        for _ in items:
            found = reader.read(text, at)
            yield found
            at = after_blanks(text, after_blanks(text, found.end) + 1)
        if (more := _more(text, end)) is not None:
            yield more


def _more(text: str, end: int) -> JsonRow | None:
    """Return the problem of text after a value."""
    at = after_blanks(text, end)
    if at == len(text):
        return None
    return JsonRow(at, (), (Problem(D001_NOT_JSON, at, at + 1, {"reason": "extra data after the value"}),))


def _reader(dataset: Dataset) -> RowReader:
    return RowReader(dataset.shape, dataset.messages, dataset)
