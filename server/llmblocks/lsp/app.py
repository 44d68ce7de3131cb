"""What the server can do, as one table: method, how its parameters are read, what computes it, how that is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from llmblocks.features.folding import folding
from llmblocks.features.hover import hover
from llmblocks.lsp import convert
from llmblocks.lsp.client import Client
from llmblocks.lsp.rpc import Json
from llmblocks.lsp.texts import Text

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


TABLE = (
    Feature("textDocument/hover", ("hoverProvider", True), convert.at_position, hover, convert.hover),
    Feature("textDocument/foldingRange", ("foldingRangeProvider", True), convert.nesting, folding, convert.folds, []),
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
