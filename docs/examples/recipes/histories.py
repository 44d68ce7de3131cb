"""Histories of OpenAI and Anthropic as Simple Text Format, to read and edit by hand, and back."""

from collections.abc import Iterable, Mapping
from typing import Any

from anthropic.types import MessageParam
from openai.types.chat import ChatCompletionMessageParam

from llmblocks.stf import decode, encode, from_anthropic, from_openai, to_anthropic, to_openai


def chat_of_openai(messages: Iterable[ChatCompletionMessageParam]) -> str:
    """Return a chat to edit; an error names what the format would lose."""
    converted = from_openai(list(messages))
    if converted.lost:
        raise ValueError(f"not in the chat: {converted.lost[0]}")
    return encode(converted.value)


def openai_of_chat(chat: str) -> list[dict[str, Any]]:
    """Return the `messages` of a request; `StfError` has all mistakes of the chat."""
    return to_openai(decode(chat, strict=True)).value


def chat_of_anthropic(messages: Iterable[MessageParam], system: str) -> str:
    """Return a chat to edit; an error names what the format would lose."""
    converted = from_anthropic({"system": system, "messages": list(messages)})
    if converted.lost:
        raise ValueError(f"not in the chat: {converted.lost[0]}")
    return encode(converted.value)


def anthropic_of_chat(chat: str) -> Mapping[str, Any]:
    """Return the `system` and `messages` of a request; `StfError` has all mistakes of the chat."""
    return to_anthropic(decode(chat, strict=True)).value
