"""The requests that the server answers, as two tables: those about one document, and those about the workspace.

The engine is loaded with the first document, or after the answer to `initialize`: features are imported on first use.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from llmblocks.languages import registry
from llmblocks.lsp.answers import (
    actions,
    commands,
    completions,
    convert,
    hierarchy,
    lenses,
    outline,
    workspace_symbols,
)
from llmblocks.lsp.answers.ask import Feature, Resolves
from llmblocks.lsp.answers.views import SCHEME
from llmblocks.lsp.answers.workspace import WorkspaceFeature
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.documents.tokens import PROVIDER, joined
from llmblocks.lsp.wire.rpc import Json

_INCREMENTAL = 2


def _completion(client: Client) -> dict[str, Json]:
    triggers = [character for language in registry.LANGUAGES for character in language.triggers]
    triggers = [*dict.fromkeys(triggers)]
    return {"completionProvider": {"triggerCharacters": triggers, "resolveProvider": not client.drops_resolved}}


def _tokens(client: Client) -> dict[str, Json]:
    return {"semanticTokensProvider": {**PROVIDER, "range": not client.mixes_ranges, "workDoneProgress": True}}


def _ranges(client: Client) -> dict[str, Json]:
    return {"documentRangeFormattingProvider": {**_WORKS, **({"rangesSupport": True} if client.formats_ranges else {})}}


def _contents(client: Client) -> dict[str, Json]:
    return {"workspace": {"textDocumentContent": {"schemes": [SCHEME]}}} if client.shows_contents else {}


def _always(name: str, value: Json = True) -> Callable[[Client], dict[str, Json]]:
    """Return a capability for every client."""
    return lambda _: {name: value}


_NO_TOKENS: Json = {"data": []}
_WORKS: Json = {"workDoneProgress": True}
_FORMATTING = _always("documentFormattingProvider", _WORKS)
_TYPED: Json = {"firstTriggerCharacter": ">", "moreTriggerCharacter": ["\n", "D", "d", "/"]}
_ON_TYPE = _always("documentOnTypeFormattingProvider", _TYPED)
_CALLS = _always("callHierarchyProvider")
_LINKS = _always("documentLinkProvider", {"resolveProvider": False})
_METHOD = "textDocument/semanticTokens"
TABLE = (
    Feature(
        "textDocument/hover",
        "position",
        _always("hoverProvider"),
        convert.explained,
        of_settings=convert.explained_setting,
    ),
    Feature(
        "textDocument/completion",
        "position",
        _completion,
        completions.completions,
        {"isIncomplete": False, "items": []},
        Resolves("completionItem/resolve", completions.resolved),
        of_settings=completions.of_settings,
    ),
    Feature(
        "textDocument/signatureHelp",
        "position",
        _always("signatureHelpProvider", {"triggerCharacters": [":"], "retriggerCharacters": ["\n", "/"]}),
        completions.shown_signature,
    ),
    Feature("textDocument/foldingRange", "document", _always("foldingRangeProvider", _WORKS), convert.folds, []),
    Feature("textDocument/documentSymbol", "document", _always("documentSymbolProvider", _WORKS), outline.symbols, []),
    Feature("textDocument/selectionRange", "positions", _always("selectionRangeProvider"), convert.selections, []),
    Feature("textDocument/linkedEditingRange", "position", _always("linkedEditingRangeProvider"), convert.linked),
    Feature(
        "textDocument/definition", "position", _always("definitionProvider"), convert.definitions, [], across_files=True
    ),
    Feature(
        "textDocument/references", "position", _always("referencesProvider"), convert.references, [], across_files=True
    ),
    Feature("textDocument/documentHighlight", "position", _always("documentHighlightProvider"), convert.highlights, []),
    Feature("textDocument/prepareCallHierarchy", "position", _CALLS, hierarchy.prepared),
    Feature("textDocument/prepareRename", "position", convert.rename_capability, convert.prepared_rename),
    Feature("textDocument/rename", "position", convert.rename_capability, convert.renamed, across_files=True),
    Feature(f"{_METHOD}/full", "document", _tokens, convert.tokens, _NO_TOKENS, joins=joined),
    Feature(f"{_METHOD}/full/delta", "document", _tokens, convert.changed_tokens, _NO_TOKENS, joins=joined),
    Feature(f"{_METHOD}/range", "range", _tokens, convert.tokens_between, _NO_TOKENS, joins=joined),
    Feature(
        "textDocument/codeAction",
        "range",
        actions.capability,
        actions.actions,
        [],
        Resolves("codeAction/resolve", actions.resolved),
    ),
    Feature("textDocument/formatting", "document", _FORMATTING, convert.formatted, []),
    Feature("textDocument/rangeFormatting", "range", _ranges, convert.formatted, []),
    Feature("textDocument/rangesFormatting", "document", _ranges, convert.formatted_ranges, []),
    Feature("textDocument/onTypeFormatting", "position", _ON_TYPE, convert.typed, []),
    Feature("textDocument/inlayHint", "range", _always("inlayHintProvider", _WORKS), convert.inlay_hints, []),
    Feature(
        "textDocument/codeLens",
        "document",
        _always("codeLensProvider", {"resolveProvider": True, "workDoneProgress": True}),
        lenses.lenses,
        [],
        Resolves("codeLens/resolve", lenses.resolved),
    ),
    Feature("textDocument/documentLink", "document", _LINKS, convert.document_links, []),
)


WORKSPACE_TABLE = (
    WorkspaceFeature(
        "workspace/symbol", _always("workspaceSymbolProvider", _WORKS), workspace_symbols.workspace_symbols
    ),
    WorkspaceFeature("callHierarchy/incomingCalls", _CALLS, partial(hierarchy.answered, hierarchy.incoming)),
    WorkspaceFeature("callHierarchy/outgoingCalls", _CALLS, partial(hierarchy.answered, hierarchy.outgoing)),
    WorkspaceFeature(commands.METHOD, commands.capability, commands.execute),
    WorkspaceFeature("workspace/textDocumentContent", _contents, commands.content),
)
"""The requests without a document."""


def capabilities(client: Client, *, checks_workspace: bool = False) -> Json:
    """Return the server's capabilities for a client. `checks_workspace` if settings request checks of all files."""
    found: dict[str, Json] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": True},
    }
    for feature in (*TABLE, *WORKSPACE_TABLE):
        found |= feature.capability(client)
    folders = {"workspaceFolders": {"supported": True, "changeNotifications": True}}
    found["workspace"] = folders | found.get("workspace", {})
    if client.pulls:
        found["diagnosticProvider"] = {
            "identifier": "llmblocks",
            "interFileDependencies": True,
            "workspaceDiagnostics": checks_workspace,
        }
    return found
