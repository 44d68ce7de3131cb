"""Workspace symbols: names in open documents and in the files of the workspace, the best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from llmblocks.core.late import late
from llmblocks.lsp.answers.ask import Asker, Work, read_ask
from llmblocks.lsp.answers.outline import SYMBOL_KINDS
from llmblocks.lsp.answers.workspace import Workspace
from llmblocks.lsp.documents.places import located, uri_of_file
from llmblocks.lsp.wire.limits import MAX_PLACES_OF_SYMBOL, MAX_SYMBOLS
from llmblocks.lsp.wire.params import a_text, an_object
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import identity

if TYPE_CHECKING:
    from llmblocks.features import search
    from llmblocks.languages.language import Language
    from llmblocks.lsp.documents.places import Encoding
    from llmblocks.workspace.names import FileNames
else:
    (search,) = late("llmblocks.features", "search")

_STEP = 2000
_PART = 100
_Match = tuple["search.Rank", int, str, Callable[[], Iterator[Json]]]


def workspace_symbols(workspace: Workspace, params: Json) -> Json:
    """Return the symbols whose names match a query; None if they have been sent in parts."""
    given = an_object(params, "params")
    query = a_text(given.get("query"), "query")
    token = given.get("workDoneToken")
    with Work(workspace.dispatcher, None, token, "Searching the workspace") as work:
        return _search(query, given.get("partialResultToken"), workspace, work.pause)


def _search(query: str, token: Json, workspace: Workspace, pause: Callable[[], None]) -> Json:
    rank = search.ranking(query)
    matches: list[_Match] = []
    for looked, (name, kind, uri, symbols) in enumerate(_names(workspace, rank, pause)):
        if looked % _STEP == 0:
            pause()
        fits = rank(name)
        if fits is not None:
            matches.append((fits, kind, uri, symbols))
    matches.sort(key=lambda match: match[:3])
    found: list[Json] = []
    sent = 0
    for *_, symbols in matches:
        found += symbols()
        if sent + len(found) >= MAX_SYMBOLS:
            del found[MAX_SYMBOLS - sent :]
            break
        if token is not None and len(found) >= _PART:
            pause()
            workspace.dispatcher.tell(token, found)
            sent, found = sent + len(found), []
    if token is None:
        return found
    if found:
        workspace.dispatcher.tell(token, found)
    return []


def _names(
    workspace: Workspace, rank: Callable[[str], search.Rank | None], pause: Callable[[], None]
) -> Iterator[tuple[str, int, str, Callable[[], Iterator[Json]]]]:
    """Yield each name in each file, with the number of its kind, the URI of the file, and the source of its symbols."""
    opened = set()
    for document in workspace.documents:
        opened.add(identity(document.uri))
        if document.text is not None:
            yield from _of_document(document.uri, document.text, rank, pause)
    encoding = workspace.client.encoding
    for language, file, names in workspace.files(pause):
        uri = uri_of_file(file)
        if identity(uri) not in opened:
            yield from _of_file(language, uri, names, encoding)


def _of_document(
    uri: str, text: Any, rank: Callable[[str], search.Rank | None], pause: Callable[[], None]
) -> Iterator[tuple[str, int, str, Callable[[], Iterator[Json]]]]:
    ask = read_ask(Asker(text, {}, pause=pause))
    findable = list(ask.language.findable)
    left: dict[tuple[str, str], int] = {}
    for kind, name, first, places in search.landmarks(ask):
        if rank(name) is None:
            continue
        room = left.setdefault((kind, name), MAX_PLACES_OF_SYMBOL)
        if not room:
            continue
        left[kind, name] = max(0, room - len(places))

        def symbols(
            kind: str = kind, name: str = name, block: int = first, some: list[tuple[int, int]] = places[:room]
        ) -> Iterator[Json]:
            for place in some:
                here = text.span(block + place[0], block + place[1])
                yield _symbol(ask.language, kind, name, {"uri": uri, "range": here})

        yield name, findable.index(kind), uri, symbols


def _of_file(
    language: Language, uri: str, names: FileNames, encoding: Encoding
) -> Iterator[tuple[str, int, str, Callable[[], Iterator[Json]]]]:
    for number, kind in enumerate(language.findable):
        for name in names.names("definition", kind):

            def symbols(kind: str = kind, name: str = name) -> Iterator[Json]:
                for place in names.places("definition", kind, name)[:MAX_PLACES_OF_SYMBOL]:
                    yield _symbol(language, kind, name, located(place, encoding))

            if name:
                yield name, number, uri, symbols


def _symbol(language: Language, kind: str, name: str, location: Json) -> Json:
    known = language.findable[kind]
    assert known.entry is not None, "what has no entry is not found"
    return {
        "name": name,
        "kind": SYMBOL_KINDS[known.entry],
        "containerName": known.title,
        "location": location,
    }
