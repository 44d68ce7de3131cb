"""An agent loop: calls run in the order of their dependencies while text still streams. It needs no other package.

A model is any function from messages to chunks of text, such as one of the recipes beside this file. A call may wait
for one of an earlier response.
"""

from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from typing import Any

from llmblocks import feedback
from llmblocks.gadget import CallEnded, Failed, Finished, GadgetCall, GadgetStream, Skipped, Text, execute

Messages = list[dict[str, str]]
Model = Callable[[Messages], AsyncIterable[str]]
TURNS = 8
"""The most responses for one question."""


async def run(
    model: Model, question: str, gadgets: Mapping[str, Callable[..., Any]], show: Callable[[str], None]
) -> Messages:
    """Ask until a response makes no call; returns the conversation.

    `show` gets the text as it arrives. Results go back to the model as the user's message, with what is wrong with the
    calls that did not run.
    """
    messages: Messages = [{"role": "user", "content": question}]
    known: set[str] = set()
    failed: set[str] = set()
    for _ in range(TURNS):
        response: list[str] = []
        results = []
        done, stopped = set[str](), set[str]()
        calls = _calls(model(messages), response, show)
        async with aclosing(execute(calls, gadgets, known=known, failed=failed)) as outcomes:
            async for outcome in outcomes:
                match outcome:
                    case Finished(call, result):
                        done.add(call.invocation_id)
                        results.append(f"{call.invocation_id}: {result}")
                    case Failed(call, _, error):
                        stopped.add(call.invocation_id)
                        results.append(f"{call.invocation_id} failed: {error}")
                    case Skipped(call, _, error):
                        stopped.add(call.invocation_id)
                        results.append(f"{call.invocation_id} skipped: {error}")
        text = "".join(response)
        messages.append({"role": "assistant", "content": text})
        if not results:
            break
        if told := feedback(text, "gadget", known=known | failed):
            results.append(told)
        messages.append({"role": "user", "content": "\n".join(results)})
        known, failed = (known - stopped) | done, (failed - done) | stopped
    return messages


async def _calls(
    chunks: AsyncIterable[str], response: list[str], show: Callable[[str], None]
) -> AsyncIterator[GadgetCall]:
    """Yield each call as soon as it is complete; the text between them is shown, and everything is kept."""
    stream = GadgetStream()
    async for chunk in chunks:
        response.append(chunk)
        for event in stream.feed(chunk):
            if isinstance(event, Text):
                show(event.text)
            elif isinstance(event, CallEnded):
                yield event.call
    for event in stream.close():
        if isinstance(event, Text):
            show(event.text)
        elif isinstance(event, CallEnded):
            yield event.call
