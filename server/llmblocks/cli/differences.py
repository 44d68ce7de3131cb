"""The meaning of two texts or sessions as items, and their differences: added, removed, moved, changed."""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from operator import itemgetter
from typing import Any, Literal, NamedTuple

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
    if "items" in found:
        return (*_items(found["items"]),)
    # a raw completion is one message
    return (*[_message(each, settings) for each in found.get("messages", [found])],)


def responses_of(session: Session) -> tuple[Item, ...]:
    """Return the responses of a session, and those of its sub-agents."""
    inside = [(each.file, (*_text(each.said), *map(_session_call, each.calls))) for each in session.responses]
    responses = [Item("response", os.path.basename(file), {}, parts) for file, parts in inside]
    agents = [Item("agent", os.path.basename(agent.folder), {}, responses_of(agent)) for agent in session.agents]
    return (*responses, *agents)


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


Kind = Literal["added", "removed", "moved", "changed"]


class Field(NamedTuple):
    """A different value, by its pointer. A side without it has `ABSENT`."""

    pointer: str
    before: Any
    after: Any


ABSENT = object()


class Pair(NamedTuple):
    """An item on both sides; None on a side without it."""

    before: Item | None
    after: Item | None
    kinds: tuple[Kind, ...]
    """The differences; empty if both are the same."""
    fields: tuple[Field, ...] = ()
    """The different values of an item that both sides have."""
    parts: tuple[Pair, ...] = ()
    """All items in it, on both sides."""

    @property
    def item(self) -> Item:
        """The item of the second side, unless it was removed."""
        item = self.after or self.before
        assert item is not None, "one of them is there"
        return item


def beside(before: Sequence[Item], after: Sequence[Item]) -> tuple[Pair, ...]:
    """Return all items of both sides in the order of the second one. Removed items keep their old place."""
    pairs = _pairs(before, after)
    staying = _longest_ascending([pairs[number] for number in sorted(pairs)])
    found: list[tuple[tuple[int, int, int], Pair]] = []
    last = -1
    for number, item in enumerate(before):
        if number in pairs:
            last = pairs[number]
        else:
            found.append(((last, 1, number), Pair(item, None, ("removed",), (), beside(item.parts, ()))))
    sources = {other: number for number, other in pairs.items()}
    for other, item in enumerate(after):
        if other not in sources:
            found.append(((other, 0, 0), Pair(None, item, ("added",), (), beside((), item.parts))))
            continue
        source = before[sources[other]]
        fields, parts = _fields(source, item), beside(source.parts, item.parts)
        kinds: list[Kind] = ["moved"] if other not in staying else []
        if fields or any(each.kinds for each in parts):
            kinds.append("changed")
        found.append(((other, 0, 0), Pair(source, item, (*kinds,), fields, parts)))
    return (*[pair for _, pair in sorted(found, key=lambda each: each[0])],)


def _fields(before: Item, after: Item) -> tuple[Field, ...]:
    pointers = dict.fromkeys((*before.fields, *after.fields))
    rows = [Field(each, before.fields.get(each, ABSENT), after.fields.get(each, ABSENT)) for each in pointers]
    rows.insert(0, Field("(name)", before.name, after.name))
    # Python considers 1 and true equal
    differ = [(row.before, isinstance(row.before, bool)) != (row.after, isinstance(row.after, bool)) for row in rows]
    return (*compress(rows, differ),)


def _pairs(before: Sequence[Item], after: Sequence[Item]) -> dict[int, int]:
    """Match the items of both sides: the same ones, or of the same name, or of the same kind."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    same: tuple[Callable[[Item], object], ...] = (
        lambda item: item.key,
        lambda item: (item.what, item.name),
        # the id of a call may differ
        lambda item: (item.what, item.name.split(" ")[0]),
    )
    for of in same:
        waiting: dict[object, list[int]] = {}
        for number, item in reversed([*enumerate(after)]):
            if number not in taken:
                waiting.setdefault(of(item), []).append(number)
        for number, item in enumerate(before):
            if number not in pairs and (left := waiting.get(of(item))):
                pairs[number] = left.pop()
                taken.add(pairs[number])
    return pairs


def _longest_ascending(numbers: Sequence[int]) -> set[int]:
    """Return the longest ascending subsequence: the others have moved."""
    # by their lengths, those with the smallest last numbers: the number, and the sequence before it
    known: list[tuple[int, Any]] = []
    for number in numbers:
        at = bisect_left(known, number, key=itemgetter(0))
        known[at : at + 1] = [(number, known[at - 1] if at else None)]
    found, rest = set(), known[-1] if known else None
    while rest:
        number, rest = rest
        found.add(number)
    return found
