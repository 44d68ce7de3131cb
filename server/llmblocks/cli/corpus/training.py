"""Training data: a conversation as a row of each target."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from llmblocks.stf import Converted, Message, Transcript, to_anthropic, to_openai
from llmblocks.stf.convert.losses import Losses
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
