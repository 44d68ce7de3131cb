"""An endpoint that streams a response as server-sent events: text, custom blocks and calls.

Run it with `fastapi run fastapi_events.py`; `chat_page.html` beside it shows what it sends.
"""

import json
from collections.abc import AsyncIterator

from fastapi import FastAPI
from fastapi.responses import StreamingResponse

from llmblocks.compose import GadgetTransform
from llmblocks.gadget import CallEnded
from llmblocks.tags import BlockDefinition, CustomBlock, CustomBlocks, TextDelta, compose

app = FastAPI()


async def model(question: str) -> AsyncIterator[str]:
    """Stands for yours: any of the recipes beside this file."""
    yield f"You ask: {question} <cita"
    yield 'tion url="https://example.org">Rain is likely.</citation>\n!!!GADGET_START:Umb'
    yield "rella\n!!!ARG:size\n2\n!!!GADGET_END\n"


@app.get("/chat")
async def chat(question: str) -> StreamingResponse:
    """Events of the types text, citation, call and end."""
    return StreamingResponse(events(question), media_type="text/event-stream")


async def events(question: str) -> AsyncIterator[str]:
    """Yield each event as soon as it is certain."""
    pipeline = compose(GadgetTransform(), CustomBlocks({"citation": BlockDefinition()}))
    async for chunk in model(question):
        for delta in pipeline.process(TextDelta(chunk)):
            yield sent(delta)
    for delta in pipeline.flush():
        yield sent(delta)
    yield "event: end\ndata: {}\n\n"


def sent(delta: object) -> str:
    """Return one event as the browser reads it; empty for a delta that the page does not show."""
    match delta:
        case TextDelta(text):
            kind, data = "text", {"text": text}
        case CustomBlock(tag, content, attrs):
            kind, data = tag, {"text": content, **attrs}
        case CallEnded(call):
            kind, data = "call", {"name": call.name, "parameters": call.parameters, "error": call.error}
        case _:
            return ""
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n"
