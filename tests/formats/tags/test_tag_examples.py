"""The files of `docs/examples`, run."""

from __future__ import annotations

import runpy
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace as Shape
from typing import Any

import pytest

from llmblocks.tags import CustomContentBlock, TextBlock, ToolCallBlock

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
    assert message.tool_calls == (ToolCallBlock(id="c1", name="add", input={"a": 1}),)
    assert (message.stop_reason, message.usage) == ("tool_calls", {"input": 3, "output": 9})
    assert client.requests[0]["stream"] is True
    assert "<citation>" in client.requests[0]["messages"][0]["content"][0]["text"]
