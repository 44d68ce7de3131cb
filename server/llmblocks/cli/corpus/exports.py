"""The work of a process for an export: the conversations of a batch, as rows of training data."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, groupby
from typing import Any, Final, NamedTuple

from llmblocks.cli.corpus.conversations import Conversation, judged, of_folder, of_text
from llmblocks.cli.corpus.run import Job
from llmblocks.cli.corpus.texts import TEXT, FilePart, Work, rows, text_of
from llmblocks.cli.project import CommandProject
from llmblocks.cli.reporting import reason
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.stf import Converted, Loss, Message, Transcript, to_anthropic, to_openai
from llmblocks.stf.convert.converted import Losses
from llmblocks.stf.convert.plain import load_json
from llmblocks.stf.values.messages import content_text

Row = dict[str, Any]
ARROW: Final = "datasets"
"""The target that is Arrow, and not JSONL."""
_SHAREGPT_ROLES = {"user": "human", "assistant": "gpt", "developer": "system", "tool": "observation"}
_KEPT = ("role", "content", "tool_calls", "tool_call_id")


def _openai(transcript: Transcript) -> Converted[Row]:
    found = to_openai(transcript)
    return Converted({"messages": found.value}, found.lost)


def _sharegpt(transcript: Transcript) -> Converted[Row]:
    """Convert to the ShareGPT format of LLaMA-Factory, in which each call is a turn."""
    losses = Losses()
    if transcript.has_metadata:
        losses.add("conversations have no metadata: it is left out", "metadata")
    turns: list[dict[str, str]] = []
    for index, message in enumerate(transcript.messages):
        at = losses.at("messages", index)
        _tell_left_out(message, at)
        if message.text or not message.tool_calls:
            turns.append({"from": _SHAREGPT_ROLES.get(message.role, message.role), "value": message.text})
        for call in message.tool_calls or ():
            if call.id is not None or call.call_id is not None or call.more:
                at.add("a call has a name and arguments only: the rest is left out", "tool_calls")
            # a JSON encoder converts it to text again
            turns.append({"from": "function_call", "value": _json({"name": call.name, "arguments": call.arguments})})
    return losses.converted(losses.at("messages").in_characters({"conversations": turns}))


def _json(call: dict[str, Any]) -> str:
    # text that is not JSON stays text
    with suppress(ValueError):
        call["arguments"] = load_json(call["arguments"])
    return json.dumps(call, ensure_ascii=False)


def _tell_left_out(message: Message, losses: Losses) -> None:
    _tell_parts(message, losses)
    for key in ("id", "name", "call_id", "reasoning", "refusal", "extra", "more"):
        if getattr(message, key):
            losses.add(f"a turn has no {key}: it is left out", key)


def _tell_parts(message: Message, losses: Losses) -> None:
    if not isinstance(message.content, str):
        losses.add("the content is text: its parts are put together, and resources left out", "content")


def _datasets(transcript: Transcript) -> Converted[Row]:
    """Convert to rows with the same columns: text, and calls."""
    found = to_openai(transcript)
    losses = Losses()
    messages = []
    for index, message in enumerate(found.value):
        at = losses.at("messages", index)
        for key in message:
            if key not in _KEPT:
                at.add(f"a row has no {key}: it is left out", key)
        content = transcript.messages[index].content
        _tell_parts(transcript.messages[index], at)
        messages.append(
            {
                "role": message["role"],
                "content": at.at("content").in_characters(content_text(content)),
                "tool_calls": message.get("tool_calls"),
                "tool_call_id": message.get("tool_call_id"),
            }
        )
    return Converted({"messages": messages}, (*found.lost, *losses.found))


TARGETS: Final[Mapping[str, Callable[[Transcript], Converted[Row]]]] = {
    "openai": _openai,
    "anthropic": to_anthropic,
    "sharegpt": _sharegpt,
    ARROW: _datasets,
}


def arrow_schema() -> Any:
    """Return the columns of the rows of `ARROW`; raise `ImportError` without pyarrow."""
    import pyarrow as pa

    text = pa.string()
    function = pa.struct([("name", text), ("arguments", text)])
    call = pa.struct([("id", text), ("type", text), ("function", function)])
    message = pa.struct([("role", text), ("content", text), ("tool_calls", pa.list_(call)), ("tool_call_id", text)])
    return pa.schema([("messages", pa.list_(message))])


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
