"""Text and calls as a step of a LangChain chain: `chain = model | reader`, then `for part in chain.stream(prompt)`."""

from collections.abc import Iterator

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableGenerator

from llmblocks.gadget import CallEnded, GadgetCall, GadgetStream, Text


def read(messages: Iterator[BaseMessage]) -> Iterator[str | GadgetCall]:
    """Text as it arrives, and each call once it is complete."""
    stream = GadgetStream()
    for message in messages:
        for event in stream.feed(str(message.text)):
            if isinstance(event, Text | CallEnded):
                yield event.text if isinstance(event, Text) else event.call
    for event in stream.close():
        if isinstance(event, Text | CallEnded):
            yield event.text if isinstance(event, Text) else event.call


reader = RunnableGenerator(read)
