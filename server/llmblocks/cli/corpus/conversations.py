"""The conversations of a corpus, and the reasons why some are not training examples."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from llmblocks.cli.convert import decoded
from llmblocks.cli.files import read
from llmblocks.cli.project import CommandProject
from llmblocks.cli.reporting import is_log
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.contract.other_files import ALONE, OtherFiles
from llmblocks.core.lines import Lines
from llmblocks.facts.severity import Severity
from llmblocks.gadget.running.fates import STOPPED
from llmblocks.gadget.stream import read_calls
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.languages.registry import find_language, host_ids
from llmblocks.request.scanner import RESULT, RESULT_END
from llmblocks.request.stream import Message as RequestMessage
from llmblocks.request.stream import read_messages
from llmblocks.rules.checker import check_text
from llmblocks.rules.fixing import fixed
from llmblocks.sessions import Response, Session
from llmblocks.settings.values import Settings
from llmblocks.stf import Converted, Loss, Message, Transcript
from llmblocks.workspace.listing import file_number
from llmblocks.workspace.session import read_text

_BETWEEN = "\n\n"
"""The separator of several messages in one turn, as in a request."""


class _Stretch(NamedTuple):
    """Messages of the last request that its predecessor lacks at their start, and the responses they may repeat."""

    messages: Sequence[RequestMessage]
    responses: Sequence[Response]


def of_request(text: str) -> Converted[Transcript]:
    """Return the messages of a request, unchanged."""
    turns = _Turns()
    for each in read_messages(text):
        turns.add(each)
    return Converted(turns.transcript, (*turns.lost,))


def before(last: Response, text: str) -> Converted[Transcript]:
    """Return the messages before the last response: those of its request with this text, and the model's earlier texts.

    If the request repeats the calls of a response, one by one and without dependencies, they are replaced by the text
    of the response, and the messages up to the next one are one turn. `lost` names the parts without a place.

    Source: `updateWithResults` of llmist 18, which keeps neither the text of a response with calls nor its order.
    """
    turns, placed = _Turns(), set[int]()
    given, *stretches = _stretches(last, read_messages(text))
    for each in given.messages:
        turns.add(each)
    for stretch in stretches:
        _add(turns, stretch, last.session.markers, placed)
    for response in last.session.responses[: last.index]:
        if response.index not in placed and response.text.strip():
            name = os.path.basename(response.file)
            turns.lost.append(Loss(name, "the last request does not repeat this response: it is left out"))
    return Converted(turns.transcript, (*turns.lost,))


def _stretches(last: Response, told: Sequence[RequestMessage]) -> Iterator[_Stretch]:
    """Yield the messages of the program, then those that each request added.

    A request that the last one does not continue, because llmist has shortened the messages since, begins no stretch:
    the stretch before it contains the rest of several responses.
    """
    session = last.session
    starts: list[tuple[int, int]] = []
    first = len(told)
    for number, file in session.requests:
        if number >= last.number:
            break
        asked = read_messages(read_text(file))
        same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(asked, told, strict=False))])
        first = min(first, same)
        # the end of a request may be meant for that time only
        if all(each.role == "user" for each in asked[same:]) and (not starts or same >= starts[-1][0]):
            starts.append((same, number))
    earliest = session.responses[0].number
    if not starts or starts[0][1] > earliest:
        starts.insert(0, (first, earliest))
    yield _Stretch(told[: starts[0][0]], ())
    for (start, number), (stop, following) in pairwise([*starts, (len(told), last.number)]):
        own = [each for each in session.responses if number <= each.number < following]
        yield _Stretch(told[start:stop], own)


def _add(turns: _Turns, stretch: _Stretch, markers: Markers, placed: set[int]) -> None:
    messages = [*stretch.messages]
    while messages:
        message = messages.pop(0)
        response = _response_of(message, stretch.responses, markers)
        if message.role == "assistant" and response is None:
            turns.lose("the text of the model is not in the logs: the copy of llmist is kept")
        if response is None:
            turns.add(message)
            continue
        if response.index not in placed:
            placed.add(response.index)
            turns.write(response.text)
        if message.text.startswith(markers.start) and not message.text.rstrip().endswith(markers.end):
            # a line of a value that looks like a header has cut the copy
            rest = [number for number, each in enumerate(messages) if each.text.rstrip().endswith(markers.end)]
            del messages[: rest[0] + 1 if rest else 0]


def _response_of(message: RequestMessage, responses: Sequence[Response], markers: Markers) -> Response | None:
    """Return the response whose call or text a message of the model repeats; None for other messages."""
    text = message.text.strip()
    if message.role != "assistant" or not text:
        return None
    if not text.startswith(markers.start):
        return next((each for each in responses if text in each.text), None)
    if len(responses) == 1:
        return responses[0]
    calls, *_ = read_calls(text, markers)
    named = {(call.name, call.invocation_id) for call in calls[:1]}
    return next(
        (each for each in responses if not named.isdisjoint([(it.name, it.invocation_id) for it in each.calls])), None
    )


class _Turns:
    """Collects the turns of a conversation, and its losses."""

    def __init__(self) -> None:
        self.transcript = Transcript([])
        self.lost: list[Loss] = []
        self._is_answer = False

    def write(self, text: str) -> None:
        """Add the text of a response."""
        self.transcript.messages.append(Message("assistant", text))
        self._is_answer = True

    def lose(self, message: str) -> None:
        """Note a loss in the next message."""
        self.lost.append(Loss(f"messages[{len(self.transcript.messages)}]", message))

    def add(self, message: RequestMessage) -> None:
        """Add a message unchanged. User messages after `write` become one turn."""
        messages = self.transcript.messages
        if message.role is None:
            if message.text.strip():
                self.lose("text in front of the first header belongs to no message: it is left out")
            return
        self._is_answer = self._is_answer and message.role == "user"
        if self._is_answer and messages[-1].role == "user":
            messages[-1].content = f"{messages[-1].text}{_BETWEEN}{_told(message)}"
        else:
            messages.append(Message(message.role, _told(message)))
        path = f"messages[{len(messages) - 1}]"
        self.lost += [Loss(path, f"the {media.kind} {media.id} itself is not in the logs") for media in message.media]


def _told(message: RequestMessage) -> str:
    """Return the whole text of a message."""
    if message.result_of is None:
        return message.text
    media = [
        f"\n[Media: {each.id} ({each.kind})" + (f" → saved to: {each.path}]" if each.path else "]")
        for each in message.media
    ]
    return f"{RESULT}{message.result_of}{RESULT_END}{message.text}{''.join(media)}"


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
