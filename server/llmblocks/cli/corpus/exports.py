"""The work of a process for an export: the conversations of a batch, as rows of training data."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import Any, NamedTuple

from llmblocks.cli.convert import decoded
from llmblocks.cli.corpus.run import Job
from llmblocks.cli.corpus.texts import TEXT, FilePart, Work, rows, text_of
from llmblocks.cli.corpus.training import TARGETS, before, of_request
from llmblocks.cli.files import read
from llmblocks.cli.project import CommandProject
from llmblocks.cli.reporting import is_log, reason
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.contract.other_files import ALONE, OtherFiles
from llmblocks.core.lines import Lines
from llmblocks.facts.severity import Severity
from llmblocks.gadget.running.fates import STOPPED
from llmblocks.languages.registry import find_language, host_ids
from llmblocks.rules.checker import check_text
from llmblocks.rules.fixing import fixed
from llmblocks.sessions import Response, Session
from llmblocks.settings.values import Settings
from llmblocks.stf import Loss, Message, Transcript
from llmblocks.workspace.listing import file_number

_MOST_REASONS = 20


class ExportOptions(NamedTuple):
    target: str
    column: str = ""
    """The column of the text, if any."""
    prompt: str = ""
    """The column of the prompt, if any."""
    repair: bool = False


class Exported(NamedTuple):
    """A conversation as a row."""

    name: str
    """The name of its text; of a session, its last response."""
    row: str = ""
    """A line of JSON; empty for a conversation excluded for `reasons`."""
    reasons: Sequence[str] = ()
    repaired: Sequence[str] = ()
    """The fixed findings."""
    lost: Sequence[str] = ()
    unread: str = ""
    """The reason why a text could not be read."""


class Export(Job[list[Exported]]):
    """The rows of the conversations in a corpus."""

    def result(self, batch: Work, project: CommandProject) -> list[Exported]:
        conversations = _Conversations(project, self.options)
        if isinstance(batch, FilePart):
            return [*conversations.of_rows(batch)]
        folders = groupby(batch, lambda each: os.path.dirname(each.name))
        return [each for _, sources in folders for each in conversations.of_folder([*sources])]

    def unread(self, error: InputError) -> list[Exported]:
        return [Exported(error.name, unread=reason(error, error.name))]

    def join(self, found: list[list[Exported]]) -> list[Exported]:
        return [*chain.from_iterable(found)]

    def as_json(self, result: list[Exported]) -> Any:
        return result

    def from_json(self, found: Any) -> list[Exported]:
        return [Exported(*each) for each in found]

    def is_whole(self, result: list[Exported]) -> bool:
        return not any(each.unread for each in result)


class JudgedText(NamedTuple):
    """A text, perhaps after safe fixes."""

    text: str
    errors: tuple[str, ...] = ()
    """The remaining errors, each with its line."""
    repaired: tuple[str, ...] = ()


def judged(
    text: str, language_id: str, settings: Settings, other_files: OtherFiles = ALONE, *, repair: bool = False
) -> JudgedText:
    """Return the errors in a text. `repair` fixes all of them if that is safe, and otherwise changes nothing."""
    language = find_language(language_id)

    def errors(text: str) -> dict[str, str]:
        found = check_text(language, settings, text, other_files)
        lines = Lines(text)
        places = [(each, *lines.of(each.start)) for each in found if each.severity is Severity.ERROR]
        return {f"{line}:{column}: {each.code} {each.message}": each.code for each, line, column in places}

    found = errors(text)
    if found and repair:
        now = fixed(text, language, settings, frozenset(found.values()))
        if now.applied and not errors(now.text):
            return JudgedText(now.text, (), (*found,))
    return JudgedText(text, (*found,))


class _Conversations:
    """Makes rows of the conversations in texts and in folders."""

    def __init__(self, project: CommandProject, options: ExportOptions) -> None:
        self._project, self._options = project, options

    def of_rows(self, part: FilePart) -> Iterator[Exported]:
        language_id, prompt = part.source.language_id, self._options.prompt
        settings = self._project.settings_for(part.source.name)
        for row in rows(part, self._options.column or TEXT, self._project):
            try:
                if isinstance(row, InputError):
                    raise row
                asked = text_of(row.name, row.values, prompt) if prompt else None
                judgement = judged(row.text, language_id, settings, repair=self._options.repair)
                yield self._of_text(row.name, judgement, language_id, settings, asked)
            except InputError as error:
                yield _unread(error, error.name)

    def of_folder(self, sources: Sequence[SourceFile]) -> Iterator[Exported]:
        """Yield the conversations in some files of one folder, whose logs are one session."""
        logs = {os.path.basename(each.name): each for each in sources if is_log(each)}
        for each in sources:
            if logs.get(os.path.basename(each.name)) is not each and each.language_id not in host_ids():
                yield self._of_file(each)
        if logs:
            try:
                yield from self._of_session(logs)
            except OSError as error:
                folder = os.path.dirname(sources[0].name) or os.curdir
                name = str(error.filename or folder)
                yield _unread(InputError(f"{name}: cannot be read: {error.strerror}"), name)
            except InputError as error:
                yield _unread(error, next(iter(logs.values())).name)

    def _of_text(
        self, name: str, judgement: JudgedText, language_id: str, settings: Settings, prompt: str | None = None
    ) -> Exported:
        """Return the conversation in a text. `prompt` is the question to the model."""
        if language_id == "stf":
            transcript, lost = decoded(judgement.text, settings)
        elif language_id == "request":
            transcript, lost = of_request(judgement.text)
        else:
            transcript, lost = Transcript([Message("assistant", judgement.text)]), ()
        if prompt is not None:
            transcript.messages.insert(0, Message("user", prompt))
        return self._exported(name, transcript, judgement.errors, judgement.repaired, lost)

    def _of_file(self, source: SourceFile) -> Exported:
        try:
            judgement = self._judged(source, repair=self._options.repair)
        except InputError as error:
            return _unread(error, source.name)
        return self._of_text(source.name, judgement, source.language_id, self._project.settings_for(source.name))

    def _judged(self, source: SourceFile, *, repair: bool) -> JudgedText:
        settings = self._project.valid_settings_for(source.name)
        text = read(source, settings.max_size_mb)
        other_files = self._project.other_files(find_language(source.language_id), source.name)
        return judged(text, source.language_id, settings, other_files, repair=repair)

    def _of_session(self, logs: dict[str, SourceFile]) -> Iterator[Exported]:
        """Yield the conversation of a session: its responses, and between them the content of the last request.

        Responses without a request, after the last one or in a session without any, are separate conversations.
        """
        first = next(iter(logs.values()))
        settings = self._project.valid_settings_for(first.name)
        session = Session(os.path.dirname(first.name), settings.markers)
        responses = [each for each in session.responses if os.path.basename(each.file) in logs]
        last = next((each for each in reversed(responses) if each.request is not None), None)
        for each in responses:
            if last is None or each.index > last.index:
                yield self._of_file(logs[os.path.basename(each.file)])
        if last is not None:
            yield self._of_answer(last, [each for each in responses if each.index < last.index], logs)
        elif not responses:
            # only requests are given: each repeats the earlier ones
            yield self._of_file(logs[max(logs, key=lambda name: file_number(name) or 0)])

    def _of_answer(self, last: Response, earlier: Sequence[Response], logs: dict[str, SourceFile]) -> Exported:
        source = logs[os.path.basename(last.file)]
        request = SourceFile(last.request or "", "request")
        try:
            asked = self._judged(request, repair=False)
            reasons = _beside(request.name, asked.errors)
            for each in earlier:
                reasons += _beside(each.file, self._judged(logs[os.path.basename(each.file)], repair=False).errors)
                reasons += _stopped(each)
            told = _stopped(last, is_told=True)
            # the response has not been answered, so a repair does not contradict later text
            answer = self._judged(source, repair=self._options.repair and last.answer is None)
        except InputError as error:
            return _unread(error, source.name)
        transcript, lost = before(last, asked.text)
        transcript.messages.append(Message("assistant", answer.text))
        return self._exported(source.name, transcript, (*reasons, *answer.errors, *told), answer.repaired, lost)

    def _exported(
        self, name: str, transcript: Transcript, reasons: Sequence[str], repaired: tuple[str, ...], lost: Sequence[Loss]
    ) -> Exported:
        """Return the row of a conversation, rejected for some reasons, or if the assistant never speaks."""
        answers = [each for each in transcript.messages if each.role == "assistant"]
        if not any(each.text.strip() or each.tool_calls for each in answers):
            reasons = (*reasons, "the model says nothing")
        if len(reasons) > _MOST_REASONS:
            reasons = (*reasons[:_MOST_REASONS], f"and {len(reasons) - _MOST_REASONS:,} more")
        if reasons:
            return Exported(name, reasons=(*reasons,))
        try:
            row = TARGETS[self._options.target](transcript)
        except ValueError as error:
            # a value that the target rejects
            return Exported(name, reasons=(str(error),))
        line = json.dumps(row.value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
        return Exported(name, line, (), repaired, [f"{each.path}: {each.message}" for each in (*lost, *row.lost)])


def _unread(error: InputError, name: str) -> Exported:
    return Exported(name, unread=reason(error, name))


def _beside(file: str, errors: Iterable[str]) -> list[str]:
    return [f"{os.path.basename(file)}:{each}" for each in errors]


def _stopped(response: Response, *, is_told: bool = False) -> list[str]:
    """Return the stopped calls of a session; with `is_told`, those that a later request reports."""
    return [
        f"{os.path.basename(response.file)}: the call {call.name or '(unnamed)'} {call.invocation_id} "
        f"was not carried out ({call.outcome}): {call.why}"
        for call in response.calls
        if call.outcome in STOPPED and (call.result is not None or not is_told)
    ]
