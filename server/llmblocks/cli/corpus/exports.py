"""The work of a process for an export: the conversations of a batch, as rows of training data."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import Any, NamedTuple

from llmblocks.cli.corpus.conversations import Conversation, judged, of_folder, of_text
from llmblocks.cli.corpus.kept import Job
from llmblocks.cli.corpus.texts import FilePart, Work, rows, text_of
from llmblocks.cli.corpus.training import TARGETS
from llmblocks.cli.corpus.work import TEXT, reason
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.stf import Loss


class ExportOptions(NamedTuple):
    """The options of an export."""

    target: str
    column: str = ""
    """The column of the text, if any."""
    prompt: str = ""
    """The column of the prompt, if any."""
    repair: bool = False


class Exported(NamedTuple):
    """A conversation as a row."""

    name: str
    row: bytes = b""
    """A line of JSON; empty for a conversation excluded for `reasons`."""
    reasons: tuple[str, ...] = ()
    repaired: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()
    unread: str = ""
    """The reason why a text could not be read."""


class Export(Job[list[Exported]]):
    """The rows of the conversations in a corpus."""

    def result(self, batch: Work, project: CommandProject) -> list[Exported]:
        of = (
            _of_rows(batch, project, self.options)
            if isinstance(batch, FilePart)
            else _of_files(batch, project, self.options)
        )
        return [
            _exported(each, self.options.target)
            if isinstance(each, Conversation)
            else Exported(each.name, unread=reason(each, each.name))
            for each in of
        ]

    def unread(self, error: InputError) -> list[Exported]:
        return [Exported(error.name, unread=reason(error, error.name))]

    def join(self, found: list[list[Exported]]) -> list[Exported]:
        return [*chain.from_iterable(found)]

    def as_json(self, result: list[Exported]) -> Any:
        return [(each.name, each.row.decode(), *each[2:]) for each in result]

    def from_json(self, found: Any) -> list[Exported]:
        return [
            Exported(name, row.encode(), (*reasons,), (*repaired,), tuple([Loss(*each) for each in lost]), unread)
            for name, row, reasons, repaired, lost, unread in found
        ]

    def is_whole(self, result: list[Exported]) -> bool:
        return not any(each.unread for each in result)


def _of_files(
    batch: Sequence[SourceFile], project: CommandProject, options: ExportOptions
) -> Iterator[Conversation | InputError]:
    for _, sources in groupby(batch, lambda each: os.path.dirname(each.name)):
        yield from of_folder([*sources], project, repair=options.repair)


def _of_rows(part: FilePart, project: CommandProject, options: ExportOptions) -> Iterator[Conversation | InputError]:
    name, language_id = part.source.name, part.source.language_id
    settings = project.settings_for(name)
    for row in rows(part, options.column or TEXT, project):
        if isinstance(row, InputError):
            yield row
            continue
        try:
            prompt = text_of(row.name, row.values, options.prompt) if options.prompt else None
        except InputError as error:
            yield error
            continue
        judgement = judged(row.text, language_id, settings, repair=options.repair)
        yield of_text(row.name, judgement, language_id, settings, prompt)


def _exported(found: Conversation, target: str) -> Exported:
    if found.reasons:
        return Exported(found.name, reasons=found.reasons)
    try:
        row = TARGETS[target](found.transcript)
    except ValueError as error:
        # a value that the target rejects
        return Exported(found.name, reasons=(str(error),))
    line = json.dumps(row.value, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return Exported(found.name, line, (), found.repaired, (*found.lost, *row.lost))
