"""Training data: a conversation as a row of each target, and the turns of a session before its last response.

The texts of the model are in place of llmist's copies in requests.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any, Final

from llmblocks.gadget.stream import read_calls
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.request.stream import Message as RequestMessage
from llmblocks.request.stream import read_messages
from llmblocks.sessions import Response
from llmblocks.stf import Converted, Loss, Message, Transcript, to_anthropic, to_openai
from llmblocks.stf.convert.losses import Losses
from llmblocks.stf.values.messages import content_text
from llmblocks.stf.writing import load_json
from llmblocks.workspace.session import read_text

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
        _tell_parts(message, at)
        for key in ("id", "name", "call_id", "reasoning", "refusal", "extra", "more"):
            if getattr(message, key):
                at.add(f"a turn has no {key}: it is left out", key)
        if message.text or not message.tool_calls:
            turns.append({"from": _SHAREGPT_ROLES.get(message.role, message.role), "value": message.text})
        for call in message.tool_calls or ():
            if call.id is not None or call.call_id is not None or call.more:
                at.add("a call has a name and arguments only: the rest is left out", "tool_calls")
            arguments: Any = call.arguments
            # text that is not JSON stays text
            with suppress(ValueError):
                arguments = load_json(arguments)
            said = json.dumps({"name": call.name, "arguments": arguments}, ensure_ascii=False)
            turns.append({"from": "function_call", "value": said})
    return losses.converted(losses.at("messages").in_characters({"conversations": turns}))


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


_BETWEEN = "\n\n"
"""The separator of several messages in one turn, as in a request."""


def of_request(text: str) -> Converted[Transcript]:
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
    turns, session, told, placed = _Turns(), last.session, read_messages(text), set[int]()
    (start, number), *starts = _starts(last, told)
    for each in told[:start]:
        turns.add(each)
    for stop, following in (*starts, (len(told), last.number)):
        own = [each for each in session.responses if number <= each.number < following]
        placed |= _add(turns, [*told[start:stop]], own, session.markers)
        start, number = stop, following
    for response in session.responses[: last.index]:
        if response.index not in placed and response.text.strip():
            name = os.path.basename(response.file)
            turns.lost.append(Loss(name, "the last request does not repeat this response: it is left out"))
    return Converted(turns.transcript, (*turns.lost,))


def _starts(last: Response, told: Sequence[RequestMessage]) -> list[tuple[int, int]]:
    """Return the first message that each earlier request lacks, with the number of the request.

    A request that the last one does not continue, because llmist has shortened the messages since, is left out: the
    messages from the request before it on are about several responses.
    """
    session, first = last.session, len(told)
    starts: list[tuple[int, int]] = []
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
    return starts if starts and starts[0][1] <= earliest else [(first, earliest), *starts]


def _add(turns: _Turns, messages: list[RequestMessage], responses: Sequence[Response], markers: Markers) -> set[int]:
    """Add messages with copies of these responses, and return the indices of those that were found."""
    placed: set[int] = set()
    while messages:
        message = messages.pop(0)
        response = _response_of(message, responses, markers)
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
    return placed


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
        self.transcript.messages.append(Message("assistant", text))
        self._is_answer = True

    def lose(self, message: str) -> None:
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
    if message.result_of is None:
        return message.text
    media = [
        f"\n[Media: {each.id} ({each.kind})" + (f" → saved to: {each.path}]" if each.path else "]")
        for each in message.media
    ]
    return f"Result ({message.result_of}): {message.text}{''.join(media)}"
