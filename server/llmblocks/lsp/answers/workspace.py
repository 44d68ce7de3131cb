"""Answers from several files: workspace symbols, and the calls that wait for each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from llmblocks.core.late import late
from llmblocks.lsp.answers.ask import Asker, Workspace, read_ask
from llmblocks.lsp.answers.outline import SYMBOL_KINDS, UNNAMED
from llmblocks.lsp.documents.places import located, uri_of_file
from llmblocks.lsp.wire.limits import MAX_PLACES_OF_SYMBOL, MAX_SYMBOLS
from llmblocks.lsp.wire.params import a_text, an_object, range_of
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import identity

if TYPE_CHECKING:
    from llmblocks.core.places import Elsewhere
    from llmblocks.features import navigation, outline
    from llmblocks.languages.ask import Ask
    from llmblocks.languages.language import Language
    from llmblocks.lsp.documents.text import AnalysedText
    from llmblocks.lsp.wire.values import Location, Range
else:
    navigation, outline = late("llmblocks.features", "navigation outline")

_Ranking = Callable[[str], "outline.Rank | None"]


class _Match(NamedTuple):
    """A name that fits a query."""

    rank: outline.Rank
    number: int
    """The number of its kind in the language."""
    uri: str
    kind: str
    name: str
    language: Language
    locations: Iterator[Location]


def symbols(workspace: Workspace, params: Json) -> Json:
    """Return the names in open documents and in the files of the workspace that match a query, the best first."""
    rank = outline.ranking(a_text(an_object(params, "params").get("query"), "query"))
    check = workspace.dispatcher.check
    check()
    matches: list[_Match] = []
    opened = {identity(document.uri) for document in workspace.documents}
    for document in workspace.documents:
        if document.text is not None:
            matches += _of_document(document.uri, document.text, rank, check)
    for language, file, names in workspace.files(check):
        uri = uri_of_file(file)
        if identity(uri) in opened:
            continue
        for number, kind in enumerate(language.findable):
            for name in filter(None, names.names("definition", kind)):
                if (fits := rank(name)) is not None:
                    places = names.places("definition", kind, name)[:MAX_PLACES_OF_SYMBOL]
                    locations = (located(place, workspace.client.encoding) for place in places)
                    matches.append(_Match(fits, number, uri, kind, name, language, locations))
    found: list[Json] = []
    for match in sorted(matches, key=lambda each: each[:3]):
        known = match.language.findable[match.kind]
        assert known.entry is not None, "only names with entries are found"
        about = {"name": match.name, "kind": SYMBOL_KINDS[known.entry], "containerName": known.title}
        found += [{**about, "location": location} for location in match.locations]
        if len(found) >= MAX_SYMBOLS:
            break
    return found[:MAX_SYMBOLS]


def _of_document(uri: str, text: AnalysedText, rank: _Ranking, pause: Callable[[], None]) -> Iterator[_Match]:
    ask = read_ask(Asker(text, {}, pause=pause))
    findable = [*ask.language.findable]
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for kind, name, start, end in outline.landmarks(ask):
        found.setdefault((kind, name), []).append((start, end))
    for (kind, name), places in found.items():
        if (fits := rank(name)) is not None:
            locations = _located(uri, text, places[:MAX_PLACES_OF_SYMBOL])
            yield _Match(fits, findable.index(kind), uri, kind, name, ask.language, locations)


def _located(uri: str, text: AnalysedText, places: list[tuple[int, int]]) -> Iterator[Location]:
    return ({"uri": uri, "range": text.span(*place)} for place in places)


class _FoundCall(NamedTuple):
    asker: Asker
    call: navigation.ItemCall

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
    if (found := _found(asker, ask)) is not None:
        return [found.item()]
    told = navigation.result_at(ask)
    return None if told is None else [_result(asker.uri, told.id, asker.span(*told.place))]


def incoming(workspace: Workspace, params: Json) -> Json:
    """Return the calls that wait for a call, and its result: its consequences. None if it no longer exists."""
    asked = _asked(workspace, params)
    if asked is None:
        return None
    asker, ask, found = asked
    if found is None:
        return None if navigation.result_at(ask) is None else []
    if not found.call.id:
        # its place is the gadget's name
        return []
    here = navigation.references(ask, with_definitions=False)
    results = navigation.results_elsewhere(ask)
    elsewhere = [each for each in navigation.references_elsewhere(ask, with_definitions=False) if each not in results]
    callers = _calls(found, ask, here, elsewhere, workspace)
    places = [located(each, asker.text.encoding) for each in results]
    return [
        *_edges("from", [(caller, caller.asker.span(start, end)) for caller, start, end in callers]),
        *[
            {"from": _result(there["uri"], each.text, there["range"]), "fromRanges": [there["range"]]}
            for each, there in zip(results, places, strict=True)
        ],
    ]


def outgoing(workspace: Workspace, params: Json) -> Json:
    """Return the calls that a call waits for, or the call of a result. None if it no longer exists."""
    asked = _asked(workspace, params)
    if asked is None:
        return None
    asker, ask, found = asked
    if found is None:
        if (result := navigation.result_at(ask)) is None:
            return None
        calls = _calls_at(navigation.definitions_elsewhere(ask)[:1], workspace)
        return _edges("to", [(call, asker.span(*result.place)) for call, *_ in calls])
    needed: list[tuple[_FoundCall, Range]] = []
    for waits in found.call.waits:
        at = replace(ask, start=waits.start, end=waits.start)
        here = navigation.definitions(at)
        elsewhere = [] if here else navigation.definitions_elsewhere(at)
        calls = _calls(found, ask, here[:1], elsewhere[:1], workspace)
        needed += [(call, asker.span(*waits)) for call, *_ in calls]
    return _edges("to", needed)


def _asked(workspace: Workspace, params: Json) -> tuple[Asker, Ask, _FoundCall | None] | None:
    """Return the question about an item, which may be in an embedded text, with its call, if it is still there."""
    item = an_object(an_object(params, "params").get("item"), "item")
    place = range_of(item.get("selectionRange"), "item.selectionRange")
    start = {"line": place.start_line, "character": place.start_character}
    asker = workspace.asker(a_text(item.get("uri"), "item.uri"), {"position": start})
    if asker is None:
        return None
    ask = read_ask(asker, "position")
    return asker, ask, _found(asker, ask)


def _edges(direction: str, calls: Iterable[tuple[_FoundCall, Range]]) -> list[Json]:
    """Return each call once, with its ranges."""
    edges: dict[tuple[str, int], Json] = {}
    for call, place in calls:
        key = call.asker.uri, call.call.header.start
        edges.setdefault(key, {direction: call.item(), "fromRanges": []})["fromRanges"].append(place)
    return [*edges.values()]


def _result(uri: str, one: str, place: Json) -> Json:
    return {
        "name": f"Result ({one})",
        "detail": unquote(uri.rpartition("/")[2]),
        "kind": SYMBOL_KINDS["data"],
        "uri": uri,
        "range": place,
        "selectionRange": place,
    }


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
        found = None if asker is None else _found(asker, replace(read_ask(asker), start=place.start, end=place.start))
        if found is not None:
            yield found, place.start, place.end


def _found(asker: Asker, ask: Ask) -> _FoundCall | None:
    call = navigation.call_at(ask)
    return None if call is None else _FoundCall(asker, call)
