"""The `initialize` parameters, read leniently: malformed counts as absent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from llmblocks.languages.registry import LANGUAGES
from llmblocks.lsp.documents.places import ENCODINGS, Encoding
from llmblocks.lsp.wire.params import at
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import absolute, path_of
from llmblocks.settings.files import NAMES
from llmblocks.settings.given import as_given, own_settings
from llmblocks.workspace.listing import log_globs

_MARKUP = {
    "textDocument/hover": ("textDocument", "hover", "contentFormat"),
    "textDocument/completion": ("textDocument", "completion", "completionItem", "documentationFormat"),
    "textDocument/signatureHelp": ("textDocument", "signatureHelp", "signatureInformation", "documentationFormat"),
}
_EMBEDDED = "**/*.{gif,jpeg,jpg,mp3,pdf,png,txt,wav,webp}"
"""Files that documents are likely to embed; watching every file of a workspace would be too much."""
_COMES_OR_GOES = 1 | 4


def _told(*path: str, names: tuple[str, ...] = (), lists: str = "", is_object: bool = False) -> Any:
    """Return a field that is true for clients with `true` at a path of the parameters, or with one of some names.

    With `lists`, they have a list with this text there; with `is_object`, an object.
    """

    def reads(params: Json, name: Json) -> bool:
        given = at(params, *path)
        if lists:
            return isinstance(given, list) and lists in given
        return name in names or (isinstance(given, dict) if is_object else given is True)

    return field(default=False, metadata={"reads": reads})


_ACTION = ("capabilities", "textDocument", "codeAction")
_COMPLETION = ("capabilities", "textDocument", "completion", "completionItem")
_WORKSPACE = ("capabilities", "workspace")
_OPTIONS = "initializationOptions"


@dataclass(frozen=True, slots=True)
class Client:
    """The `initialize` parameters that the server uses."""

    name: str = ""
    encoding: Encoding = "utf-16"
    process_id: int | None = None
    folders: tuple[str, ...] = ()
    """File system paths."""
    options: Json = None
    retries: frozenset[str] = frozenset()
    """The methods that the client repeats after ContentModified."""
    plain: frozenset[str] = frozenset()
    """The requests for whose answers the client wants no Markdown."""
    refreshes: tuple[str, ...] = ()
    """The requests that make it fetch again what depends on settings or other files."""
    commands: frozenset[str] = frozenset()
    """The editor's commands for completions and code actions."""
    trusted: bool = _told(_OPTIONS, "trusted")

    takes_answers: bool = _told("capabilities", "window", "showMessage", is_object=True)
    """It shows questions with answers to choose from."""
    pulls: bool = _told("capabilities", "textDocument", "diagnostic", is_object=True)
    """It fetches diagnostics, instead of receiving them."""
    marks_diagnostics: bool = _told("capabilities", "textDocument", "diagnostic", "markupMessageSupport")
    """It renders Markdown in the messages of diagnostics."""
    refreshes_pulled: bool = _told(*_WORKSPACE, "diagnostics", "refreshSupport")
    calm: bool = _told(_OPTIONS, "calmTyping")
    """The line at the caret shows no findings while the user types."""

    has_configuration: bool = _told(*_WORKSPACE, "configuration")
    registers_configuration: bool = _told(*_WORKSPACE, "didChangeConfiguration", "dynamicRegistration")
    registers_watched_files: bool = _told(*_WORKSPACE, "didChangeWatchedFiles", "dynamicRegistration")
    watches_anywhere: bool = _told(*_WORKSPACE, "didChangeWatchedFiles", "relativePatternSupport")
    """It can watch a file by its folder, even outside of the workspace."""

    shows_progress: bool = _told("capabilities", "window", "workDoneProgress")
    shows_documents: bool = _told("capabilities", "window", "showDocument", "support")
    """It moves to a place on request."""
    shows_contents: bool = _told(*_WORKSPACE, "textDocumentContent", is_object=True)
    """It shows read-only documents with the server's text."""
    shows_lenses: bool = _told("capabilities", "textDocument", "codeLens", is_object=True)

    knows_disabled: bool = _told(*_ACTION, "disabledSupport")
    """It shows why a code action is impossible."""
    takes_versions: bool = _told(*_WORKSPACE, "workspaceEdit", "documentChanges")
    """It applies edits to one version of a document only."""
    takes_snippet_edits: bool = _told(*_WORKSPACE, "workspaceEdit", "snippetEditSupport")
    creates_files: bool = _told(*_WORKSPACE, "workspaceEdit", "resourceOperations", lists="create")

    formats_ranges: bool = _told("capabilities", "textDocument", "rangeFormatting", "rangesSupport")
    takes_snippets: bool = _told(*_COMPLETION, "snippetSupport")
    inserts_or_replaces: bool = _told(*_COMPLETION, "insertReplaceSupport")
    """People choose whether a completion replaces the text after the caret."""
    resolves_documentation: bool = _told(*_COMPLETION, "resolveSupport", "properties", lists="documentation")
    has_label_details: bool = _told(*_COMPLETION, "labelDetailsSupport")

    keeps_caret: bool = _told(_OPTIONS, "keepsCaret", names=("Eglot", "emacs"))
    """The caret stays before text inserted at it after a typed character, like Emacs' point."""
    edits_late: bool = _told(names=("Neovim", "Eglot", "helix"))
    """It applies the other edits of a completion last, at places from before."""
    drops_resolved: bool = _told(names=("Neovim",))
    """It resolves the accepted completion, and drops its snippet if the text changes before the answer."""
    mixes_ranges: bool = _told(names=("Neovim",))
    """It applies the changes of all colours to those of a range requested in between."""
    lists_once: bool = _told(names=("helix",))
    """It lists the choices of a snippet's first placeholder, and leaves the others empty."""

    def registrations(self) -> list[Json]:
        """Return the methods for which the client supports dynamic registration."""
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
        """Return the watchers for some files, given by paths or patterns."""
        if not self.watches_anywhere:
            return [{"globPattern": Path(path).as_posix()} for path in paths]
        return [{"globPattern": _relative_pattern(Path(path))} for path in paths]

    def with_folders(self, event: Json) -> Client:
        """Return the same client after folders were added and removed."""
        gone, come = (
            {path for uri in _uris(event.get(name)) if (path := path_of(uri))} for name in ("removed", "added")
        )
        return replace(
            self, folders=tuple(path for path in self.folders if path not in gone | come) + tuple(sorted(come))
        )


def read_client(params: Json) -> Client:
    """Read the parameters of `initialize`. Never raises: malformed counts as absent."""
    capabilities = at(params, "capabilities")
    process = at(params, "processId")
    name = at(params, "clientInfo", "name")
    offered = _texts(at(capabilities, "general", "positionEncodings"))
    read = Client(
        name=name if isinstance(name, str) else "",
        encoding=next((each for each in ENCODINGS if each in offered), "utf-16"),
        process_id=process if type(process) is int and process > 0 else None,
        folders=_folders(params),
        options=at(params, _OPTIONS),
        retries=_texts(at(capabilities, "general", "staleRequestSupport", "retryOnContentModified")),
        plain=frozenset(method for method, path in _MARKUP.items() if _is_plain(at(capabilities, *path))),
        refreshes=tuple(
            f"workspace/{name}/refresh"
            for name in ("semanticTokens", "inlayHint", "codeLens", "foldingRange")
            if at(capabilities, "workspace", name, "refreshSupport") is True
        ),
        commands=_texts(at(params, _OPTIONS, "commands")),
        **{each.name: reads(params, name) for each in fields(Client) if (reads := each.metadata.get("reads"))},
    )
    delivery = at(as_given(own_settings(read.options)), "diagnostics", "delivery")
    return replace(
        read,
        pulls=read.pulls and delivery != "push",
        resolves_documentation=read.resolves_documentation and not read.drops_resolved,
    )


def _texts(value: Json) -> frozenset[str]:
    return frozenset([each for each in value if isinstance(each, str)] if isinstance(value, list) else ())


def _relative_pattern(path: Path) -> Json:
    """Return a pattern from the innermost folder whose name is not a pattern."""
    base = path.parent
    while any(sign in base.as_posix() for sign in "*?["):
        base = base.parent
    return {"baseUri": base.as_uri(), "pattern": path.relative_to(base).as_posix()}


def _is_plain(formats: Json) -> bool:
    """Return whether plain text comes first in a client's order of preference."""
    known = [each for each in formats if each in ("plaintext", "markdown")] if isinstance(formats, list) else []
    return known[:1] == ["plaintext"]


def _folders(params: Json) -> tuple[str, ...]:
    uris = _uris(at(params, "workspaceFolders")) or [at(params, "rootUri")]
    paths = [path for uri in uris if isinstance(uri, str) and (path := path_of(uri))]
    # Helix sends nothing else for a folder without a repository
    root = at(params, "rootPath")
    if not paths and isinstance(root, str) and (path := absolute(root)):
        paths = [path]
    return tuple(dict.fromkeys(paths))


def _uris(folders: Json) -> list[str]:
    found = [at(folder, "uri") for folder in folders] if isinstance(folders, list) else []
    return [uri for uri in found if isinstance(uri, str)]
