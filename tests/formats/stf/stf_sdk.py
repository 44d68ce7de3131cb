"""Validation of requests by the types of OpenAI's and Anthropic's SDKs, checked to the last key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import pydantic
import pytest

from llmblocks.stf.values.messages import Json

OPENAI = "openai.types.chat", "ChatCompletionMessageParam"
ANTHROPIC = "anthropic.types.message_create_params", "MessageCreateParamsNonStreaming"


def assert_openai_takes(messages: list[dict[str, Json]]) -> None:
    """Each message is of a type of the SDK, and no key is there that the type does not have."""
    _assert_is_sendable(messages)
    for message in messages:
        assert _as_validated(_type(*OPENAI).validate_python(message)) == message
        # Not in the types, but refused by the service: lists without an item, parts of nothing.
        assert message.get("content") != []
        assert message.get("tool_calls") != []


def assert_anthropic_takes(request: dict[str, Json]) -> None:
    """The request is of the type of the SDK, and no key is there that the type does not have."""
    _assert_is_sendable(request)
    whole = {"model": "any", "max_tokens": 1, **request}
    assert _as_validated(_type(*ANTHROPIC).validate_python(whole)) == whole
    assert request.get("system") not in ("", [])
    for message in request["messages"]:
        assert message["content"]
        for block in message["content"] if isinstance(message["content"], list) else ():
            # The messages of a request may hold blocks of answers, whose types take any key: so these once more.
            assert _as_validated(_type("anthropic.types", "ContentBlockParam").validate_python(block)) == block
            if block["type"] == "text":
                assert block["text"].strip()


def _assert_is_sendable(value: Json) -> None:
    assert json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


@cache
def _type(module: str, name: str) -> pydantic.TypeAdapter[Any]:
    pytest.importorskip(module.partition(".")[0])
    return pydantic.TypeAdapter(getattr(import_module(module), name))


def _as_validated(value: Any) -> Any:
    if isinstance(value, pydantic.BaseModel):
        return value.model_dump(exclude_unset=True)
    # Iterables of the types are validated during reading, and keys that a type does not have are dropped.
    if isinstance(value, dict):
        return {key: _as_validated(item) for key, item in value.items()}
    if isinstance(value, list | Iterator):
        return [_as_validated(item) for item in value]
    return value
