"""The rule for what an extension and the session both serve: lists are joined, else the extension's answer counts."""

from __future__ import annotations

from llmblocks.lsp.wire.rpc import Json

JOINED = frozenset(
    {
        "callHierarchy/incomingCalls",
        "callHierarchy/outgoingCalls",
        "textDocument/codeAction",
        "textDocument/codeLens",
        "textDocument/completion",
        "textDocument/diagnostic",
        "textDocument/documentHighlight",
        "textDocument/documentLink",
        "textDocument/foldingRange",
        "textDocument/inlayHint",
        "textDocument/prepareCallHierarchy",
        "textDocument/references",
        "workspace/symbol",
    }
)
"""Requests whose results are lists of things that do not depend on each other: the client gets both lists."""

_ENCODING = "positionEncoding"
_REPLACED = "semanticTokensProvider"
"""Its legend says what the numbers in the results mean: two of them cannot be mixed."""


def is_replaced(method: str) -> bool:
    """Whether only the extension answers a request that both serve, even if it has no answer."""
    # the answer of the session to a search through the workspace comes later
    return method.startswith("textDocument/semanticTokens") or method == "workspace/diagnostic"


def merged_capabilities(ours: dict[str, Json], theirs: dict[str, Json]) -> dict[str, Json]:
    """The capabilities of the session with those of the extension alone, as pygls builds them."""
    known = {name: value for name, value in theirs.items() if name != _ENCODING}
    found: dict[str, Json] = _merged(ours, known)
    return found | {name: theirs[name] for name in (_REPLACED,) if name in theirs}


def _merged(ours: Json, theirs: Json) -> Json:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        # pygls also tells what an extension does not have
        told = {name: value for name, value in theirs.items() if value not in (None, False, {})}
        return ours | {name: _merged(ours.get(name), value) for name, value in told.items()}
    if isinstance(ours, list) and isinstance(theirs, list):
        return ours + [each for each in theirs if each not in ours]
    # `true` promises less than options do
    return ours if theirs is True and isinstance(ours, dict) else theirs


def merged_results(method: str, theirs: Json, ours: Json) -> Json:
    """The result of a request that both serve: of those in `JOINED` both, of others the extension's, if it has any."""
    if theirs is None:
        return ours
    if method not in JOINED or ours is None:
        return theirs
    if isinstance(theirs, list) and isinstance(ours, list):
        return theirs + ours
    if isinstance(theirs, list) and isinstance(ours, dict):
        # ours is a completion list
        return ours | {"items": theirs + ours.get("items", [])}
    if isinstance(theirs, dict):
        # a completion list, or a report of diagnostics: the id of a report stands for its own items alone
        more = ours.get("items", []) if isinstance(ours, dict) else ours
        kept = {name: value for name, value in theirs.items() if name != "resultId"}
        kind = {"kind": "full"} if "kind" in theirs else {}
        return kept | kind | {"items": theirs.get("items", []) + more}
    return theirs
