"""What the server can do, as one table: method, how its parameters are read, what computes it, how that is told.

The engine is loaded when the first document is opened, or once the client has its answer to `initialize`: that is why
features are imported where they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from llmblocks.lsp.answers import convert
from llmblocks.lsp.answers import tokens as painting
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.nest import Nesting
    from llmblocks.core.sequence import Placed
    from llmblocks.features.completion import Completion
    from llmblocks.features.folding import Fold
    from llmblocks.features.hover import Hover
    from llmblocks.languages.registry import Format
    from llmblocks.lsp.documents.text import Text

_INCREMENTAL = 2


class Feature(NamedTuple):
    """One request about one document.

    Shape: `compute` takes the engine's document and what `read` makes of the parameters; `convert` makes JSON of its
           value; `nothing` is the answer where there is no value, or no document.
    """

    method: str
    capability: tuple[str, Json]
    read: Callable[[Json, Text], tuple[Any, ...]]
    compute: Callable[..., Any]
    convert: Callable[[Any, Text], Json]
    nothing: Json = None


def _hover(document: Document, offset: int) -> Hover | None:
    from llmblocks.features.hover import hover

    return hover(document, offset)


def _folding(document: Document, nesting: Nesting) -> list[Fold]:
    from llmblocks.features.folding import folding

    return folding(document, nesting)


def _complete(document: Document, offset: int, form: Format) -> list[Completion]:
    from llmblocks.features.completion import complete

    return complete(document, offset, form)


def _painted(document: Document, *between: int) -> Iterator[Placed]:
    from llmblocks.features.paint import painted

    return painted(document, *between)


_NO_TOKENS: Json = {"data": []}
TABLE = (
    Feature("textDocument/hover", ("hoverProvider", True), convert.at_position, _hover, convert.hover),
    Feature(
        "textDocument/completion",
        ("completionProvider", {"triggerCharacters": ["!", "@", ";", "<", "/"]}),
        convert.to_complete,
        _complete,
        convert.completions,
        [],
    ),
    Feature("textDocument/foldingRange", ("foldingRangeProvider", True), convert.nesting, _folding, convert.folds, []),
    Feature(
        "textDocument/semanticTokens/full",
        ("semanticTokensProvider", painting.PROVIDER),
        painting.whole,
        _painted,
        painting.encode,
        _NO_TOKENS,
    ),
    Feature(
        "textDocument/semanticTokens/range",
        ("semanticTokensProvider", painting.PROVIDER),
        painting.between,
        _painted,
        painting.encode,
        _NO_TOKENS,
    ),
)


def capabilities(client: Client) -> Json:
    """What is told to the client of what the server can do."""
    found: dict[str, Json] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": False},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    for feature in TABLE:
        key, value = feature.capability
        found[key] = value
    if client.wants_pull:
        found["diagnosticProvider"] = {
            "identifier": "llmblocks",
            "interFileDependencies": False,
            "workspaceDiagnostics": True,
        }
    return found
