"""The text of a streamed answer of Anthropic's Messages.

`texts(client.messages.create(model="claude-sonnet-4-5", max_tokens=1024, messages=messages, stream=True))`
"""

from collections.abc import Iterable, Iterator

from anthropic.types import RawContentBlockDeltaEvent, RawMessageStreamEvent, TextDelta


def texts(stream: Iterable[RawMessageStreamEvent]) -> Iterator[str]:
    """Yield the text, as it arrives; thinking and native tool calls are other deltas."""
    for event in stream:
        if isinstance(event, RawContentBlockDeltaEvent) and isinstance(event.delta, TextDelta):
            yield event.delta.text
