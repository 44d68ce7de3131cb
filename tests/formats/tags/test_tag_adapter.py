"""Adapters of providers, and the files of `docs/examples`, run."""

from __future__ import annotations

import asyncio
import contextlib
import runpy
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace as Shape
from typing import Any

import pytest

from llmblocks import tags
from llmblocks.tags import Adapter, ContentDelta, ContentEnd, CustomContentBlock, MessageEnd, TextBlock, TextDelta

BLOCKS = {"note": tags.BlockDefinition(description="A note."), "done": tags.BlockDefinition(transform=lambda block: [])}


class Provider:
    """Streams recorded chunks, and remembers what it was asked and whether its stream was closed."""

    def __init__(self, *chunks: str, error: Exception | None = None, endless: bool = False) -> None:
        self.chunks = chunks
        self.error = error
        self.endless = endless
        self.requests: list[Any] = []
        self.closed = False

    async def stream(self, request: Any) -> AsyncIterator[str]:
        self.requests.append(request)
        try:
            for chunk in self.chunks:
                await asyncio.sleep(0)
                yield chunk
            if self.error:
                raise self.error
            if self.endless:
                await asyncio.Event().wait()
        finally:
            self.closed = True

    async def generate(self, request: Any) -> str:
        return "".join(self.chunks)


def adapter(provider: Provider, **options: Any) -> Adapter:
    return Adapter(map_chunk=TextDelta, execute_stream=provider.stream, custom_blocks=BLOCKS, **options)


async def test_chunks_go_through_blocks_then_transforms_then_the_accumulator() -> None:
    seen: list[object] = []

    def watch(delta: object) -> Iterator[object]:
        seen.append(delta)
        yield TextDelta(delta.delta.upper()) if isinstance(delta, TextDelta) else delta

    stream = adapter(Provider("a<no", "te>b</note>", "c<done/>d<x"), delta_transform=watch).stream([])
    events = [event async for event in stream]
    assert TextDelta("a") in seen
    assert not any(isinstance(delta, TextDelta) and "note" in delta.delta for delta in seen)
    assert events[0] == tags.MessageStart()
    assert tags.CustomBlock("note", "b", {}) in events
    assert ContentEnd(2, "CD<X") in events
    assert events[-1] == MessageEnd(stream.message, None)
    assert stream.message.content == (
        TextBlock(text="A"),
        CustomContentBlock(tag="note", content="b"),
        TextBlock(text="CD<X"),
    )


async def test_the_system_prompt_reaches_the_provider() -> None:
    provider = Provider()
    await adapter(provider).generate({"model": "m", "messages": [{"role": "system", "content": "be kind"}]})
    text = "You can use the following XML tags in your output:\n- <note>: A note."
    assert provider.requests == [{"model": "m", "messages": [{"role": "system", "content": f"be kind\n\n{text}"}]}]


async def test_prepare_input_makes_the_request_and_any_other_input_is_handed_on() -> None:
    async def prepare(given: list[Any]) -> str:
        return f"! {given[0]['content'][0]['text']}"

    provider = Provider()
    await adapter(provider, prepare_input=prepare).generate([{"role": "user", "content": "hi"}])
    await adapter(provider).generate("just text")
    assert [request[:10] for request in provider.requests] == ["! You can ", "just text"]


async def test_generate_asks_for_a_whole_output_where_it_can_be_mapped() -> None:
    provider = Provider("a<note>", "b</note>")

    def whole(output: str) -> list[object]:
        return [TextDelta(output), tags.Finish("stop")]

    message = await adapter(provider, execute=provider.generate, map_output=whole).generate([])
    assert not provider.closed
    assert message.content == (TextBlock(text="a"), CustomContentBlock(tag="note", content="b"))
    assert message.stop_reason == "stop"


async def test_a_provider_without_a_stream_streams_its_whole_output() -> None:
    model = Adapter(map_chunk=TextDelta, execute=Provider("a<note/>").generate, custom_blocks=BLOCKS)
    assert [event async for event in model.stream([])][2:4] == [ContentDelta(0, "a"), ContentEnd(0, "a")]
    with pytest.raises(ValueError, match="needs execute, execute_stream or both"):
        Adapter(map_chunk=TextDelta)


async def test_two_streams_at_once_keep_apart() -> None:
    model = adapter(Provider("<no", "te>a", "</note>"), delta_transform=lambda: tags.CustomBlocks({}))
    first, second = await asyncio.gather(model.generate([]), model.generate([]))
    assert first == second
    assert first.content == (CustomContentBlock(tag="note", content="a"),)


async def test_a_provider_error_flushes_what_was_held_and_ends_the_stream() -> None:
    error = ConnectionError("gone")
    provider = Provider("a<note>b</no", error=error)
    stream = adapter(provider).stream([])
    events = [event async for event in stream]
    assert events[-3:] == [
        tags.CustomBlock("note", "b</no", {}),
        tags.StreamFailed(error),
        MessageEnd(stream.message, "error"),
    ]
    assert stream.message.content == (TextBlock(text="a"), CustomContentBlock(tag="note", content="b</no"))
    assert stream.error is error
    assert provider.closed


async def test_a_provider_that_fails_at_once_ends_the_stream() -> None:
    def refuse(request: object) -> list[str]:
        raise PermissionError("no key")

    model = Adapter(map_chunk=TextDelta, execute_stream=refuse)
    events = [event async for event in model.stream([])]
    assert [type(event) for event in events] == [tags.MessageStart, tags.StreamFailed, MessageEnd]
    with pytest.raises(PermissionError):
        await model.generate([])


async def test_cancel_flushes_what_was_held_and_ends_the_stream() -> None:
    provider = Provider("a<thi", "s <no", endless=True)
    stream = adapter(provider).stream([])
    events = []
    async for event in stream:
        events.append(event)
        if event == ContentDelta(0, "<this "):
            asyncio.get_running_loop().call_soon(stream.cancel)
    assert events[-3:] == [ContentDelta(0, "<no"), ContentEnd(0, "a<this <no"), MessageEnd(stream.message, "cancelled")]
    assert provider.closed
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_a_stream_that_nobody_reads_to_its_end_closes_the_provider() -> None:
    provider = Provider("a", "b", "c")
    async with contextlib.aclosing(adapter(provider).stream([])) as stream:
        async for event in stream:
            if isinstance(event, ContentDelta):
                break
    assert provider.closed
    assert stream.message.text == "a"


async def test_what_map_chunk_raises_reaches_the_caller() -> None:
    def map_chunk(chunk: str) -> object:
        raise KeyError(chunk)

    provider = Provider("a")
    with pytest.raises(KeyError):
        await Adapter(map_chunk=map_chunk, execute_stream=provider.stream).generate([])
    assert provider.closed


DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_gadget_calls_and_custom_blocks_come_out_of_one_stream(size: int) -> None:
    example = runpy.run_path(str(DOCS / "examples" / "agent_stream.py"))
    response = example["RESPONSE"]
    said = example["run"]([response[at : at + size] for at in range(0, len(response), size)])
    assert [line for line in said if not line.startswith("say")] == [
        "block citation 'Rain is likely.' {'url': 'https://example.org/weather'}",
        "call Weather {'city': 'Lisbon', 'days': 3}",
        "block done '' {}",
    ]
    text = "".join(line[5:-1] for line in said if line.startswith("say"))
    assert "I will look that up. " in text
    assert "One moment. " in text


def chunk(content: str | None = None, *, calls: Any = None, finish: str | None = None, usage: Any = None) -> Shape:
    delta = Shape(content=content, tool_calls=calls)
    return Shape(choices=[Shape(delta=delta, finish_reason=finish)], usage=usage)


class Client:
    """Has the shape of `openai.AsyncOpenAI`, and streams recorded chunks."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.chat = Shape(completions=Shape(create=self.create))

    async def create(self, **request: Any) -> AsyncIterator[Shape]:
        self.requests.append(request)
        return self.chunks()

    async def chunks(self) -> AsyncIterator[Shape]:
        yield chunk("See <cit")
        yield chunk('ation url="u">this</citation>')
        yield chunk(".<done/>")
        yield chunk(calls=[Shape(index=0, id="c1", function=Shape(name="add", arguments=""))])
        yield chunk(calls=[Shape(index=0, id=None, function=Shape(name=None, arguments='{"a":1}'))])
        yield chunk(finish="tool_calls")
        yield Shape(choices=[], usage=Shape(prompt_tokens=3, completion_tokens=9))


async def test_the_openai_adapter_reads_the_stream_of_that_package() -> None:
    example = runpy.run_path(str(DOCS / "examples" / "openai_adapter.py"))
    client = Client()
    message = await example["adapter"](client, "gpt").generate([{"role": "user", "content": "hi"}])
    assert message.content == (
        TextBlock(text="See "),
        CustomContentBlock(tag="citation", content="this", attrs={"url": "u"}),
        TextBlock(text="."),
    )
    assert message.tool_calls == (tags.ToolCallBlock(id="c1", name="add", input={"a": 1}),)
    assert (message.stop_reason, message.usage) == ("tool_calls", {"input": 3, "output": 9})
    assert client.requests[0]["stream"] is True
    assert "<citation>" in client.requests[0]["messages"][0]["content"][0]["text"]
