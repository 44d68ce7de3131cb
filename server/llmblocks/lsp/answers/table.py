"""The requests about one document that the server answers, as one table.

The engine is loaded when the first document is opened, or once the client has its answer to `initialize`: features are
imported where they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from llmblocks.languages import registry
from llmblocks.lsp.answers import convert
from llmblocks.lsp.answers import tokens as painting
from llmblocks.lsp.answers.ask import About, read_ask
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.core.sequence import Placed
    from llmblocks.features.ask import Ask
    from llmblocks.features.completion import Completion
    from llmblocks.features.folding import Fold
    from llmblocks.features.hover import Hover
    from llmblocks.lsp.documents.text import Text

_INCREMENTAL = 2


class Feature(NamedTuple):
    """One request about one document.

    Shape: `about` is the part of the document that the parameters name; `capability` gives the entries of the server's
           capabilities; `convert` makes JSON of the value of `answer`; `nothing` is the reply where there is no value,
           or no document.
    """

    method: str
    about: About
    capability: Callable[[Client], dict[str, Json]]
    answer: Callable[[Ask], Any]
    convert: Callable[[Any, Text], Json]
    nothing: Json = None

    def reply(self, params: Json, text: Text) -> Json:
        """The result of a request. Errors: `RequestError` for parameters that are wrong."""
        value = self.answer(read_ask(params, self.about, text))
        return self.nothing if value is None else self.convert(value, text)


def _hover(ask: Ask) -> Hover | None:
    from llmblocks.features.hover import hover

    return hover(ask)


def _complete(ask: Ask) -> list[Completion]:
    from llmblocks.features.completion import complete

    return complete(ask)


def _fold(ask: Ask) -> list[Fold]:
    from llmblocks.features.folding import folding

    return folding(ask)


def _paint(ask: Ask) -> Iterator[Placed]:
    from llmblocks.features.paint import painted

    return painted(ask)


def _paint_all(ask: Ask) -> Iterator[Placed] | None:
    return _paint(ask) if ask.end <= painting.LARGEST else None


def _completion(_: Client) -> dict[str, Json]:
    triggers = [character for language in registry.LANGUAGES for character in language.triggers]
    return {"completionProvider": {"triggerCharacters": triggers}}


def _always(name: str, value: Json = True) -> Callable[[Client], dict[str, Json]]:
    """A capability that every client is told of."""
    return lambda _: {name: value}


_NO_TOKENS: Json = {"data": []}
_TOKENS = _always("semanticTokensProvider", painting.PROVIDER)
TABLE = (
    Feature("textDocument/hover", "position", _always("hoverProvider"), _hover, convert.hover),
    Feature("textDocument/completion", "position", _completion, _complete, convert.completions, []),
    Feature("textDocument/foldingRange", "document", _always("foldingRangeProvider"), _fold, convert.folds, []),
    Feature("textDocument/semanticTokens/full", "document", _TOKENS, _paint_all, painting.encode, _NO_TOKENS),
    Feature("textDocument/semanticTokens/range", "range", _TOKENS, _paint, painting.encode, _NO_TOKENS),
)


def capabilities(client: Client) -> Json:
    """What is told to the client of what the server can do."""
    found: dict[str, Json] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": False},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    for feature in TABLE:
        found |= feature.capability(client)
    if client.wants_pull:
        found["diagnosticProvider"] = {
            "identifier": "llmblocks",
            "interFileDependencies": False,
            "workspaceDiagnostics": True,
        }
    return found
