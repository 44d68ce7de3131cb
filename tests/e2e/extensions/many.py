"""An extension with a handler of every kind, for test_extensions.py."""

from __future__ import annotations

import asyncio
import logging
import threading
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from llmblocks.lsp.server import Server


def register(server: Server) -> None:
    notes: list[str] = []

    def source(uri: str) -> str:
        return server.workspace.get_text_document(uri).source

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location:
        start = types.Position(0, 0)
        return types.Location(uri=params.text_document.uri, range=types.Range(start=start, end=params.position))

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        await asyncio.sleep(0)
        line = types.Range(start=types.Position(0, 0), end=types.Position(0, 1))
        name = source(params.text_document.uri).split("\n")[0]
        return [types.DocumentSymbol(name=name, kind=types.SymbolKind.File, range=line, selection_range=line)]

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    @server.thread()
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        line = types.Range(start=types.Position(0, 0), end=types.Position(0, 1))
        return [types.CodeLens(range=line, data=[threading.current_thread().name, source(params.text_document.uri)])]

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["?"]))
    def complete(params: types.CompletionParams) -> list[types.CompletionItem]:
        return [types.CompletionItem(label="of the house")]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def fold(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        return [types.FoldingRange(start_line=0, end_line=1)]

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        return types.Hover("of the house") if params.position.line == 1 else None

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return [types.CodeAction(title="of the house")]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def broken(params: types.DocumentFormattingParams) -> None:
        raise RuntimeError("a bug of the house")

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    def refusing(params: types.DocumentRangeFormattingParams) -> None:
        raise JsonRpcInvalidParams("not this range")

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def unsendable(params: types.ReferenceParams) -> Any:
        return [object.__new__(type("NoDict", (), {"__slots__": ()}))]

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        notes.append(f"saved {source(params.text_document.uri)!r}")

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        document = server.workspace.get_text_document(params.text_document.uri)
        notes.append(f"{document.version} {document.language_id} {document.source!r}")
        if "!broken!" in document.source:
            raise RuntimeError("a bug of the house")

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    @server.thread()
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.window_log_message(types.LogMessageParams(types.MessageType.Info, f"closed {params.text_document.uri}"))

    @server.feature("house/notes")
    def taken(params: Any) -> list[str]:
        return notes

    @server.feature("house/forever")
    async def forever(params: Any) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            notes.append("cancelled")
            raise

    @server.command("house.forever")
    async def forever_too() -> None:
        await forever(None)

    @server.command("house.sum")
    def total(first: int, second: int) -> int:
        return first + second

    @server.command("house.thread")
    @server.thread()
    def threaded(path: str) -> str:
        return f"{threading.current_thread().name} {Path(path).name}"

    @server.command("house.ask")
    async def ask(uri: str) -> Any:
        item = types.ConfigurationItem(scope_uri=uri, section="house")
        given = await server.workspace_configuration_async(types.ConfigurationParams([item]))
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"got {given}"))
        await server.work_done_progress.create_async("token")
        server.work_done_progress.begin("token", types.WorkDoneProgressBegin(title="working"))
        server.work_done_progress.end("token", types.WorkDoneProgressEnd())
        return given

    @server.command("house.publish")
    async def publish(uri: str, version: int, *names: str) -> None:
        line = types.Range(start=types.Position(0, 0), end=types.Position(0, 1))
        found = [types.Diagnostic(range=line, message=name, code=name) for name in names]
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    @server.command("house.broken")
    async def broken_too() -> None:
        raise RuntimeError("a bug of the house")

    @server.command("house.threads")
    def at_once(uri: str) -> int:
        """Return a function that waits for its threads, which read documents."""
        return sum(server.thread_pool.map(lambda _: len(source(uri)), range(4)))

    @server.command("house.documents")
    def documents() -> dict[str, Any]:
        return {
            document.uri: [document.version, document.language_id, document.lines]
            for document in server.workspace.text_documents.values()
        }

    @server.command("house.folders")
    def folders() -> list[str]:
        return list(server.workspace.folders)

    @server.command("house.held")
    def held(uri: str, text: str) -> bool:
        """Return whether a document is in its place, and stores no text."""
        document = server.workspace.get_text_document(uri)
        place = document.client_position_at_offset(document.source.index(text))
        assert document.offset_at_position(place) == document.source.index(text)
        return not any(isinstance(value, str) and len(value) > 100 for value in vars(document).values())

    @server.feature(types.INITIALIZE)
    async def initialize(params: types.InitializeParams) -> None:
        await asyncio.sleep(0)
        notes.append(f"initialize {type(params.capabilities).__name__}")

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        notes.append("initialized")

    @server.feature(types.SHUTDOWN)
    async def shutdown(params: None) -> None:
        notes.append("shutdown")

    @server.feature(types.EXIT)
    async def leave(params: None) -> None:
        await asyncio.sleep(0)
        logging.getLogger("llmblocks.house").info("left after %s", notes[-1])
