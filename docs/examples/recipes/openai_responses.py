"""The text of a streamed answer of OpenAI's Responses.

`texts(client.responses.create(model="gpt-5", input=prompt, stream=True))`
"""

from collections.abc import Iterable, Iterator

from openai.types.responses import ResponseStreamEvent, ResponseTextDeltaEvent


def texts(stream: Iterable[ResponseStreamEvent]) -> Iterator[str]:
    """Yield the text, as it arrives; reasoning and native tool calls are other events."""
    for event in stream:
        if isinstance(event, ResponseTextDeltaEvent):
            yield event.delta
