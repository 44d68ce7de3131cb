"""The requests that the server answers, as two tables: those about one document, and those about the workspace.

The engine is loaded when the first document is opened, or once the client has its answer to `initialize`: features are
imported where they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from llmblocks.languages import registry
from llmblocks.lsp.answers import (
    actions,
    commands,
    completions,
    convert,
    hierarchy,
    lenses,
    outline,
    renaming,
    workspace_symbols,
)
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.feature import Feature, OfSettings, Resolves
from llmblocks.lsp.answers.workspace import WorkspaceFeature
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.documents.tokens import PROVIDER
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.contract.caret import Signature
    from llmblocks.contract.link import Link
    from llmblocks.core.edits import Edit
    from llmblocks.features.completion import Completion
    from llmblocks.features.folding import FoldRun
    from llmblocks.features.hover import Hover
    from llmblocks.features.navigation import Use
    from llmblocks.features.selection import DocumentRange
    from llmblocks.languages.ask import Ask

_INCREMENTAL = 2


def _hover(ask: Ask) -> Hover | None:
    from llmblocks.features.hover import hover

    return hover(ask)


def _complete(ask: Ask) -> list[Completion]:
    from llmblocks.features.completion import complete

    return complete(ask)


def _explain_setting(text: str, offset: int, table: tuple[str, ...]) -> Hover | None:
    from llmblocks.features.settings_file import hover

    return hover(text, offset, table)


def _complete_setting(text: str, offset: int, table: tuple[str, ...]) -> list[Completion]:
    from llmblocks.features.settings_file import complete

    return complete(text, offset, table)


def _signature(ask: Ask) -> Signature | None:
    from llmblocks.features.signature import signature

    return signature(ask)


def _fold(ask: Ask) -> Iterable[FoldRun]:
    from llmblocks.features.folding import folding_runs

    return folding_runs(ask)


def _highlight(ask: Ask) -> list[Use]:
    from llmblocks.features.navigation import highlights

    return highlights(ask)


def _linked(ask: Ask) -> list[DocumentRange] | None:
    from llmblocks.features.linked_editing import linked

    return linked(ask) or None


def _format(ask: Ask) -> tuple[Edit, ...]:
    from llmblocks.features.formatting import format_edits

    return format_edits(ask)


def _hints(ask: Ask, asker: Asker) -> Json:
    from llmblocks.features.hints import hints

    return convert.hints(hints(ask, shows_lenses=asker.client.shows_lenses), asker)


def _link(ask: Ask) -> list[Link]:
    from llmblocks.features.links import links

    return links(ask)


def _ask_itself(ask: Ask) -> Ask:
    return ask


def _completion(client: Client) -> dict[str, Json]:
    triggers = [character for language in registry.LANGUAGES for character in language.triggers]
    triggers = [*dict.fromkeys(triggers)]
    return {"completionProvider": {"triggerCharacters": triggers, "resolveProvider": not client.drops_resolved}}


def _tokens(client: Client) -> dict[str, Json]:
    return {"semanticTokensProvider": {**PROVIDER, "range": not client.mixes_ranges, "workDoneProgress": True}}


def _always(name: str, value: Json = True) -> Callable[[Client], dict[str, Json]]:
    """A capability for every client."""
    return lambda _: {name: value}


_NO_TOKENS: Json = {"data": []}
_WORKS: Json = {"workDoneProgress": True}
_FORMATTING = _always("documentFormattingProvider", _WORKS)
_RANGES = _always("documentRangeFormattingProvider", _WORKS)
_TYPED: Json = {"firstTriggerCharacter": ">", "moreTriggerCharacter": ["\n", "D", "d", "/"]}
_ON_TYPE = _always("documentOnTypeFormattingProvider", _TYPED)
_LINKS = _always("documentLinkProvider", {"resolveProvider": False})
_METHOD = "textDocument/semanticTokens"
TABLE = (
    Feature(
        "textDocument/hover",
        "position",
        _always("hoverProvider"),
        _hover,
        convert.hover,
        of_settings=OfSettings(_explain_setting, convert.hover),
    ),
    Feature(
        "textDocument/completion",
        "position",
        _completion,
        _complete,
        completions.completions,
        {"isIncomplete": False, "items": []},
        Resolves("completionItem/resolve", completions.resolved),
        of_settings=OfSettings(_complete_setting, completions.of_settings),
    ),
    Feature(
        "textDocument/signatureHelp",
        "position",
        _always("signatureHelpProvider", {"triggerCharacters": [":"], "retriggerCharacters": ["\n", "/"]}),
        _signature,
        completions.signature,
    ),
    Feature("textDocument/foldingRange", "document", _always("foldingRangeProvider", _WORKS), _fold, convert.folds, []),
    Feature(
        "textDocument/documentSymbol",
        "document",
        _always("documentSymbolProvider", _WORKS),
        _ask_itself,
        outline.symbols,
        [],
    ),
    Feature(
        "textDocument/selectionRange",
        "document",
        _always("selectionRangeProvider"),
        _ask_itself,
        convert.selections,
        [],
    ),
    Feature(
        "textDocument/linkedEditingRange",
        "position",
        _always("linkedEditingRangeProvider"),
        _linked,
        convert.linked,
    ),
    Feature(
        "textDocument/definition",
        "position",
        _always("definitionProvider"),
        _ask_itself,
        convert.definitions,
        [],
        across_files=True,
    ),
    Feature(
        "textDocument/references",
        "position",
        _always("referencesProvider"),
        _ask_itself,
        convert.references,
        [],
        across_files=True,
    ),
    Feature(
        "textDocument/documentHighlight",
        "position",
        _always("documentHighlightProvider"),
        _highlight,
        convert.highlights,
        [],
    ),
    Feature(
        "textDocument/prepareCallHierarchy",
        "position",
        _always("callHierarchyProvider"),
        _ask_itself,
        hierarchy.prepared,
    ),
    Feature("textDocument/prepareRename", "position", renaming.capability, _ask_itself, renaming.prepared),
    Feature("textDocument/rename", "position", renaming.capability, _ask_itself, renaming.renamed, across_files=True),
    Feature(f"{_METHOD}/full", "document", _tokens, _ask_itself, convert.tokens, _NO_TOKENS),
    Feature(f"{_METHOD}/full/delta", "document", _tokens, _ask_itself, convert.changed_tokens, _NO_TOKENS),
    Feature(f"{_METHOD}/range", "range", _tokens, _ask_itself, convert.tokens_between, _NO_TOKENS),
    Feature(
        "textDocument/codeAction",
        "range",
        actions.capability,
        _ask_itself,
        actions.actions,
        [],
        Resolves("codeAction/resolve", actions.resolved),
    ),
    Feature("textDocument/formatting", "document", _FORMATTING, _format, convert.text_edits, []),
    Feature("textDocument/rangeFormatting", "range", _RANGES, _format, convert.text_edits, []),
    Feature("textDocument/onTypeFormatting", "position", _ON_TYPE, _ask_itself, convert.typed, []),
    Feature("textDocument/inlayHint", "range", _always("inlayHintProvider", _WORKS), _ask_itself, _hints, []),
    Feature(
        "textDocument/codeLens",
        "document",
        _always("codeLensProvider", {"resolveProvider": True, "workDoneProgress": True}),
        _ask_itself,
        lenses.lenses,
        [],
        Resolves("codeLens/resolve", lenses.resolved),
    ),
    Feature("textDocument/documentLink", "document", _LINKS, _link, convert.links, []),
)


WORKSPACE_TABLE = (
    WorkspaceFeature(
        "workspace/symbol", _always("workspaceSymbolProvider", _WORKS), workspace_symbols.workspace_symbols
    ),
    WorkspaceFeature("callHierarchy/incomingCalls", _always("callHierarchyProvider"), hierarchy.incoming),
    WorkspaceFeature("callHierarchy/outgoingCalls", _always("callHierarchyProvider"), hierarchy.outgoing),
    WorkspaceFeature(commands.METHOD, commands.capability, commands.execute),
)
"""The requests that are about no document."""


def capabilities(client: Client) -> Json:
    """The server's capabilities for a client."""
    found: dict[str, Json] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": True},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    for feature in (*TABLE, *WORKSPACE_TABLE):
        found |= feature.capability(client)
    if client.wants_pull:
        found["diagnosticProvider"] = {
            "identifier": "llmblocks",
            "interFileDependencies": True,
            "workspaceDiagnostics": False,
        }
    return found
