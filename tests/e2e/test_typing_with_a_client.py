"""The path of a keystroke, end to end, with an independent client over stdio."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

from wire import SERVER

URI = "file:///w/chat.gadget"
CONFIG = ClientServerConfig(server_command=list(SERVER))


@pytest_lsp.fixture(config=CONFIG)  # type: ignore[untyped-decorator]
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    await lsp_client.initialize_session(types.InitializeParams(capabilities=types.ClientCapabilities()))
    yield
    await lsp_client.shutdown_session()


def open_text(client: LanguageClient, text: str, language_id: str = "gadget") -> None:
    item = types.TextDocumentItem(uri=URI, language_id=language_id, version=0, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))


def change(client: LanguageClient, version: int, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
    span = types.Range(start=types.Position(*start), end=types.Position(*end))
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=URI, version=version),
            content_changes=[types.TextDocumentContentChangePartial(range=span, text=text)],
        )
    )


async def published(client: LanguageClient, version: int) -> list[types.Diagnostic]:
    """Return the diagnostics of this version of the document."""
    while True:
        params = await client.wait_for_notification("textDocument/publishDiagnostics")
        if params.version == version:
            return list(params.diagnostics)


def spans(diagnostics: list[types.Diagnostic]) -> list[tuple[object, int, int, int, int]]:
    return [
        (each.code, each.range.start.line, each.range.start.character, each.range.end.line, each.range.end.character)
        for each in diagnostics
    ]


async def type_text(client: LanguageClient, line: int, character: int, text: str, units: bool = True) -> int:
    """Type character by character, each change after the diagnostics of the one before; gives the last version."""
    version = 0
    for each in text:
        version += 1
        change(client, version, (line, character), (line, character), each)
        await published(client, version)
        if each == "\n":
            line, character = line + 1, 0
        else:
            character += 2 if ord(each) > 0xFFFF else 1
    return version


async def test_a_finding_appears_while_it_is_typed_and_goes_when_it_is_mended(client: LanguageClient) -> None:
    open_text(client, "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n")
    # a call that is being written has no end yet
    assert [each.code for each in await published(client, 0)] == ["G008"]
    typed = "!!!ARG:name\nGrace\n"
    version = 0
    line, character = 3, 0
    seen: list[list[object]] = []
    for each in typed:
        version += 1
        change(client, version, (line, character), (line, character), each)
        found = await published(client, version)
        seen.append([diagnostic.code for diagnostic in found])
        line, character = (line + 1, 0) if each == "\n" else (line, character + 1)
    # the pointer is a duplicate as soon as all of it stands there, and stays one
    complete = typed.index("\n")
    assert all("G101" not in codes for codes in seen[: complete - 1])
    assert all("G101" in codes for codes in seen[complete:])
    (finding,) = [each for each in found if each.code == "G101"]
    assert spans([finding]) == [("G101", 3, 7, 3, 11)]
    assert finding.message.startswith("Duplicate pointer: name")
    assert finding.source == "llmblocks"
    assert finding.related_information is not None
    where = finding.related_information[0].location
    assert (where.uri, where.range.start.line, where.range.start.character) == (URI, 1, 7)

    change(client, version + 1, (3, 11), (3, 11), "s")
    assert [each.code for each in await published(client, version + 1) if each.code == "G101"] == []


async def test_lines_may_end_with_carriage_return_and_newline(client: LanguageClient) -> None:
    open_text(client, "@user\r\nhello\r\n", "stf")
    assert [each.code for each in await published(client, 0) if each.code == "S001"] == []
    version = await type_text(client, 2, 0, "@*/")
    change(client, version + 1, (1, 5), (1, 5), "!")
    found = [each for each in await published(client, version + 1) if each.code == "S001"]
    assert spans(found) == [("S001", 2, 0, 2, 3)]
    change(client, version + 2, (2, 0), (2, 3), "")
    assert [each for each in await published(client, version + 2) if each.code == "S001"] == []


async def test_findings_are_taken_away_when_the_document_is_closed(client: LanguageClient) -> None:
    open_text(client, "@user\n@/*\n", "stf")
    assert len(await published(client, 0)) == 1
    document = types.TextDocumentIdentifier(uri=URI)
    client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=document))
    params = await client.wait_for_notification("textDocument/publishDiagnostics")
    assert list(params.diagnostics) == []
