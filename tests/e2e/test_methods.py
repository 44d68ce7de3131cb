"""Every request of the server, asked by four clients on standard input and output.

The answers are made of the types of lsprotocol. pytest-lsp knows what the clients say of themselves, and checks that
the answers keep to it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from llmblocks.lsp.answers.table import TABLE, WORKSPACE_TABLE
from wire import SERVER

# Eglot of Emacs 29 does not announce Markdown in completion items, and renders it
pytestmark = pytest.mark.filterwarnings("ignore:Client does not support documentation format 'markdown'")
Json = Any
CLIENTS = {
    "minimal": types.ClientCapabilities(),
    "emacs": client_capabilities("emacs"),
    "neovim": client_capabilities("neovim"),
    "vscode": client_capabilities("visual_studio_code"),
}
READ = {
    "name": "Read",
    "description": "Reads a file.",
    "schema": {
        "type": "object",
        "properties": {"path": {"type": "string"}, "all": {"type": "boolean"}},
        "required": ["path"],
    },
}
TEXT = """\
@user  id=q1
hello
@ai
see <think depth=2>x</think>
!!!GADGET_START:Read:r1
!!!ARG:path
007
!!!GADGET_END
!!!GADGET_START:Read:r2:r1
!!!ARG:path
a
!!!ARG:all
tr
!!!ARG:all
false
!!!GADGET_END
@embed type=image
https://example.com/a.png
@user id=q2 id=q2
"""
OPEN = "<think>\n"


ASKED_OF_THE_CLIENT = (
    types.CLIENT_REGISTER_CAPABILITY,
    types.CLIENT_UNREGISTER_CAPABILITY,
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_FOLDING_RANGE_REFRESH,
    types.WORKSPACE_INLAY_HINT_REFRESH,
    types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
)
"""The requests of the server for which pytest-lsp's client has no answer."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("methods")
    (folder / "read.json").write_text(json.dumps(READ), "utf-8")
    (folder / "llmblocks.toml").write_text(
        'diagnostics.workspace = true\n[gadget.schemas]\n"*" = ["read.json"]\n', "utf-8"
    )
    return folder


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[*SERVER]), scope="module", params=[*CLIENTS])  # type: ignore[untyped-decorator]
async def client(lsp_client: LanguageClient, folder: Path, request: pytest.FixtureRequest) -> AsyncIterator[None]:
    folders = [types.WorkspaceFolder(uri=folder.as_uri(), name="w")]
    for method in ASKED_OF_THE_CLIENT:
        lsp_client.feature(method)(lambda *_: None)
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=CLIENTS[request.param], workspace_folders=folders, initialization_options={"keepsCaret": True}
        )
    )
    for name, language_id, text in (("a.stf", "stf", TEXT), ("b.blocks", "custom-blocks", OPEN)):
        item = types.TextDocumentItem((folder / name).as_uri(), language_id, 1, text)
        lsp_client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    yield
    await lsp_client.shutdown_session()


NOTHING: Json = {}


class Asks(NamedTuple):
    """How to ask one request."""

    at: str = ""
    """A part of the text, with `$0` where the position is."""
    more: Json = NOTHING
    """Further parameters."""
    of: str = ""
    """The request whose first answer is the argument, under the name `under`, or as the parameters."""
    under: str = ""
    file: str = "a.stf"


WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
OPTIONS = {"tabSize": 2, "insertSpaces": True}
ASKS = {
    "textDocument/hover": Asks("Re$0ad:r1"),
    "textDocument/completion": Asks("tr$0\n"),
    "completionItem/resolve": Asks(of="textDocument/completion"),
    "textDocument/signatureHelp": Asks("tr$0\n"),
    "textDocument/foldingRange": Asks(),
    "textDocument/documentSymbol": Asks(),
    "textDocument/selectionRange": Asks(more={"positions": [{"line": 4, "character": 20}]}),
    "textDocument/linkedEditingRange": Asks("<thi$0nk"),
    "textDocument/definition": Asks("r2:r$01"),
    "textDocument/references": Asks("Read:r$01", {"context": {"includeDeclaration": True}}),
    "textDocument/documentHighlight": Asks("r2:r$01"),
    "textDocument/prepareCallHierarchy": Asks("Read:r$02"),
    "callHierarchy/incomingCalls": Asks("Read:r$01", of="textDocument/prepareCallHierarchy", under="item"),
    "callHierarchy/outgoingCalls": Asks("Read:r$02", of="textDocument/prepareCallHierarchy", under="item"),
    "textDocument/prepareRename": Asks("r2:r$01"),
    "textDocument/rename": Asks("r2:r$01", {"newName": "r9"}),
    "textDocument/semanticTokens/full": Asks(),
    "textDocument/semanticTokens/full/delta": Asks(more={"previousResultId": "0"}),
    "textDocument/semanticTokens/range": Asks(more={"range": WHOLE}),
    "textDocument/codeAction": Asks(more={"range": WHOLE, "context": {"diagnostics": []}}),
    "textDocument/formatting": Asks(more={"options": OPTIONS}),
    "textDocument/rangeFormatting": Asks(more={"options": OPTIONS, "range": WHOLE}),
    "textDocument/rangesFormatting": Asks(more={"options": OPTIONS, "ranges": [WHOLE]}),
    "textDocument/onTypeFormatting": Asks("<think>$0", {"options": OPTIONS, "ch": ">"}, file="b.blocks"),
    "textDocument/inlayHint": Asks(more={"range": WHOLE}),
    "textDocument/codeLens": Asks(),
    "codeLens/resolve": Asks(of="textDocument/codeLens"),
    "textDocument/documentLink": Asks(),
    "textDocument/diagnostic": Asks(),
    "workspace/diagnostic": Asks(more={"previousResultIds": []}),
    "workspace/symbol": Asks(more={"query": "r1"}),
    "workspace/textDocumentContent": Asks(),
    "workspace/executeCommand": Asks(more={"command": "llmblocks.showGraph"}),
}
LISTS = ("items", "data", "ranges", "signatures", "edits", "document_changes", "changes")
"""The parts of answers that are lists, by their names."""


def test_all_requests_are_asked() -> None:
    served = {each.method for each in (*TABLE, *WORKSPACE_TABLE)} | {"textDocument/diagnostic", "workspace/diagnostic"}
    served |= {each.resolves.method for each in TABLE if each.resolves is not None}
    assert served == set(ASKS)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("method", ASKS)
async def test_a_request_has_an_answer(client: LanguageClient, folder: Path, method: str) -> None:
    # pytest-lsp has made it of the types of the protocol
    answer = await asked(client, folder, method, ASKS[method])
    found = [answer, *(part for name in LISTS if (part := getattr(answer, name, None)) is not None)]
    assert all(found), answer


async def asked(client: LanguageClient, folder: Path, method: str, asks: Asks) -> Json:
    if asks.of:
        before = ASKS[asks.of]
        found: Any = await asked(
            client, folder, asks.of, before._replace(at=asks.at or before.at, more=asks.more or before.more)
        )
        first, *_ = getattr(found, "items", found)
        given = client.protocol._converter.unstructure(first)
        params = {asks.under: given} if asks.under else given
    else:
        params = {"textDocument": {"uri": (folder / asks.file).as_uri()}, **asks.more}
        if asks.at:
            text = OPEN if asks.file == "b.blocks" else TEXT
            offset = text.index(asks.at.replace("$0", "")) + asks.at.index("$0")
            line = text.count("\n", 0, offset)
            params["position"] = {"line": line, "character": offset - text.rfind("\n", 0, offset) - 1}
        if method == "workspace/textDocumentContent":
            params = {"uri": f"llmblocks://graph/a.mmd?{quote(params['textDocument']['uri'], safe='')}"}
        if method == "workspace/executeCommand":
            params = {"command": params["command"], "arguments": [{"textDocument": params["textDocument"]}]}
    structured: Json = client.protocol._converter.structure(
        {"jsonrpc": "2.0", "id": 0, "method": method, "params": params}, types.METHOD_TO_TYPES[method][0]
    )
    return await client.protocol.send_request_async(method, structured.params)  # type: ignore[no-untyped-call]
