"""The meaning of a text or a session, as items to compare: messages, calls, results, blocks, text."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from llmblocks.features.streams import values
from llmblocks.json5.finite import finite
from llmblocks.languages.registry import find_language
from llmblocks.sessions import Session, SessionCall
from llmblocks.settings.values import Settings


class Item(NamedTuple):
    """A part of a text."""

    what: str
    """Its kind."""
    name: str
    """Distinguishes it from others of the kind, for people, too."""
    fields: Mapping[str, Any]
    """Its values by pointer."""
    parts: tuple[Item, ...] = ()
    """The items in it, such as the calls of a message."""

    @property
    def key(self) -> str:
        """The same for items with the same meaning."""
        own = json.dumps([self.what, self.name, self.fields], sort_keys=True, default=str)
        return own + "".join([each.key for each in self.parts])


def items_of(text: str, language_id: str, settings: Settings) -> tuple[Item, ...]:
    """Return the items of a text in a language."""
    found = values(text, find_language(language_id), settings)
    if "messages" in found:
        return (*[_message(each, settings) for each in found["messages"]],)
    return (*_items(found["items"]),)


def responses_of(session: Session) -> tuple[Item, ...]:
    """Return the responses of a session, and those of its sub-agents."""
    found = [
        Item(
            "response",
            os.path.basename(response.file),
            {},
            (*_text(response.said), *map(_session_call, response.calls)),
        )
        for response in session.responses
    ]
    agents = [Item("agent", os.path.basename(agent.folder), {}, responses_of(agent)) for agent in session.agents]
    return (*found, *agents)


def _session_call(call: SessionCall) -> Item:
    item = {"name": call.name, "id": call.invocation_id, "dependencies": [*call.dependencies]}
    found = _call({**item, "parameters": call.parameters, "error": call.error})
    result = {} if call.result is None else {"result": call.result.text}
    return found._replace(fields={**found.fields, "outcome": call.outcome, **result})


def _message(message: Mapping[str, Any], settings: Settings) -> Item:
    content = message.get("content")
    others = dict(_leaves({key: value for key, value in message.items() if key not in ("role", "content")}, ""))
    role = str(message.get("role", ""))
    if isinstance(content, str):
        found = values(content, find_language("gadget"), settings)["items"] if role == "assistant" else ()
        parts = (*_items(found),) if found else (*_text(content),)
        return Item("message", role, others, parts)
    return Item("message", role, {**others, **dict(_leaves(content, "content"))})


def _items(found: Iterable[Mapping[str, Any]]) -> Iterator[Item]:
    for each in found:
        if each["type"] == "call":
            yield _call(each)
        elif each["type"] == "text":
            yield from _text(each["text"])
        else:
            name = each.get("tag") or each.get("id") or each.get("role") or ""
            others = {key: value for key, value in each.items() if key not in ("type", "tag", "id", "role")}
            yield Item(each["type"], str(name), dict(_leaves(others, "")))


def _call(call: Mapping[str, Any]) -> Item:
    fields = dict(_leaves(call["parameters"] or {}, ""))
    if call["dependencies"]:
        fields["(after)"] = ", ".join(sorted(set(call["dependencies"])))
    if call["error"]:
        fields["(error)"] = call["error"]
    return Item("call", f"{call['name'] or '(unnamed)'} {call['id']}", fields)


def _text(text: str) -> Iterator[Item]:
    # the lines around a call belong to neither
    if text.strip():
        yield Item("text", "", {"": text.strip()})


def _leaves(value: Any, at: str) -> Iterator[tuple[str, Any]]:
    """Yield the values in a value by pointer. An empty object or list is a value."""
    left = [(at, value)]
    while left:
        at, value = left.pop()
        inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        rows = [(f"{at}/{name}" if at else str(name), each) for name, each in inside]
        if rows:
            left += reversed(rows)
        elif at:
            yield at, finite(value)
