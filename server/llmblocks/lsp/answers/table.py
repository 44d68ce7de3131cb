"""The requests that the server answers, as two tables: those about one document, and those about the workspace.

The engine is loaded with the first document, or after the answer to `initialize`: features are imported on first use.
"""

from __future__ import annotations

from llmblocks.languages import registry
from llmblocks.lsp.answers import actions, commands, completions, convert, outline, workspace
from llmblocks.lsp.answers.ask import Feature, WorkspaceFeature
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.documents.tokens import PROVIDER, joined
from llmblocks.lsp.wire.rpc import Json

_INCREMENTAL = 2
_NO_COMPLETIONS: Json = {"isIncomplete": False, "items": []}
_NO_TOKENS: Json = {"data": []}
_COMPLETION = Feature("completionItem/resolve", "document", completions.resolved)
_LENS = Feature("codeLens/resolve", "document", convert.resolved_lens)
_DOC = "textDocument"
_TOKENS = f"{_DOC}/semanticTokens"
TABLE = (
    Feature(f"{_DOC}/hover", "position", convert.explained, of_settings=convert.explained_setting),
    Feature(f"{_DOC}/completion", "position", completions.completions, _NO_COMPLETIONS, _COMPLETION)._replace(
        of_settings=completions.of_settings
    ),
    Feature(f"{_DOC}/signatureHelp", "position", completions.shown_signature),
    Feature(f"{_DOC}/foldingRange", "document", convert.folds, []),
    Feature(f"{_DOC}/documentSymbol", "document", outline.symbols, []),
    Feature(f"{_DOC}/selectionRange", "positions", convert.selections, []),
    Feature(f"{_DOC}/linkedEditingRange", "position", convert.linked),
    Feature(f"{_DOC}/definition", "position", convert.definitions, [], across_files=True),
    Feature(f"{_DOC}/references", "position", convert.references, [], across_files=True),
    Feature(f"{_DOC}/documentHighlight", "position", convert.highlights, []),
    Feature(f"{_DOC}/prepareCallHierarchy", "position", workspace.prepared),
    Feature(f"{_DOC}/prepareRename", "position", convert.prepared_rename),
    Feature(f"{_DOC}/rename", "position", convert.renamed, across_files=True),
    Feature(f"{_TOKENS}/full", "document", convert.tokens, _NO_TOKENS, joins=joined),
    Feature(f"{_TOKENS}/full/delta", "document", convert.changed_tokens, _NO_TOKENS, joins=joined),
    Feature(f"{_TOKENS}/range", "range", convert.tokens_between, _NO_TOKENS, joins=joined),
    Feature(f"{_DOC}/codeAction", "range", actions.actions, []),
    Feature(f"{_DOC}/formatting", "document", convert.formatted, []),
    Feature(f"{_DOC}/rangeFormatting", "range", convert.formatted, []),
    Feature(f"{_DOC}/rangesFormatting", "document", convert.formatted_ranges, []),
    Feature(f"{_DOC}/onTypeFormatting", "position", convert.typed, []),
    Feature(f"{_DOC}/inlayHint", "range", convert.inlay_hints, []),
    Feature(f"{_DOC}/codeLens", "document", convert.lenses, [], _LENS),
    Feature(f"{_DOC}/documentLink", "document", convert.document_links, []),
)


WORKSPACE_TABLE = (
    WorkspaceFeature("workspace/symbol", workspace.symbols),
    WorkspaceFeature("callHierarchy/incomingCalls", workspace.incoming),
    WorkspaceFeature("callHierarchy/outgoingCalls", workspace.outgoing),
    WorkspaceFeature(commands.METHOD, commands.execute),
    WorkspaceFeature("workspace/textDocumentContent", commands.content),
)
"""The requests without a document."""


def capabilities(client: Client, *, checks_workspace: bool = False) -> Json:
    """Return the server's capabilities for a client. `checks_workspace` if settings request checks of all files."""
    triggers = [character for language in registry.LANGUAGES for character in language.triggers]
    found: dict[str, Json] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": True},
        "hoverProvider": True,
        "completionProvider": {
            "triggerCharacters": [*dict.fromkeys(triggers)],
            "resolveProvider": not client.drops_resolved,
        },
        "signatureHelpProvider": {"triggerCharacters": [":"], "retriggerCharacters": ["\n", "/"]},
        "foldingRangeProvider": True,
        "documentSymbolProvider": True,
        "selectionRangeProvider": True,
        "linkedEditingRangeProvider": True,
        "definitionProvider": True,
        "referencesProvider": True,
        "documentHighlightProvider": True,
        "callHierarchyProvider": True,
        "renameProvider": {"prepareProvider": True},
        "semanticTokensProvider": {**PROVIDER, "range": not client.mixes_ranges},
        "codeActionProvider": {"codeActionKinds": [*actions.KINDS]},
        "documentFormattingProvider": True,
        "documentRangeFormattingProvider": {"rangesSupport": True} if client.formats_ranges else True,
        "documentOnTypeFormattingProvider": {
            "firstTriggerCharacter": ">",
            "moreTriggerCharacter": ["\n", "D", "d", "/"],
        },
        "inlayHintProvider": True,
        "codeLensProvider": {"resolveProvider": True},
        "documentLinkProvider": {"resolveProvider": False},
        "workspaceSymbolProvider": True,
        "executeCommandProvider": {"commands": [*commands.NAMES]},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    if client.shows_contents:
        found["workspace"]["textDocumentContent"] = {"schemes": [commands.SCHEME]}
    if client.pulls:
        found["diagnosticProvider"] = {
            "identifier": "llmblocks",
            "interFileDependencies": True,
            "workspaceDiagnostics": checks_workspace,
        }
    return found
