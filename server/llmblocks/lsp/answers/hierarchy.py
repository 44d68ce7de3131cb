"""The call hierarchy: the dependents, the dependencies and the result of a call, in all files of its session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from llmblocks.core.late import late
from llmblocks.lsp.answers.ask import Asker, read_ask
from llmblocks.lsp.answers.outline import SYMBOL_KINDS, UNNAMED
from llmblocks.lsp.answers.workspace import Workspace
from llmblocks.lsp.documents.places import located, uri_of_file
from llmblocks.lsp.wire.params import a_text, an_object, range_of
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.core.places import Elsewhere
    from llmblocks.features import hierarchy, navigation
    from llmblocks.languages.ask import Ask
    from llmblocks.lsp.documents.places import Encoding
else:
    hierarchy, navigation = late("llmblocks.features", "hierarchy navigation")


class _Asked(NamedTuple):
    """The call or the result of an item, with its question."""

    asker: Asker
    ask: Ask
    call: _FoundCall | None
    result: hierarchy.ResultPlace | None


class _FoundCall(NamedTuple):
    """A call in a file."""

    asker: Asker
    call: hierarchy.ItemCall

    def item(self) -> Json:
        return {
            "name": self.call.title or UNNAMED,
            "detail": ", ".join(filter(None, (self.call.id, self.call.standing))),
            "kind": SYMBOL_KINDS["call"],
            "uri": self.asker.uri,
            "range": self.asker.span(*self.call.header),
            "selectionRange": self.asker.span(*self.call.name),
        }


def prepared(ask: Ask, asker: Asker) -> Json:
    """Return the call whose first line contains a position, or the result of one, or null."""
    call = hierarchy.call_at(ask)
    if call is not None:
        return [_FoundCall(asker, call).item()]
    told = hierarchy.result_at(ask)
    return None if told is None else [_result(asker.uri, told.id, asker.span(*told.place))]


def answered(answer: Callable[[_Asked, Workspace], Json], workspace: Workspace, params: Json) -> Json:
    """Return the answer about a call, which may be in an embedded text; None if it no longer exists."""
    item = an_object(an_object(params, "params").get("item"), "item")
    place = range_of(item.get("selectionRange"), "item.selectionRange")
    start = {"line": place.start_line, "character": place.start_character}
    asker = workspace.asker(a_text(item.get("uri"), "item.uri"), {"position": start})
    if asker is None:
        return None
    ask = read_ask(asker, "position")
    asked = _Asked(asker, ask, _found(asker, ask), hierarchy.result_at(ask))
    return answer(asked, workspace) if asked.call or asked.result else None


def incoming(asked: _Asked, workspace: Workspace) -> Json:
    """Return the calls that wait for a call, and its result: its consequences."""
    asker, ask, found, _ = asked
    if found is None or not found.call.id:
        # its place is the gadget's name
        return []
    here = navigation.references(ask, with_definitions=False)
    results = navigation.results_elsewhere(ask)
    elsewhere = [each for each in navigation.references_elsewhere(ask, with_definitions=False) if each not in results]
    edges: dict[tuple[str, int], tuple[_FoundCall, list[Json]]] = {}
    for caller, start, end in _calls(found, ask, here, elsewhere, workspace):
        _, places = edges.setdefault((caller.asker.uri, caller.call.header.start), (caller, []))
        places.append(caller.asker.span(start, end))
    calls = [{"from": caller.item(), "fromRanges": places} for caller, places in edges.values()]
    return [*calls, *[_told(each, asker.text.encoding) for each in results]]


def outgoing(asked: _Asked, workspace: Workspace) -> Json:
    """Return the calls that a call waits for, or the call of a result."""
    asker, ask, found, result = asked
    if found is None:
        places = [] if result is None else [asker.span(*result.place)]
        calls = _calls_at(navigation.definitions_elsewhere(ask)[:1], workspace)
        return [{"to": call.item(), "fromRanges": places} for call, *_ in calls]
    edges: dict[tuple[str, int], tuple[_FoundCall, list[Json]]] = {}
    for waits in found.call.waits:
        at = replace(ask, start=waits.start, end=waits.start)
        here = navigation.definitions(at)
        elsewhere = [] if here else navigation.definitions_elsewhere(at)
        for needed, *_ in _calls(found, ask, here[:1], elsewhere[:1], workspace):
            _, places = edges.setdefault((needed.asker.uri, needed.call.header.start), (needed, []))
            places.append(asker.span(*waits))
    return [{"to": needed.item(), "fromRanges": places} for needed, places in edges.values()]


def _result(uri: str, one: str, place: Json) -> Json:
    return {
        "name": f"Result ({one})",
        "detail": unquote(uri.rpartition("/")[2]),
        "kind": SYMBOL_KINDS["data"],
        "uri": uri,
        "range": place,
        "selectionRange": place,
    }


def _told(place: Elsewhere, encoding: Encoding) -> Json:
    there = located(place, encoding)
    return {"from": _result(there["uri"], place.text, there["range"]), "fromRanges": [there["range"]]}


def _calls(
    own: _FoundCall, ask: Ask, here: Iterable[navigation.NameUse], elsewhere: Iterable[Elsewhere], workspace: Workspace
) -> Iterator[tuple[_FoundCall, int, int]]:
    """Yield the calls whose first lines contain places, with these places."""
    for use in here:
        found = _found(own.asker, replace(ask, start=use.start, end=use.start))
        if found is not None:
            yield found, use.start, use.end
    yield from _calls_at(elsewhere, workspace)


def _calls_at(places: Iterable[Elsewhere], workspace: Workspace) -> Iterator[tuple[_FoundCall, int, int]]:
    askers: dict[str, Asker | None] = {}
    for place in places:
        uri = uri_of_file(place.file)
        if uri not in askers:
            workspace.dispatcher.check()
            askers[uri] = workspace.asker(uri, {})
        asker = askers[uri]
        if asker is None:
            continue
        found = _found(asker, replace(read_ask(asker), start=place.start, end=place.start))
        if found is not None:
            yield found, place.start, place.end


def _found(asker: Asker, ask: Ask) -> _FoundCall | None:
    call = hierarchy.call_at(ask)
    return None if call is None else _FoundCall(asker, call)
