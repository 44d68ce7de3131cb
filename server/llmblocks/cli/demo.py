"""`llmblocks demo`: a real server, and documents that type themselves, with the server's findings."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient
from rich.console import Console, Group
from rich.live import Live
from rich.rule import Rule
from rich.text import Text

from llmblocks import __version__
from llmblocks.cli.arguments import describe, number, option


class DemoStep(NamedTuple):
    """A step of the demo."""

    says: str
    after: str
    """The cursor goes to the end of the first occurrence of this text."""
    keys: str
    """The keys to press; `\\b` is backspace."""
    expected: str = ""
    """The code of the only finding after the last key."""


_CALLS = (
    DemoStep(
        "Another argument for the last call. Its pointer is taken: llmist would reject the whole call.",
        after="!!!ARG:done\ntrue",
        keys="\n!!!ARG:message\nAll 31 tests pass.",
        expected="G101",
    ),
    DemoStep("Another pointer fixes the call.", "true\n!!!ARG:message", "\b" * len("message") + "summary"),
    DemoStep("An index skips one: the array would have a gap.", "!!!ARG:folders/2", "\b3", expected="G102"),
    DemoStep("The right index fixes the array.", "!!!ARG:folders/3", "\b2"),
)
_CHAT = (
    DemoStep(
        "A comment block is closed that was never opened: decoding would stop here.",
        after="mira asked for the line anyway",
        keys="\n@*/",
        expected="S001",
    ),
    DemoStep("Opened, it is a comment.", "for the line anyway", "\n@/* later"),
    DemoStep(
        "A note at the end is not closed: all text after it would be lost.",
        after="when it is green. 🎉",
        keys="\n@/* the date moved by a week",
        expected="S002",
    ),
    DemoStep("Its end.", "@/* the date moved by a week", "\n@*/"),
)
SCENES: Final = (
    ("session.gadget", "gadget", "A model's response with six gadget calls and no mistake.", _CALLS),
    ("chat.stf", "stf", "A chat in Simple Text Format: a prompt, eight turns, comments.", _CHAT),
)
"""The examples, each with its language, a caption and its steps."""
_PACKAGE = Path(__file__).resolve().parents[1]
_EXAMPLES = _PACKAGE / "examples", _PACKAGE.parents[1] / "docs" / "examples"
"""The folder of the examples in a package, and in a checkout."""
SERVER = (sys.executable, "-m", "llmblocks", "server")
_KEY_SECONDS = 0.045
_READ_SECONDS = 1.9
_ROWS = 18
_STYLES = {1: "bold red", 2: "bold yellow", 3: "bold blue", 4: "bold cyan"}
_CAPABILITIES = types.ClientCapabilities(
    general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf32]),
    text_document=types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(version_support=True)
    ),
)
CONNECT = """\
All findings came from `llmblocks server`, over standard input and output. To use it in an editor:
  VS Code   make vscode, then install the .vsix that it names: code --install-extension FILE
  Neovim    put editors/neovim on the runtimepath, then: vim.lsp.enable("llmblocks")
  Helix, Emacs and others: see README.md. Any language client can start `llmblocks server`
On the command line: llmblocks check FILE...
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    says = "Types documents in this terminal, and shows what the language server reports."
    describe(parser, says, "  llmblocks demo\n  llmblocks demo --speed 2\n")
    option(parser, "--speed", "N", "2 types twice as fast (default: 1)", type=number(0.01, 1000.0), default=1.0)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    return run(given.speed)


def run(speed: float, server: Sequence[str] = SERVER, patience: float = 20.0) -> int:
    """Run the demo, and return the exit status: 1 if the server does not answer, or has unexpected findings."""
    try:
        asyncio.run(_play(DemoEditor(patience), server, speed))
    except TimeoutError:
        says = f"the server gave no answer within {patience:g} s"
    except (JsonRpcException, RuntimeError) as error:
        says = str(error)
    else:
        sys.stdout.write(f"\n{CONNECT}")
        return 0
    sys.stdout.flush()
    sys.stderr.write(f"\nllmblocks demo: {says}\n")
    return 1


async def _play(editor: DemoEditor, server: Sequence[str], speed: float) -> None:
    """Type all steps: on a terminal key by key, otherwise without pauses, showing only the result of each."""
    console = Console(highlight=False)
    is_live = sys.stdout.isatty() and not console.is_dumb_terminal
    folder = next(each for each in _EXAMPLES if each.is_dir()) / "clean"
    with Live(console=console, auto_refresh=False) if is_live else nullcontext() as live:

        async def show(says: str, seconds: float = _READ_SECONDS) -> None:
            if live is not None:
                # the rest of the screen has the findings
                live.update(_frame(editor, says, min(console.height - 8, _ROWS)), refresh=True)
                await asyncio.sleep(seconds / speed)
            elif seconds == _READ_SECONDS:
                console.print(_frame(editor, says, 6))

        try:
            await editor.start(server)
            for name, language_id, says, steps in SCENES:
                await editor.open(folder / name, language_id)
                await show(says)
                for step in steps:
                    editor.cursor = editor.text.index(step.after) + len(step.after)
                    for key in step.keys:
                        await editor.press(key)
                        await show(step.says, _KEY_SECONDS)
                    editor.expect(step.expected)
                    await show(step.says)
            await editor.end()
        finally:
            await editor.kill()


class DemoEditor(LanguageClient):
    """A document in a server, with a cursor. Positions are code points.

    Raises `TimeoutError` if the server does not answer within `patience` seconds, and `RuntimeError` if it has ended.
    """

    def __init__(self, patience: float) -> None:
        super().__init__("llmblocks demo", __version__)
        self._patience = patience
        self._published: asyncio.Queue[types.PublishDiagnosticsParams | None] = asyncio.Queue()
        self.file = self.uri = self.text = ""
        self.revision = self.cursor = 0
        self.findings: Sequence[types.Diagnostic] = ()
        self.answer_ms = 0.0

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: types.PublishDiagnosticsParams) -> None:
            self._published.put_nowait(params)

    async def server_exit(self, server: asyncio.subprocess.Process) -> None:
        """Wake waiting tasks."""
        self._published.put_nowait(None)

    async def start(self, server: Sequence[str]) -> None:
        await self.start_io(*server)
        params = types.InitializeParams(_CAPABILITIES, process_id=os.getpid())
        await asyncio.wait_for(self.initialize_async(params), self._patience)
        self.initialized(types.InitializedParams())

    async def end(self) -> None:
        assert self._server is not None
        await asyncio.wait_for(self.shutdown_async(None), self._patience)
        self.exit(None)
        await asyncio.wait_for(self._server.wait(), self._patience)

    async def kill(self) -> None:
        """Kill the server, unless it has ended."""
        if self._server is not None and self._server.returncode is None:
            self._server.kill()
        await self.stop()  # type: ignore[no-untyped-call]

    async def open(self, file: Path, language_id: str) -> None:
        """Open a document, and wait for its findings."""
        self.file, self.uri, self.text = file.name, file.as_uri(), file.read_bytes().decode("utf-8")
        self.revision = self.cursor = 0
        item = types.TextDocumentItem(self.uri, language_id, self.revision, self.text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await self._listen()
        self.expect("")

    async def press(self, key: str) -> None:
        """Type a key, and wait for the findings."""
        start, end, new = (self.cursor - 1, self.cursor, "") if key == "\b" else (self.cursor, self.cursor, key)
        change = types.TextDocumentContentChangePartial(types.Range(self.place(start), self.place(end)), new)
        self.text, self.cursor = self.text[:start] + new + self.text[end:], start + len(new)
        self.revision += 1
        document = types.VersionedTextDocumentIdentifier(self.revision, self.uri)
        self.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        await self._listen()

    async def _listen(self) -> None:
        began = time.perf_counter()
        while params := await asyncio.wait_for(self._published.get(), self._patience):
            if (params.uri, params.version) == (self.uri, self.revision):
                self.findings = params.diagnostics
                self.answer_ms = (time.perf_counter() - began) * 1000
                return
        raise RuntimeError("the server has ended")

    def expect(self, code: str) -> None:
        """Raise `RuntimeError` if the server has other findings than one with this code, or none for an empty one."""
        found = " ".join([str(each.code) for each in self.findings])
        if found != code:
            raise RuntimeError(f"expected {code or 'no finding'}, the server found {found or 'none'}")

    def place(self, offset: int) -> types.Position:
        return types.Position(self.text.count("\n", 0, offset), offset - (self.text.rfind("\n", 0, offset) + 1))


def _frame(editor: DemoEditor, says: str, rows: int) -> Group:
    """Return the lines around the cursor, with findings below them."""
    lines, cursor = editor.text.split("\n"), editor.place(editor.cursor)
    top = max(min(cursor.line - rows // 2, len(lines) - rows), 0)
    body = Text(no_wrap=True, overflow="crop")
    told = []
    for at, text in enumerate(lines[top : top + rows], top):
        line = Text(text, "cyan" if text.startswith("!!!") else "magenta" if text.startswith("@") else "")
        if at == cursor.line:
            line.append(" ")
            line.stylize("reverse", cursor.character, cursor.character + 1)
        body.append(f"{at + 1:>4}  ", "bright_black").append_text(line).append("\n")
        for each in editor.findings:
            start, end = each.range.start, each.range.end
            if start.line == at:
                # of several lines, the first is marked
                marks = "^" * ((end.character if end.line == at else len(text)) - start.character or 1)
                style = _STYLES[each.severity or 1]
                body.append(f"{'':{6 + start.character}}{marks} {each.code}\n", style)
                message = each.message.replace("\n", "\n  ")
                told.append(Text(f"  {at + 1}:{start.character + 1} {each.code} {message}", style))
    title = f"{editor.file} · version {editor.revision} · the server answered in {editor.answer_ms:.1f} ms"
    return Group(Text(f"\n{says}", "bold"), Rule(title), body, *(told or [Text("  ✓ no findings", "bold green")]))
