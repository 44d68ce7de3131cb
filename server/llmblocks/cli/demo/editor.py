"""The editor of the demo: the language client of pygls, and a server that it starts as a child process."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

from llmblocks import __version__

T = TypeVar("T")
SERVER = (sys.executable, "-m", "llmblocks", "server")
_END_SECONDS = 3.0
_CAPABILITIES = types.ClientCapabilities(
    general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf32]),
    text_document=types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True, version_support=True)
    ),
)


class ServerError(Exception):
    """The server misbehaved. The message has the expected and the actual behaviour."""


class DemoEditor(LanguageClient):
    """Starts a server and exchanges messages with it, one after the other.

    It is a context manager, after which the process has ended in any case. Positions are code points. It raises
    `ServerError` if the server cannot be started, ends, or does not answer in time.
    """

    def __init__(self, command: Sequence[str] = SERVER, patience_seconds: float = 20.0) -> None:
        super().__init__("llmblocks demo", __version__)
        self._command = tuple(command)
        self._patience = patience_seconds
        self._published: asyncio.Queue[types.PublishDiagnosticsParams | None] = asyncio.Queue()
        self.server_name = ""

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: types.PublishDiagnosticsParams) -> None:
            self._published.put_nowait(params)

    def __enter__(self) -> DemoEditor:
        self._runner = asyncio.Runner()
        try:
            self._runner.run(self.start_io(*self._command))
        except OSError as error:
            self._runner.close()
            raise ServerError(f"the server cannot be started with {' '.join(self._command)}: {error}") from error
        try:
            self._initialize()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Shut the server down, and kill it if it does not end."""
        assert self._server is not None
        try:
            with suppress(ServerError, TimeoutError):
                self._wait(self.shutdown_async(None), "an answer to shutdown", _END_SECONDS)
                self.exit(None)
                self._runner.run(asyncio.wait_for(self._server.wait(), _END_SECONDS))
        finally:
            # even after a second Ctrl-C
            if self._server.returncode is None:
                self._server.kill()
            self._runner.run(self.stop())  # type: ignore[no-untyped-call]
            self._runner.close()

    def diagnostics(self, uri: str, version: int) -> Sequence[types.Diagnostic]:
        """Wait for the diagnostics of this version of a document, skipping earlier ones."""

        async def found() -> Sequence[types.Diagnostic]:
            while params := await self._published.get():
                if (params.uri, params.version) == (uri, version):
                    return params.diagnostics
            raise EOFError

        what = f"diagnostics for version {version} of {uri.rpartition('/')[2]}"
        return self._wait(found(), what, self._patience)

    async def server_exit(self, server: asyncio.subprocess.Process) -> None:
        """Wake waiting tasks: the server has exited."""
        self._published.put_nowait(None)

    def _initialize(self) -> None:
        about = types.ClientInfo(self.name, self.version)
        params = types.InitializeParams(_CAPABILITIES, process_id=os.getpid(), client_info=about)
        result = self._wait(self.initialize_async(params), "an answer to initialize", self._patience)
        if result.capabilities.position_encoding != types.PositionEncodingKind.Utf32:
            raise ServerError("the server does not count in code points, although it was asked to")
        if (info := result.server_info) is not None:
            self.server_name = " ".join(filter(None, (info.name, info.version)))
        self.initialized(types.InitializedParams())

    def _wait(self, answer: Coroutine[Any, Any, T], what: str, seconds: float) -> T:
        try:
            return self._runner.run(asyncio.wait_for(answer, seconds))
        except TimeoutError:
            happened = f"nothing came within {seconds:g} s"
        except JsonRpcException as error:
            happened = f"the server answered with an error: {error}"
        except (EOFError, RuntimeError, ConnectionError):
            happened = "the server has ended"
        raise ServerError(f"expected {what}, but {happened}{self._logged()}")

    def _logged(self) -> str:
        """Return the last lines of the server's log."""
        assert self._server is not None
        assert self._server.stderr is not None
        written = b""
        with suppress(TimeoutError):
            written = self._runner.run(asyncio.wait_for(self._server.stderr.read(1 << 16), 0.1))
        lines = written.decode("utf-8", "replace").strip().splitlines()[-5:]
        return "".join(f"\n  it wrote: {line}" for line in lines)
