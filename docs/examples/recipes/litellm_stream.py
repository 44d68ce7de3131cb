"""The text of a streamed answer through LiteLLM, of any provider.

`texts(litellm.completion(model="mistral/mistral-large-latest", messages=messages, stream=True))`
"""

from collections.abc import Iterable, Iterator

from litellm.types.utils import ModelResponseStream


def texts(stream: Iterable[ModelResponseStream]) -> Iterator[str]:
    """Yield the text of the first choice, as it arrives."""
    for chunk in stream:
        for choice in chunk.choices:
            if choice.index == 0 and choice.delta.content:
                yield choice.delta.content
