"""An adapter for the stream of the `openai` package. It needs only the shape of that stream, not the package.

With the package: `adapter(AsyncOpenAI(), "gpt-5")`.
"""

from typing import Any

from llmblocks.tags import (
    Adapter,
    BlockDefinition,
    Finish,
    ReasoningDelta,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
)


class OpenAIChunks:
    """Makes deltas of `ChatCompletionChunk`s. A tool call has its id in its first chunk only, then an index."""

    def __init__(self) -> None:
        self._ids: dict[int, str] = {}

    def __call__(self, chunk: Any) -> list[object]:
        deltas: list[object] = []
        for choice in chunk.choices:
            delta = choice.delta
            if getattr(delta, "reasoning_content", None):
                deltas.append(ReasoningDelta(delta.reasoning_content))
            if delta.content:
                deltas.append(TextDelta(delta.content))
            for call in delta.tool_calls or ():
                if call.id:
                    self._ids[call.index] = call.id
                    deltas.append(ToolCallStart(call.id, call.function.name))
                if call.function and call.function.arguments:
                    deltas.append(ToolCallDelta(self._ids[call.index], call.function.arguments))
            if choice.finish_reason:
                deltas += [ToolCallEnd(call_id) for call_id in self._ids.values()]
                self._ids.clear()
                deltas.append(Finish(choice.finish_reason))
        if chunk.usage:
            deltas.append(Finish(usage={"input": chunk.usage.prompt_tokens, "output": chunk.usage.completion_tokens}))
        return deltas


def adapter(client: Any, model: str) -> Adapter:
    """Make an adapter for one conversation; its input is the list of messages."""

    def request(messages: list[dict[str, Any]]) -> dict[str, Any]:
        return {"model": model, "messages": messages, "stream": True, "stream_options": {"include_usage": True}}

    return Adapter(
        metadata={"id": model, "provider": "openai"},
        prepare_input=request,
        execute_stream=lambda request: client.chat.completions.create(**request),
        map_chunk=OpenAIChunks(),
        custom_blocks={
            "citation": BlockDefinition(
                description="A passage from a source.",
                instructions='Give the source: <citation url="...">text</citation>.',
            ),
            "done": BlockDefinition(description="Signals task completion.", transform=lambda block: []),
        },
    )
