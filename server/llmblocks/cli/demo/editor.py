"""The editor of the demo: the language client of pygls, and a document that types itself."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

from llmblocks import __version__


class DemoStep(NamedTuple):
    """A step of the demo."""

    says: str
    after: str
    """The cursor goes to the end of the first occurrence of this text, then back over `back` characters."""
    keys: str = ""
    """The keys to type."""
    back: int = 0
    expected: tuple[str, ...] = ()
    """The codes of the findings after the last key."""


class Scene(NamedTuple):
    """A document below the folder of examples, and its steps."""

    file: str
    language_id: str
    opens: str
    steps: tuple[DemoStep, ...]


_CALLS = (
    DemoStep(
        "Another argument for the last call. Its pointer is taken: llmist would reject the whole call.",
        after="!!!ARG:done\ntrue",
        keys="\n!!!ARG:message\nAll 31 tests pass.",
        expected=("G101",),
    ),
    DemoStep("Another pointer fixes the call.", "true\n!!!ARG:message", "summary", back=len("message")),
    DemoStep("An index skips one: the array would have a gap.", "!!!ARG:folders/2", "3", 1, expected=("G102",)),
    DemoStep("The right index fixes the array.", "!!!ARG:folders/3", "2", 1),
)
_CHAT = (
    DemoStep(
        "A comment block is closed that was never opened: decoding would stop here.",
        after="mira asked for the line anyway",
        keys="\n@*/",
        expected=("S001",),
    ),
    DemoStep("Opened, it is a comment.", "for the line anyway", "\n@/* later"),
    DemoStep(
        "A note at the end is not closed: all text after it would be lost.",
        after="when it is green. 🎉",
        keys="\n@/* the date moved by a week",
        expected=("S002",),
    ),
    DemoStep("Its end.", "@/* the date moved by a week", "\n@*/"),
)
SCENES = (
    Scene("clean/session.gadget", "gadget", "A model's response with six gadget calls and no mistake.", _CALLS),
    Scene("clean/chat.stf", "stf", "A chat in Simple Text Format: a prompt, eight turns, comments.", _CHAT),
)


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
            about = types.ClientInfo(self.name, self.version)
            params = types.InitializeParams(_CAPABILITIES, process_id=os.getpid(), client_info=about)
            result = self._wait(self.initialize_async(params), "an answer to initialize", self._patience)
            self.initialized(types.InitializedParams())
        except BaseException:
            self.__exit__()
            raise
        if (info := result.server_info) is not None:
            self.server_name = " ".join(filter(None, (info.name, info.version)))
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

        return self._wait(found(), f"diagnostics for version {version} of {uri.rpartition('/')[2]}", self._patience)

    async def server_exit(self, server: asyncio.subprocess.Process) -> None:
        """Wake waiting tasks: the server has exited."""
        self._published.put_nowait(None)

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


class Squiggle(NamedTuple):
    """A diagnostic on one line of the text, with columns from 0."""

    line: int
    start: int
    end: int
    severity: int
    code: str
    message: str


@dataclass(slots=True)
class Page:
    """Text, cursor and squiggles of a document."""

    client: DemoEditor
    scene: Scene
    text: str
    uri: str
    version: int = 0
    cursor: int = 0
    answer_ms: float = 0.0
    """The server's time for the last key."""
    squiggles: list[Squiggle] = field(default_factory=list)

    @classmethod
    def open(cls, client: DemoEditor, scene: Scene, folder: Path) -> Page:
        """Open an example in the server, and wait for its diagnostics."""
        path = folder / scene.file
        page = cls(client, scene, path.read_bytes().decode("utf-8"), path.resolve().as_uri())
        item = types.TextDocumentItem(page.uri, scene.language_id, 0, page.text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        page._listen()
        page.expect(())
        return page

    def close(self) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(self.uri)))

    def play(self, step: DemoStep) -> Iterator[None]:
        """Type a step, one key per iteration. After each key, the squiggles are those of the current text."""
        found = self.text.find(step.after)
        if found < 0:
            raise ServerError(f"{self.scene.file} has changed: {step.after!r} not found")
        self.cursor = found + len(step.after)
        yield
        for _ in range(step.back):
            self._edit(self.cursor - 1, self.cursor, "")
            yield
        for key in step.keys:
            self._edit(self.cursor, self.cursor, key)
            yield
        self.expect(step.expected)

    def expect(self, codes: tuple[str, ...]) -> None:
        """Raise `ServerError` if the server's findings are not exactly these."""
        expected, found = " ".join(codes), " ".join([each.code for each in self.squiggles])
        if found != expected:
            raise ServerError(f"expected {expected or 'no finding'}, the server found {found or 'none'}")

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 0."""
        return self.text.count("\n", 0, offset), offset - (self.text.rfind("\n", 0, offset) + 1)

    def _edit(self, start: int, end: int, text: str) -> None:
        span = types.Range(types.Position(*self.place(start)), types.Position(*self.place(end)))
        change = types.TextDocumentContentChangePartial(span, text)
        self.version += 1
        self.text = self.text[:start] + text + self.text[end:]
        self.cursor = start + len(text)
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        began = time.perf_counter()
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        self._listen()
        self.answer_ms = (time.perf_counter() - began) * 1000

    def _listen(self) -> None:
        self.squiggles = []
        for each in self.client.diagnostics(self.uri, self.version):
            start, end = each.range.start, each.range.end
            # for a finding over several lines, show the first line
            last = end.character if end.line == start.line else len(self.text.split("\n")[start.line])
            severity = each.severity or types.DiagnosticSeverity.Error
            last = max(last, start.character + 1)
            code = str(each.code or "")
            self.squiggles.append(Squiggle(start.line, start.character, last, severity, code, each.message))
