"""The public streams behind one interface, for the commands that show what a stream emits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from llmblocks.compose import GadgetTransform
from llmblocks.features.values import block_as_json, call_as_json
from llmblocks.gadget import CallEnded
from llmblocks.settings.values import Settings
from llmblocks.stf import Embedded, Found, MessageEnded, StfStream
from llmblocks.tags import CustomBlock, TagHandler, TagStream, TextDelta

Event = dict[str, Any]


class Stream(NamedTuple):
    """A stream of one language. Shape: `held` gives the text held back."""

    feed: Callable[[str], list[Event]]
    close: Callable[[], list[Event]]
    held: Callable[[], str]


def open_stream(language_id: str, settings: Settings) -> Stream:
    """The stream of a language. It never raises for any text."""
    if language_id == "stf":
        stf = StfStream(dialect=settings.dialect, default_role=settings.default_role or None)
        return Stream(lambda text: _events(stf.feed(text)), lambda: _events(stf.close()), lambda: stf.held)
    tags = TagStream({name: TagHandler() for name in settings.tags})
    if language_id != "gadget":
        return Stream(lambda text: _events(tags.feed(text)), lambda: _events(tags.flush()), lambda: tags.held)
    gadgets = GadgetTransform(settings.markers)

    def through(deltas: Sequence[Any]) -> list[Any]:
        return [each for delta in deltas for each in tags.process(delta)]

    return Stream(
        lambda text: _events(through(gadgets.process(TextDelta(text)))),
        lambda: _events([*through(gadgets.flush()), *tags.flush()]),
        lambda: tags.held + gadgets.held,
    )


def _events(events: Sequence[Any]) -> list[Event]:
    return [event_as_json(event) for event in events]


def event_as_json(event: Any) -> Event:
    """An event as plain JSON values. Shape: `event` is the name of its class, the rest are its fields."""
    name = type(event).__name__
    if isinstance(event, CallEnded):
        return {"event": name, "call": call_as_json(event.call)}
    if isinstance(event, CustomBlock):
        return {"event": name, **block_as_json(event)}
    if isinstance(event, MessageEnded):
        return {"event": name, "message": event.message.as_dict()}
    if isinstance(event, Embedded):
        return {"event": name, "part": _plain(event.part)}
    if isinstance(event, Found):
        finding = event.finding
        return {"event": name, "line": finding.line, "code": finding.code, "message": finding.message}
    return {"event": name} | {each.name: _plain(getattr(event, each.name)) for each in fields(event)}


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    return list(value) if isinstance(value, tuple) else value
