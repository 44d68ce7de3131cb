"""The call hierarchy: who waits for a call, for whom it waits, and its result, in all files of its session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from llmblocks.core.late import late
from llmblocks.lsp.answers.ask import Asker, read_ask
from llmblocks.lsp.answers.convert import span
from llmblocks.lsp.answers.outline import SYMBOL_KINDS
from llmblocks.lsp.answers.workspace import Workspace
from llmblocks.lsp.documents.locations import located, uri_of_file
from llmblocks.lsp.wire.params import a_text, an_object, range_of
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.core.places import Elsewhere
    from llmblocks.features import hierarchy, navigation
    from llmblocks.languages.ask import Ask
    from llmblocks.lsp.documents.columns import Encoding
    from llmblocks.lsp.documents.text import AnalysedText
else:
    hierarchy, navigation = late("llmblocks.features", "hierarchy navigation")

_UNNAMED = "(unnamed)"


class _Asked(NamedTuple):
    """The call or the result of an item, with the question about it."""

    text: AnalysedText
    ask: Ask
    call: _FoundCall | None
    result: hierarchy.ResultPlace | None


class _FoundCall(NamedTuple):
    """A call in a file."""

    uri: str
    text: AnalysedText
    call: hierarchy.ItemCall

    def item(self) -> Json:
        return {
            "name": self.call.title or _UNNAMED,
            "detail": ", ".join(filter(None, (self.call.id, self.call.standing))),
            "kind": SYMBOL_KINDS["call"],
            "uri": self.uri,
            "range": span(self.text, *self.call.header),
            "selectionRange": span(self.text, *self.call.name),
        }


def prepared(ask: Ask, asker: Asker) -> Json:
    """The call in whose first line a position is, or the result of one; null elsewhere."""
    call = hierarchy.call_at(ask)
    if call is not None:
        return [_FoundCall(asker.uri, asker.text, call).item()]
    told = hierarchy.result_at(ask)
    return None if told is None else [_result(asker.uri, told.id, span(asker.text, *told.place))]


def answered(answer: Callable[[_Asked, Workspace], Json], workspace: Workspace, params: Json) -> Json:
    """The answer about a call, which may be in a text that a document embeds; None if it is no longer there."""
    item = an_object(an_object(params, "params").get("item"), "item")
    uri = a_text(item.get("uri"), "item.uri")
    place = range_of(item.get("selectionRange"), "item.selectionRange")
    start = {"line": place.start_line, "character": place.start_character}
    hosted, view = workspace.hosted(uri), None
    if hosted is not None:
        from llmblocks.lsp.answers.hosted import view_at

        view = view_at(hosted, start)
        if view is None:
            return None
        uri, start = view.inside(uri), view.inside(start)
    text = workspace.text(uri)
    if text is None:
        return None
    ask = read_ask(Asker(text, {"position": start}), "position")
    asked = _Asked(text, ask, _found(uri, text, ask), hierarchy.result_at(ask))
    found = answer(asked, workspace) if asked.call or asked.result else None
    return found if view is None else view.outside(found)


def incoming(asked: _Asked, workspace: Workspace) -> Json:
    """The calls that wait for a call, and its result: all that there is because of it."""
    text, ask, found, _ = asked
    if found is None or not found.call.id:
        # its place is that of the gadget's name
        return []
    here = navigation.references(ask, with_definitions=False)
    results = navigation.results_elsewhere(ask, ask.index())
    elsewhere = [each for each in navigation.references_elsewhere(ask, with_definitions=False) if each not in results]
    edges: dict[tuple[str, int], tuple[_FoundCall, list[Json]]] = {}
    for caller, start, end in _calls(found, ask, here, elsewhere, workspace):
        _, places = edges.setdefault((caller.uri, caller.call.header.start), (caller, []))
        places.append(span(caller.text, start, end))
    calls = [{"from": caller.item(), "fromRanges": places} for caller, places in edges.values()]
    return [*calls, *[_told(each, text.encoding) for each in results]]


def outgoing(asked: _Asked, workspace: Workspace) -> Json:
    """The calls that a call waits for, or the call that a result is of."""
    text, ask, found, result = asked
    if found is None:
        places = [] if result is None else [span(text, *result.place)]
        calls = _calls_at(navigation.definitions_elsewhere(ask)[:1], workspace)
        return [{"to": call.item(), "fromRanges": places} for call, *_ in calls]
    edges: dict[tuple[str, int], tuple[_FoundCall, list[Json]]] = {}
    for waits in found.call.waits:
        at = replace(ask, start=waits.start, end=waits.start)
        here = navigation.definitions(at)
        elsewhere = [] if here else navigation.definitions_elsewhere(at)
        for needed, *_ in _calls(found, ask, here[:1], elsewhere[:1], workspace):
            _, places = edges.setdefault((needed.uri, needed.call.header.start), (needed, []))
            places.append(span(text, *waits))
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
    """The calls in whose first lines places are, with these."""
    for use in here:
        found = _found(own.uri, own.text, replace(ask, start=use.start, end=use.start))
        if found is not None:
            yield found, use.start, use.end
    yield from _calls_at(elsewhere, workspace)


def _calls_at(places: Iterable[Elsewhere], workspace: Workspace) -> Iterator[tuple[_FoundCall, int, int]]:
    texts: dict[str, Any] = {}
    for place in places:
        uri = uri_of_file(place.file)
        if uri not in texts:
            workspace.check(None)
            texts[uri] = workspace.text(uri)
        text = texts[uri]
        if text is None:
            continue
        around = read_ask(Asker(text, {}))
        found = _found(uri, text, replace(around, start=place.start, end=place.start))
        if found is not None:
            yield found, place.start, place.end


def _found(uri: str, text: AnalysedText, ask: Ask) -> _FoundCall | None:
    call = hierarchy.call_at(ask)
    return None if call is None else _FoundCall(uri, text, call)
