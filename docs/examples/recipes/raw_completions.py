"""The raw text of a chat model as a streamed answer of OpenAI's Chat Completions.

`deltas(client.completions.create(model="qwen3", prompt=prompt, stream=True), "hermes", prompt)`: for a server that
returns text, such as the `/v1/completions` of vLLM, SGLang or llama.cpp without a tool parser.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from openai.types import Completion

from llmblocks.completions import (
    CompletionStream,
    Event,
    RegionChunk,
    RegionClosed,
    RegionMalformed,
    find_template,
)

KEYS = {"content": "content", "thinking": "reasoning_content"}


def deltas(
    stream: Iterable[Completion], template: str, prompt: str = "", tools: Iterable[Mapping[str, Any]] = ()
) -> Iterator[dict[str, Any]]:
    """Yield the choices of the chunks: text as it arrives, each call once it is complete.

    A call that cannot be read ends nothing: it is the `error` of its choice, to send back to the model.
    """
    reader = CompletionStream(find_template(template).template, prompt, tools)
    count, reason = 0, "stop"
    for events in read(reader, stream):
        for event in events:
            delta: dict[str, Any] = {}
            match event:
                case RegionChunk(field, text, dirty=False) if field in KEYS:
                    delta = {KEYS[field]: text}
                case RegionClosed("tool_calls", value):
                    calls = [called(each, number) for number, each in enumerate(listed(value), count)]
                    delta, count, reason = {"tool_calls": calls}, count + len(calls), "tool_calls"
                case RegionMalformed(field, text, wrong):
                    error = f"{field}: {wrong.reason}: {text[wrong.start : wrong.end]}"
                    yield {"index": 0, "delta": {}, "finish_reason": None, "error": error}
            if delta:
                yield {"index": 0, "delta": delta, "finish_reason": None}
    yield {"index": 0, "delta": {}, "finish_reason": reason}


def read(reader: CompletionStream, stream: Iterable[Completion]) -> Iterator[Iterable[Event]]:
    yield reader.initial_events
    for chunk in stream:
        for choice in chunk.choices:
            yield reader.feed(choice.text)
    yield reader.close()


def listed(value: Any) -> list[Any]:
    """Return the calls of a region, which may have several, as far as they have a name."""
    functions = [(each, each["function"]) for each in (value if isinstance(value, list) else [value])]
    return [each for each, function in functions if isinstance(function, dict) and "name" in function]


def called(call: Mapping[str, Any], number: int) -> dict[str, Any]:
    function = call["function"]
    arguments = json.dumps(function.get("arguments", {}), ensure_ascii=False)
    named = {"name": function["name"], "arguments": arguments}
    return {"index": number, "id": f"call_{number + 1}", "type": "function", "function": named}
