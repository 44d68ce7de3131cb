"""Each recipe with the types of the real packages. Run by `test_recipes.py`, in an environment that has them."""

from __future__ import annotations

import asyncio
import json
import runpy
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import (
    RawContentBlockDeltaEvent,
    RawMessageStopEvent,
    RawMessageStreamEvent,
    TextDelta,
    ThinkingDelta,
)
from fastapi.testclient import TestClient
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from litellm.types.utils import Delta, ModelResponseStream, StreamingChoices
from openai.types import Completion
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import ChoiceDeltaToolCallFunction
from openai.types.responses import ResponseReasoningTextDeltaEvent, ResponseTextDeltaEvent
from pydantic_ai import Agent
from pydantic_ai.models.function import AgentInfo, FunctionModel

from llmblocks.gadget import CallEnded, GadgetCall, GadgetStream
from llmblocks.stf import StfError

RECIPES = Path(__file__).parents[2] / "docs" / "examples" / "recipes"
CHUNKS = ["One mo", "ment.\n!!!GADGET_ST", "ART:Weather:w1\n!!!ARG:ci", "ty\nLisbon\n!!!GAD", "GET_END\n"]
BROKEN = "!!!GADGET_START:Weather:w1\n!!!ARG:city\nLisbon\n!!!ARG:city\nPorto\n!!!GADGET_END\n"


def recipe(name: str) -> dict[str, Any]:
    return runpy.run_path(str(RECIPES / f"{name}.py"))


def calls(texts: Iterable[str]) -> list[tuple[str, Any]]:
    stream = GadgetStream()
    events = [event for text in texts for event in stream.feed(text)] + stream.close()
    return [(event.call.name, event.call.parameters) for event in events if isinstance(event, CallEnded)]


def openai_chunk(**choice: Any) -> ChatCompletionChunk:
    choices = [{"index": 0, "finish_reason": None, **choice}] if choice else []
    return ChatCompletionChunk.model_validate(
        {"id": "c", "choices": choices, "created": 0, "model": "m", "object": "chat.completion.chunk"}
    )


_AT = {"content_index": 0, "output_index": 0}


def responses_event(number: int, text: str) -> ResponseTextDeltaEvent:
    about = {**_AT, "item_id": "i", "logprobs": [], "sequence_number": number}
    return ResponseTextDeltaEvent.model_validate({"type": "response.output_text.delta", "delta": text, **about})


def anthropic_event(delta: TextDelta | ThinkingDelta) -> RawMessageStreamEvent:
    return RawContentBlockDeltaEvent(type="content_block_delta", index=0, delta=delta)


THOUGHT = "!!!GADGET_START:Never\n!!!GADGET_END\n"
STREAMS: dict[str, list[Any]] = {
    "openai_chat": [
        openai_chunk(delta={"role": "assistant", "content": ""}),
        *[openai_chunk(delta={"content": text}) for text in CHUNKS],
        openai_chunk(delta={}, finish_reason="stop"),
        openai_chunk(),
    ],
    "openai_responses": [
        ResponseReasoningTextDeltaEvent.model_validate(
            {"type": "response.reasoning_text.delta", "delta": THOUGHT, **_AT, "item_id": "r", "sequence_number": 0}
        ),
        *[responses_event(number, text) for number, text in enumerate(CHUNKS, 1)],
    ],
    "anthropic_messages": [
        anthropic_event(ThinkingDelta(type="thinking_delta", thinking=THOUGHT)),
        *[anthropic_event(TextDelta(type="text_delta", text=text)) for text in CHUNKS],
        RawMessageStopEvent(type="message_stop"),
    ],
    "litellm_stream": [
        *[ModelResponseStream(choices=[StreamingChoices(delta=Delta(content=text))]) for text in CHUNKS],
        ModelResponseStream(choices=[StreamingChoices(finish_reason="stop", delta=Delta())]),
    ],
}


@pytest.mark.parametrize("name", STREAMS)
def test_the_text_of_a_stream_has_the_call(name: str) -> None:
    texts = list(recipe(name)["texts"](STREAMS[name]))
    assert texts == CHUNKS
    assert calls(texts) == [("Weather", {"city": "Lisbon"})]


QWEN = (
    "The city is Lisbon.</think>\n\nOne mo", "ment.<tool", '_call>\n{"name": "Weather", "argu', 'ments": {"city": "Lis',
    'bon"}}\n</tool_call>\n<tool_call>\n{"name": "Weather" "arguments": {}}</tool_', "call><|im_end|>",
)  # fmt: skip


@pytest.mark.parametrize("size", [0, 1, 7])
def test_raw_text_is_a_stream_of_chat_completions(size: int) -> None:
    text = "".join(QWEN)
    texts = [text[at : at + size] for at in range(0, len(text), size)] if size else QWEN
    about = {"id": "c", "created": 0, "model": "m", "object": "text_completion"}
    choice = {"index": 0, "finish_reason": "stop", "logprobs": None}
    chunks = [Completion.model_validate({**about, "choices": [{**choice, "text": each}]}) for each in texts]
    prompt = "<|im_start|>user\nHow is the weather?<|im_end|>\n<|im_start|>assistant\n<think>\n"
    choices = list(recipe("raw_completions")["deltas"](chunks, "hermes", prompt))
    found = [openai_chunk(**each).choices[0] for each in choices]
    deltas = [each.delta for each in found]
    assert "".join([each.content or "" for each in deltas]).strip() == "One moment."
    assert "".join([getattr(each, "reasoning_content", "") for each in deltas]).strip() == "The city is Lisbon."
    [call] = [call for each in deltas for call in each.tool_calls or ()]
    assert (call.index, call.id) == (0, "call_1")
    assert call.function == ChoiceDeltaToolCallFunction(name="Weather", arguments='{"city": "Lisbon"}')
    assert [each["error"] for each in choices if "error" in each] == [
        'tool_calls: a comma is missing, or `\\` before a `"`: "'
    ]
    assert found[-1].finish_reason == "tool_calls"


def said(parts: Iterable[Any]) -> tuple[str, list[tuple[str, Any]]]:
    parts = list(parts)
    text = "".join(part for part in parts if isinstance(part, str))
    return text, [(part.name, part.parameters) for part in parts if isinstance(part, GadgetCall)]


def test_a_pydantic_ai_agent_gives_text_and_calls() -> None:
    async def model(messages: list[Any], info: AgentInfo) -> AsyncIterator[str]:
        for text in CHUNKS:
            yield text

    async def parts() -> list[Any]:
        agent = Agent(FunctionModel(stream_function=model))
        return [part async for part in recipe("pydantic_ai_stream")["answered"](agent, "How is the weather?")]

    assert said(asyncio.run(parts())) == ("One moment.\n\n", [("Weather", {"city": "Lisbon"})])


def test_a_langchain_chain_gives_text_and_calls() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("".join(CHUNKS))]))
    chain = model | recipe("langchain_stream")["reader"]
    assert said(chain.stream("How is the weather?")) == ("One moment.\n\n", [("Weather", {"city": "Lisbon"})])


@pytest.mark.parametrize(
    ("responses", "conversation"),
    [
        (["".join(CHUNKS), "Sunny."], ["How?", "".join(CHUNKS), "w1: sunny in Lisbon", "Sunny."]),
        ([BROKEN, "Never mind."], ["How?", BROKEN, "There is a problem in your response:", "Never mind."]),
    ],
)
def test_a_langgraph_agent_runs_calls_and_tells_mistakes(responses: list[str], conversation: list[str]) -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(text) for text in responses]))
    graph = recipe("langgraph_agent")["agent"](model, {"Weather": lambda city: f"sunny in {city}"})
    state = asyncio.run(graph.ainvoke({"messages": [HumanMessage("How?")], "mistaken": 0}))
    found = [str(message.text) for message in state["messages"]]
    assert [text if text in conversation else text.partition("\n")[0] for text in found] == conversation


def test_a_langgraph_agent_gives_up_on_a_model_that_repeats_its_mistake() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(BROKEN) for _ in range(10)]))
    graph = recipe("langgraph_agent")["agent"](model, {})
    state = asyncio.run(graph.ainvoke({"messages": [HumanMessage("How?")], "mistaken": 0}))
    assert sum(isinstance(message, AIMessage) for message in state["messages"]) == 3


def test_histories_of_openai_and_anthropic_and_back() -> None:
    histories = recipe("histories")
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "How is the weather?", "name": "Ada"},
        {"role": "assistant", "content": "One moment.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "@sunny"},
    ]
    chat = histories["chat_of_openai"](messages)
    assert "@@sunny" in chat
    assert histories["openai_of_chat"](chat) == messages
    with pytest.raises(StfError):
        histories["openai_of_chat"](f"{chat}@usr\n")
    use = {"type": "tool_use", "id": "c1", "name": "weather", "input": {"city": "Lisbon"}}
    messages = [
        {"role": "user", "content": "How is the weather?"},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "sunny"}]},
    ]
    chat = histories["chat_of_anthropic"](messages, "Be brief.")
    assert histories["anthropic_of_chat"](chat) == {"system": "Be brief.", "messages": messages}


def sent(lines: Iterator[str]) -> list[tuple[str, Any]]:
    kinds = [line for line in lines if line]
    pairs = zip(kinds[::2], kinds[1::2], strict=True)
    return [(kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for kind, data in pairs]


def test_the_endpoint_streams_text_blocks_and_calls() -> None:
    with TestClient(recipe("fastapi_events")["app"]).stream("GET", "/chat?question=Rain?") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        events = sent(response.iter_lines())
    assert "".join(data["text"] for kind, data in events if kind == "text").strip() == "You ask: Rain?"
    assert [event for event in events if event[0] not in ("text",)] == [
        ("citation", {"text": "Rain is likely.", "url": "https://example.org"}),
        ("call", {"name": "Umbrella", "parameters": {"size": 2}, "error": None}),
        ("end", {}),
    ]
