"""The `initialize` parameters, read leniently: malformed counts as absent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from llmblocks.languages.registry import LANGUAGES
from llmblocks.lsp.documents.columns import Encoding, choose_encoding
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import absolute, path_of
from llmblocks.settings.given import as_given, own_settings
from llmblocks.settings.nearest import NAMES
from llmblocks.workspace.log_place import log_globs

_MARKUP = {
    "textDocument/hover": ("textDocument", "hover", "contentFormat"),
    "textDocument/completion": ("textDocument", "completion", "completionItem", "documentationFormat"),
    "textDocument/signatureHelp": ("textDocument", "signatureHelp", "signatureInformation", "documentationFormat"),
}
_EMBEDDED = "**/*.{gif,jpeg,jpg,mp3,pdf,png,txt,wav,webp}"
"""Files that documents are likely to embed: it would be too much to be told of every file of a workspace."""
_COMES_OR_GOES = 1 | 4
_KEEPING_CARET = ("Eglot", "emacs")
"""The names of Eglot and lsp-mode: a change at Emacs' point leaves it in front of what is inserted."""
_EDITING_LATE = ("Neovim", "Eglot", "helix")
"""The names of clients that make the other edits of a completion behind it, at places from before it."""
_DROPPING_RESOLVED = ("Neovim",)
"""The names of clients that resolve what was accepted, and drop its snippet if the text changes before the answer."""
_MIXING_RANGES = ("Neovim",)
"""The names of clients that apply the changes of all colours to those of a range, asked for in between."""
_LISTING_ONCE = ("helix",)
"""The names of clients that list the choices of the first place of a snippet, and leave the others empty."""


@dataclass(frozen=True, slots=True)
class Client:
    """The `initialize` parameters that the server uses.

    Shape: `retries` are the methods that the client repeats after ContentModified;
           `folders` are file system paths; `options` are the initialization options as they came.
           `refreshes` are the requests that have it ask again for what depends on settings or other files.
           `plain` are the requests in whose answers the client wants no Markdown. `takes_actions` says that code
           actions can hold edits, `resolves_edits` that it asks for those that were left out, and `takes_versions` that
           it makes edits of one version of a document only. `knows_disabled` says that it shows why a code action
           cannot be made. `nests_symbols` says that it shows symbols as a tree,
           `watches_anywhere` that it can watch a file by its folder, also outside of the workspace, and
           `prepares_renames` that it asks whether a name can be renamed. `takes_snippets` says that completions can
           have places to fill in, `inserts_or_replaces` that people choose whether one replaces what is after the
           caret, `resolves_documentation` that it asks for their documentation, and `has_label_details` that it shows a
           few words beside their labels. `shows_progress` is about work that nobody asked for. `tags` are those of
           diagnostics that it knows.
           `creates_files` says that its edits can. `keeps_caret` says that the caret stays in front of what is inserted
           at it after a character that was typed, and `edits_late` that another edit of a completion, behind it, would
           be made at a wrong place. `drops_resolved` says that a completion becomes plain text if a key comes before
           the answer to a request to resolve it, and `lists_once` that it lists the choices of its first place only.
           `mixes_ranges` says that it must not ask for the colours of ranges.
           `commands` are those of the editor that completions and code actions may run.
           `calm` says that the line that is being typed shows no findings.
           `shows_documents` says that it goes to a place on request, and `shows_lenses` that it has code lenses.
    """

    name: str = ""
    encoding: Encoding = "utf-16"
    process_id: int | None = None
    folders: tuple[str, ...] = ()
    options: Json = None
    retries: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    can_pull: bool = False
    refreshes_pulled: bool = False
    refreshes: tuple[str, ...] = ()
    has_configuration: bool = False
    registers_configuration: bool = False
    registers_watched_files: bool = False
    watches_anywhere: bool = False
    shows_progress: bool = False
    takes_actions: bool = False
    knows_preferred: bool = False
    knows_disabled: bool = False
    resolves_edits: bool = False
    takes_versions: bool = False
    trusted: bool = False
    nests_symbols: bool = False
    prepares_renames: bool = False
    takes_snippets: bool = False
    tags: frozenset[int] = frozenset()
    creates_files: bool = False
    inserts_or_replaces: bool = False
    resolves_documentation: bool = False
    has_label_details: bool = False
    keeps_caret: bool = False
    edits_late: bool = False
    drops_resolved: bool = False
    lists_once: bool = False
    mixes_ranges: bool = False
    commands: frozenset[str] = frozenset()
    calm: bool = False
    shows_documents: bool = False
    shows_lenses: bool = False

    @property
    def wants_pull(self) -> bool:
        """Whether this client fetches diagnostics, instead of receiving them."""
        given = as_given(own_settings(self.options))
        return self.can_pull and _at(given, "diagnostics", "delivery") != "push"

    def registrations(self) -> list[Json]:
        """The methods for which the client supports dynamic registration."""
        wanted = []
        if self.registers_configuration:
            method = "workspace/didChangeConfiguration"
            wanted.append({"id": "settings", "method": method, "registerOptions": {"section": "llmblocks"}})
        if self.registers_watched_files:
            files = [f"**/*{suffix}" for language in LANGUAGES for suffix in language.suffixes]
            logs = [glob for language in LANGUAGES for glob in log_globs(language)]
            watchers: Json = [{"globPattern": glob} for glob in (*[f"**/{name}" for name in NAMES], *files, *logs)]
            watchers.append({"globPattern": _EMBEDDED, "kind": _COMES_OR_GOES})
            method = "workspace/didChangeWatchedFiles"
            wanted.append({"id": "files", "method": method, "registerOptions": {"watchers": watchers}})
        return wanted

    def watchers(self, paths: Iterable[str]) -> list[Json]:
        """The watchers for some files, given by paths or patterns."""
        if not self.watches_anywhere:
            return [{"globPattern": Path(path).as_posix()} for path in paths]
        return [{"globPattern": _relative_pattern(Path(path))} for path in paths]

    def with_folders(self, event: Json) -> Client:
        """The same client after folders came and went."""
        gone, come = (
            {path for uri in _uris(event.get(name)) if (path := path_of(uri))} for name in ("removed", "added")
        )
        return replace(
            self, folders=tuple(path for path in self.folders if path not in gone | come) + tuple(sorted(come))
        )


def read_client(params: Json) -> Client:
    """Read the parameters of `initialize`. Errors: none; malformed counts as absent."""
    capabilities = _at(params, "capabilities")
    retries = _at(capabilities, "general", "staleRequestSupport", "retryOnContentModified")
    actions = _at(capabilities, "textDocument", "codeAction")
    completion = _at(capabilities, "textDocument", "completion", "completionItem")
    process = _at(params, "processId")
    name = _at(params, "clientInfo", "name")
    return Client(
        name=name if isinstance(name, str) else "",
        encoding=choose_encoding(_at(capabilities, "general", "positionEncodings")),
        process_id=process if type(process) is int and process > 0 else None,
        folders=_folders(params),
        options=_at(params, "initializationOptions"),
        retries=frozenset(method for method in retries if isinstance(method, str))
        if isinstance(retries, list)
        else frozenset(),
        plain=frozenset(method for method, path in _MARKUP.items() if _is_plain(_at(capabilities, *path))),
        can_pull=isinstance(_at(capabilities, "textDocument", "diagnostic"), dict),
        refreshes_pulled=_at(capabilities, "workspace", "diagnostics", "refreshSupport") is True,
        refreshes=tuple(
            f"workspace/{name}/refresh"
            for name in ("semanticTokens", "inlayHint", "codeLens", "foldingRange")
            if _at(capabilities, "workspace", name, "refreshSupport") is True
        ),
        has_configuration=_at(capabilities, "workspace", "configuration") is True,
        registers_configuration=_at(capabilities, "workspace", "didChangeConfiguration", "dynamicRegistration") is True,
        registers_watched_files=_at(capabilities, "workspace", "didChangeWatchedFiles", "dynamicRegistration") is True,
        watches_anywhere=_at(capabilities, "workspace", "didChangeWatchedFiles", "relativePatternSupport") is True,
        shows_progress=_at(capabilities, "window", "workDoneProgress") is True,
        takes_actions=isinstance(_at(actions, "codeActionLiteralSupport"), dict),
        knows_preferred=_at(actions, "isPreferredSupport") is True,
        knows_disabled=_at(actions, "disabledSupport") is True,
        resolves_edits=_at(actions, "dataSupport") is True
        and isinstance(lazy := _at(actions, "resolveSupport", "properties"), list)
        and "edit" in lazy,
        takes_snippets=_at(completion, "snippetSupport") is True,
        inserts_or_replaces=_at(completion, "insertReplaceSupport") is True,
        resolves_documentation=isinstance(later := _at(completion, "resolveSupport", "properties"), list)
        and "documentation" in later
        and name not in _DROPPING_RESOLVED,
        has_label_details=_at(completion, "labelDetailsSupport") is True,
        tags=_tags(capabilities),
        creates_files=isinstance(made := _at(capabilities, "workspace", "workspaceEdit", "resourceOperations"), list)
        and "create" in made,
        shows_documents=_at(capabilities, "window", "showDocument", "support") is True,
        shows_lenses=isinstance(_at(capabilities, "textDocument", "codeLens"), dict),
        trusted=_at(params, "initializationOptions", "trusted") is True,
        commands=frozenset(each for each in commands if isinstance(each, str))
        if isinstance(commands := _at(params, "initializationOptions", "commands"), list)
        else frozenset(),
        calm=_at(params, "initializationOptions", "calmTyping") is True,
        keeps_caret=name in _KEEPING_CARET or _at(params, "initializationOptions", "keepsCaret") is True,
        edits_late=name in _EDITING_LATE,
        drops_resolved=name in _DROPPING_RESOLVED,
        lists_once=name in _LISTING_ONCE,
        mixes_ranges=name in _MIXING_RANGES,
        takes_versions=_at(capabilities, "workspace", "workspaceEdit", "documentChanges") is True,
        prepares_renames=_at(capabilities, "textDocument", "rename", "prepareSupport") is True,
        nests_symbols=_at(capabilities, "textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport") is True,
    )


def _tags(capabilities: Json) -> frozenset[int]:
    """The tags that a client knows in diagnostics that it is sent, or in those that it fetches."""
    known = [
        _at(capabilities, "textDocument", feature, "tagSupport", "valueSet")
        for feature in ("publishDiagnostics", "diagnostic")
    ]
    return frozenset([tag for tags in known if isinstance(tags, list) for tag in tags if type(tag) is int])


def _relative_pattern(path: Path) -> Json:
    """A pattern from the innermost folder whose name is no pattern."""
    base = path.parent
    while any(sign in base.as_posix() for sign in "*?["):
        base = base.parent
    return {"baseUri": base.as_uri(), "pattern": path.relative_to(base).as_posix()}


def _is_plain(formats: Json) -> bool:
    """Whether plain text comes first in a client's order of preference."""
    known = [each for each in formats if each in ("plaintext", "markdown")] if isinstance(formats, list) else []
    return known[:1] == ["plaintext"]


def _folders(params: Json) -> tuple[str, ...]:
    uris = _uris(_at(params, "workspaceFolders")) or [_at(params, "rootUri")]
    paths = [path for uri in uris if isinstance(uri, str) and (path := path_of(uri))]
    root = _at(params, "rootPath")
    if not paths and isinstance(root, str) and (path := absolute(root)):
        paths = [path]
    return tuple(dict.fromkeys(paths))


def _uris(folders: Json) -> list[str]:
    found = [_at(folder, "uri") for folder in folders] if isinstance(folders, list) else []
    return [uri for uri in found if isinstance(uri, str)]


def _at(value: Json, *names: str) -> Json:
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value
