"""The values that a program gets from a text: what a fix, a refactoring or the formatter must keep."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

from examples import LAWS
from llmblocks import Settings
from llmblocks.gadget import CallEnded, GadgetCall, GadgetStream, Markers, Text
from llmblocks.stf import decode
from llmblocks.tags import CustomBlock, TagHandler, TagStream, TextDelta

THOROUGH = settings(max_examples=LAWS, deadline=None, suppress_health_check=list(HealthCheck))
OTHER = Markers("<<<CALL:", "<<<END", "<<<ARG:")
Read = tuple[Any, list[GadgetCall], list[Any]]


def marked(text: str, markers: Markers) -> str:
    """Return a text with these markers in place of the usual ones."""
    for usual, other in zip(Markers(), markers, strict=True):
        text = text.replace(usual, other)
    return text


def read(text: str, language_id: str, chosen: Settings, call: str = "") -> Read:
    """Return the messages, the calls and the rest of what a program gets; `call` stands for each call in the rest."""
    messages: Any = None
    contents = [text]
    if language_id == "stf":
        transcript = decode(text, dialect=chosen.dialect, default_role=chosen.default_role or None)
        messages, contents = transcript.as_dict(), [message.text for message in transcript.messages]
    calls: list[GadgetCall] = []
    rest: list[Any] = []
    for content in contents:
        stream = GadgetStream(markers=chosen.markers)
        events = stream.feed(content) + stream.close() if language_id != "custom-blocks" else [Text(content)]
        calls += [event.call for event in events if isinstance(event, CallEnded)]
        tags = TagStream({name: TagHandler() for name in chosen.tags})
        free = "".join(
            [event.text if isinstance(event, Text) else call for event in events if isinstance(event, Text | CallEnded)]
        )
        deltas = tags.process(TextDelta(free)) + tags.flush()
        rest.append("".join(each.delta for each in deltas if isinstance(each, TextDelta)))
        rest += [each for each in deltas if isinstance(each, CustomBlock)]
    return messages, calls, rest


def what(call: GadgetCall) -> tuple[object, ...]:
    return call.name, call.invocation_id, call.dependencies


def values(call: GadgetCall) -> tuple[object, ...]:
    return repr(call.parameters), repr([(each.pointer, each.value) for each in call.arguments])


def told(call: GadgetCall) -> tuple[object, ...]:
    return *what(call), *values(call)
