"""The conversations of a corpus, and the reasons why some are not training examples."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from llmblocks.cli.convert import decoded
from llmblocks.cli.corpus.turns import before, of_request
from llmblocks.cli.corpus.work import is_log
from llmblocks.cli.files import read
from llmblocks.cli.project import CommandProject
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
_HOSTS = host_ids()


class Conversation(NamedTuple):
    """A conversation."""

    name: str
    """The name of its text; of a session, its last response."""
    transcript: Transcript
    reasons: tuple[str, ...] = ()
    """The reasons why it is not an example, or none."""
    repaired: tuple[str, ...] = ()
    """The fixed findings."""
    lost: tuple[Loss, ...] = ()
    """The parts that the transcript lacks."""


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


def of_text(
    name: str, judgement: JudgedText, language_id: str, settings: Settings, prompt: str | None = None
) -> Conversation:
    """Return the conversation in a text. `prompt` is the question to the model."""
    if language_id == "stf":
        transcript, lost = decoded(judgement.text, settings)
    elif language_id == "request":
        transcript, lost = of_request(judgement.text)
    else:
        transcript, lost = Transcript([Message("assistant", judgement.text)]), ()
    if prompt is not None:
        transcript.messages.insert(0, Message("user", prompt))
    return _example(Conversation(name, transcript, judgement.errors, judgement.repaired, lost))


def of_folder(
    sources: Sequence[SourceFile], project: CommandProject, *, repair: bool
) -> Iterator[Conversation | InputError]:
    """Yield the conversations in some files of one folder, whose logs are one session."""
    logs = {os.path.basename(each.name): each for each in sources if is_log(each)}
    for each in sources:
        if logs.get(os.path.basename(each.name)) is not each and each.language_id not in _HOSTS:
            yield _of_file(each, project, repair=repair)
    if logs:
        try:
            yield from _of_session(logs, project, repair=repair)
        except OSError as error:
            folder = os.path.dirname(sources[0].name) or os.curdir
            yield InputError(f"{error.filename or folder}: cannot be read: {error.strerror}", str(error.filename))
        except InputError as error:
            yield InputError(str(error), next(iter(logs.values())).name)


def _of_file(source: SourceFile, project: CommandProject, *, repair: bool) -> Conversation | InputError:
    try:
        settings = project.valid_settings_for(source.name)
        judgement = _judged_file(source, project, repair=repair)
    except InputError as error:
        return InputError(str(error), source.name)
    return of_text(source.name, judgement, source.language_id, settings)


def _judged_file(source: SourceFile, project: CommandProject, *, repair: bool) -> JudgedText:
    settings = project.valid_settings_for(source.name)
    text = read(source, settings.max_size_mb)
    other_files = project.other_files(find_language(source.language_id), source.name)
    return judged(text, source.language_id, settings, other_files, repair=repair)


def _of_session(
    logs: dict[str, SourceFile], project: CommandProject, *, repair: bool
) -> Iterator[Conversation | InputError]:
    """Yield the conversation of a session: its responses, and between them the content of the last request.

    Responses without a request, after the last one or in a session without any, are separate conversations.
    """
    first = next(iter(logs.values()))
    settings = project.valid_settings_for(first.name)
    session = Session(os.path.dirname(first.name), settings.markers)
    responses = [each for each in session.responses if os.path.basename(each.file) in logs]
    last = next((each for each in reversed(responses) if each.request is not None), None)
    for each in responses:
        if last is None or each.index > last.index:
            yield _of_file(logs[os.path.basename(each.file)], project, repair=repair)
    if last is not None:
        earlier = [each for each in responses if each.index < last.index]
        yield _of_answer(last, earlier, logs, project, repair=repair)
    elif not responses:
        # only requests are given: each repeats the earlier ones
        yield _of_file(logs[max(logs, key=lambda name: file_number(name) or 0)], project, repair=repair)


def _of_answer(
    last: Response, earlier: Sequence[Response], logs: dict[str, SourceFile], project: CommandProject, *, repair: bool
) -> Conversation | InputError:
    source = logs[os.path.basename(last.file)]
    request = SourceFile(last.request or "", "request")
    reasons: list[str] = []
    try:
        asked = _judged_file(request, project, repair=False)
        reasons += _beside(request.name, asked.errors)
        for each in earlier:
            reasons += _beside(each.file, _judged_file(logs[os.path.basename(each.file)], project, repair=False).errors)
            reasons += _stopped(each)
        told = [*_stopped(last, is_told=True)]
        # the response has not been answered, so a repair does not contradict later text
        answer = _judged_file(source, project, repair=repair and last.answer is None)
    except InputError as error:
        return InputError(str(error), source.name)
    transcript, lost = before(last, asked.text)
    transcript.messages.append(Message("assistant", answer.text))
    reasons += [*answer.errors, *told]
    return _example(Conversation(source.name, transcript, (*reasons,), answer.repaired, lost))


def _beside(file: str, errors: Iterable[str]) -> Iterator[str]:
    """Yield the errors in another file of the folder."""
    return (f"{os.path.basename(file)}:{each}" for each in errors)


def _stopped(response: Response, *, is_told: bool = False) -> Iterator[str]:
    """Yield the stopped calls of a session; with `is_told`, those that a later request reports."""
    for call in response.calls:
        if call.outcome in STOPPED and (call.result is not None or not is_told):
            name = f"{call.name or '(unnamed)'} {call.invocation_id}"
            yield f"{os.path.basename(response.file)}: the call {name} was not carried out ({call.outcome}): {call.why}"


def _example(found: Conversation) -> Conversation:
    """Return the same conversation, rejected if the assistant never speaks."""
    answers = [each for each in found.transcript.messages if each.role == "assistant"]
    reasons = found.reasons
    if not any(each.text.strip() or each.tool_calls for each in answers):
        reasons = (*reasons, "the model says nothing")
    if len(reasons) > _MOST_REASONS:
        more = len(reasons) - _MOST_REASONS
        reasons = (*reasons[:_MOST_REASONS], f"and {more:,} more")
    return found._replace(reasons=reasons)
