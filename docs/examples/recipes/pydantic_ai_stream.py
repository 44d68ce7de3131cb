"""The text of a streamed answer of a pydantic-ai agent, and its calls."""

from collections.abc import AsyncIterator

from pydantic_ai import Agent

from llmblocks.gadget import CallEnded, GadgetCall, GadgetStream, Text


async def answered(agent: Agent[None, str], prompt: str) -> AsyncIterator[str | GadgetCall]:
    """Text as it arrives, and each call once it is complete."""
    stream = GadgetStream()
    async with agent.run_stream(prompt) as result:
        # debounce_by=None: a call is complete at once, not a tenth of a second later
        async for delta in result.stream_text(delta=True, debounce_by=None):
            for event in stream.feed(delta):
                if isinstance(event, Text | CallEnded):
                    yield event.text if isinstance(event, Text) else event.call
    for event in stream.close():
        if isinstance(event, Text | CallEnded):
            yield event.text if isinstance(event, Text) else event.call
