"""The text of a streamed answer of OpenAI's Chat Completions.

`texts(client.chat.completions.create(model="gpt-5", messages=messages, stream=True))`
"""

from collections.abc import Iterable, Iterator

from openai.types.chat import ChatCompletionChunk


def texts(stream: Iterable[ChatCompletionChunk]) -> Iterator[str]:
    """Yield the text of the first choice, as it arrives. The last chunk may have no choice: it has the usage."""
    for chunk in stream:
        for choice in chunk.choices:
            if choice.index == 0 and choice.delta.content:
                yield choice.delta.content
