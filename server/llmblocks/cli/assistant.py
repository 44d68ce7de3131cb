"""Conversion between chats of one message and raw completions or responses with gadget calls: parts of `convert`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from llmblocks.completions.message import parse
from llmblocks.completions.shipped import template_called
from llmblocks.completions.writing import write
from llmblocks.gadget.stream import read_calls
from llmblocks.gadget.writing import RenderError, render
from llmblocks.settings.values import Settings
from llmblocks.stf import Converted, Loss, Message, ToolCall, Transcript

_ASSISTANT = "assistant"


class _Call(NamedTuple):
    """A call for `render`."""

    name: str
    invocation_id: str
    parameters: Any
    dependencies: tuple[str, ...] = ()


def from_completion(text: str, settings: Settings) -> Converted[Transcript]:
    """Return the message in a raw completion. Lost: everything with a finding."""
    message = parse(text, template_called(settings.template))
    calls = [
        ToolCall(each["function"]["name"], each["function"]["arguments"], each["id"]) for each in message.tool_calls
    ]
    lost = [
        Loss(f"line {text.count(chr(10), 0, max(each.start, 0)) + 1}", f"{each.code} {each.message}")
        for each in message.findings
    ]
    return Converted(_chat(message.content or "", message.reasoning, calls), (*lost,))


def to_completion(transcript: Transcript, settings: Settings) -> Converted[str]:
    """Return the last message of the assistant as a model would write it; raise `ValueError` without one."""
    message, content, lost = _last(transcript, "a completion")
    reasoning = message.reasoning if isinstance(message.reasoning, str) else None
    calls = [(each.name, _arguments(each)) for each in message.tool_calls or ()]
    written = write(content or None, reasoning, calls, template_called(settings.template))
    why = "the text, read again, does not give it back"
    return Converted(f"{written.text}\n", (*lost, *[Loss(each, why) for each in written.lost]))


def from_gadgets(text: str, settings: Settings) -> Converted[Transcript]:
    """Return the message in a response with gadget calls. Lost: calls that llmist rejects, and dependencies."""
    found, _, free = read_calls(text, settings.markers)
    calls, lost = list[ToolCall](), list[Loss]()
    for call in found:
        if call.parameters is None:
            lost.append(Loss(call.invocation_id, f"{call.error}: the call is left out"))
            continue
        calls.append(ToolCall(call.name, json.dumps(call.parameters, ensure_ascii=False), call.invocation_id))
        if call.dependencies:
            lost.append(Loss(call.invocation_id, f"no chat says that a call waits for {', '.join(call.dependencies)}"))
    return Converted(_chat(free.strip(), None, calls), (*lost,))


def to_gadgets(transcript: Transcript, settings: Settings) -> Converted[str]:
    """Return the last message of the assistant with gadget calls; raise `ValueError` without one."""
    message, content, lost = _last(transcript, "a response")
    parts = [f"{content}\n"] if content else []
    if message.reasoning is not None:
        lost.append(Loss("reasoning", "a response has no place for it: it is left out"))
    for number, call in enumerate(message.tool_calls or ()):
        try:
            parts.append(
                render(_Call(call.name, call.id or f"call_{number + 1}", _arguments(call)), markers=settings.markers)
            )
        except (RenderError, ValueError, TypeError) as error:
            lost.append(Loss(f"tool_calls[{number}]", f"{error}: the call is left out"))
    return Converted("".join(parts), (*lost,))


def _chat(content: str, reasoning: str | None, calls: Sequence[ToolCall]) -> Transcript:
    return Transcript([Message(_ASSISTANT, content, reasoning=reasoning, tool_calls=[*calls] or None)])


def _arguments(call: ToolCall) -> Any:
    """Return the arguments of a call, or their text if it is not JSON."""
    try:
        return json.loads(call.arguments)
    except (ValueError, RecursionError):
        return call.arguments


def _last(transcript: Transcript, name: str) -> tuple[Message, str, list[Loss]]:
    """Return the last message of the assistant, its text, and the losses of the chat around it."""
    last = next((each for each in reversed(transcript.messages) if each.role == _ASSISTANT), None)
    if last is None:
        raise ValueError("the chat has no message of the assistant")
    lost = [
        Loss(f"messages[{number}]", f"{name} is one message: it is left out")
        for number, each in enumerate(transcript.messages)
        if each is not last
    ]
    if isinstance(last.content, str):
        return last, last.content, lost
    texts = [getattr(part, "text", None) for part in last.content]
    lost += [Loss(f"content[{number}]", "it is not text") for number, text in enumerate(texts) if text is None]
    return last, "".join(filter(None, texts)), lost
