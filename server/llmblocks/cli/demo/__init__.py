"""`llmblocks demo`: a real server, and a document that types itself, with the server's findings."""

from __future__ import annotations

import argparse
import sys
import textwrap
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from llmblocks.cli.arguments import describe, flag, number, option
from llmblocks.cli.demo.editor import SCENES, SERVER, DemoEditor, Page, ServerError, Squiggle
from llmblocks.cli.source import counted

_PACKAGE = Path(__file__).resolve().parents[2]
_PLACES = (_PACKAGE / "examples", _PACKAGE.parents[1] / "docs" / "examples")
_KEY_SECONDS = 0.045
_READ_SECONDS = 1.9
_SLEEP_SECONDS = 0.5
_TALLEST = 26
_WIDEST = 112
_STYLES = {1: "bold red", 2: "bold yellow", 3: "bold blue", 4: "bold cyan"}
_GUTTER = 5
_AROUND = 2
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
    flag(parser, "--plain", "print plain lines without pauses, as if there were no terminal")
    option(parser, "--examples", "FOLDER", "the folder of the example documents")


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    return run(given.examples, given.speed, plain=given.plain)


def run(
    examples: str | None, speed: float, *, plain: bool = False, server: Sequence[str] = SERVER, patience: float = 20.0
) -> int:
    """Run the demo, and return the exit status: 1 for unexpected findings of the server, 2 without examples."""
    folder = find_examples(examples)
    if folder is None:
        where = examples or " or ".join(map(str, _PLACES))
        sys.stderr.write(f"llmblocks demo: no examples in {where}; pass the path of docs/examples with --examples\n")
        return 2
    console = Console(highlight=False)
    is_plain = plain or not sys.stdout.isatty() or console.is_dumb_terminal
    try:
        with (
            DemoEditor(server, patience) as client,
            closing(PlainLines(sys.stdout) if is_plain else Terminal(console, speed)) as stage,
        ):
            for scene in SCENES:
                page = Page.open(client, scene, folder)
                stage.opened(page, f"{Path(scene.file).name} · {client.server_name}")
                for step in scene.steps:
                    for _ in page.play(step):
                        stage.typed(page, step.says)
                    stage.done(page, step.says)
                page.close()
    except ServerError as error:
        sys.stdout.flush()
        sys.stderr.write(f"\nllmblocks demo: {error}\n")
        return 1
    sys.stdout.write(f"\n{CONNECT}")
    return 0


def find_examples(given: str | None) -> Path | None:
    """Return the folder of the example documents: the given one, or that in the package or in the checkout."""
    places = (Path(given),) if given else _PLACES
    return next((place for place in places if all((place / scene.file).is_file() for scene in SCENES)), None)


class Terminal:
    """Draws a page on a terminal, at a pace for human readers."""

    def __init__(self, console: Console, speed: float) -> None:
        self._console, self._speed = console, speed
        self._live = Live(console=console, auto_refresh=False, transient=False)
        self._title, self._top = "", 0
        self._live.start()

    def close(self) -> None:
        self._live.stop()

    def opened(self, page: Page, title: str) -> None:
        self._title, self._top = title, 0
        self.done(page, page.scene.opens)

    def typed(self, page: Page, says: str, seconds: float = _KEY_SECONDS) -> None:
        """Show a pressed key."""
        self._live.update(self._draw(page, says), refresh=True)
        self._rest(seconds)

    def done(self, page: Page, says: str) -> None:
        """Pause after a step."""
        self.typed(page, says, _READ_SECONDS)

    def _rest(self, seconds: float) -> None:
        until = time.monotonic() + seconds / self._speed
        # Python handles an interrupt just before a sleep only when the sleep is over
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(left, _SLEEP_SECONDS))

    def _draw(self, page: Page, says: str) -> RenderableType:
        width = min(self._console.width, _WIDEST)
        # two lines of frame, one of caption, four of findings, one for the cursor of the shell
        rows = max(min(self._console.height, _TALLEST) - 8, 4)
        subtitle = f"version {page.version} · the server answered in {page.answer_ms:.1f} ms" if page.version else ""
        body = self._body(page, rows, width - 4)
        frame = Panel(body, title=self._title, title_align="left", subtitle=subtitle, subtitle_align="right")
        frame.width, frame.height, frame.padding, frame.border_style = width, rows + 2, (0, 1), "bright_black"
        caption = Text(f" {says}", style="bold", no_wrap=True, overflow="ellipsis")
        return Group(caption, frame, *_findings(page, width))

    def _body(self, page: Page, rows: int, width: int) -> Text:
        lines = page.text.split("\n")
        line, column = page.place(page.cursor)
        self._scroll(line, rows, len(lines))
        body = Text(no_wrap=True, overflow="crop")
        drawn = 0
        for at in range(self._top, len(lines)):
            here = [each for each in page.squiggles if each.line == at]
            drawn += 1 + bool(here)
            if drawn > rows:
                break
            body.append(f"{at + 1:>{_GUTTER - 2}}  ", "bright_black")
            body.append_text(_line(lines[at], here, column if at == line else None)).append("\n")
            if here:
                body.append_text(_underline(lines[at], here, width)).append("\n")
        return body

    def _scroll(self, line: int, rows: int, count: int) -> None:
        """Keep the cursor in the middle part, so that the document does not jump with every line."""
        margin = min(4, rows // 3)
        if not self._top + margin <= line < self._top + rows - margin - 1:
            self._top = line - rows // 2
        # two more lines, for a squiggle on the last one
        self._top = max(min(self._top, count - rows + 2), 0)


def _line(text: str, squiggles: list[Squiggle], cursor: int | None) -> Text:
    colours = {"!!!": "cyan", "@#": "bright_black", "@//": "bright_black", "@/*": "bright_black", "@*/": "bright_black"}
    colours |= {"@@": "", "@": "magenta"}
    line = Text(f"{text} ", next((colour for start, colour in colours.items() if text.startswith(start)), ""))
    for squiggle in squiggles:
        line.stylize(f"{_STYLES[squiggle.severity]} underline", squiggle.start, squiggle.end)
    if cursor is not None:
        line.stylize("reverse", cursor, cursor + 1)
    return line


def _underline(text: str, squiggles: list[Squiggle], width: int) -> Text:
    row = Text(" " * _GUTTER)
    for squiggle in squiggles:
        # characters may be two cells wide
        row.append(" " * (_GUTTER + cell_len(text[: squiggle.start]) - len(row)))
        row.append("^" * max(cell_len(text[squiggle.start : squiggle.end]), 1), _STYLES[squiggle.severity])
    last = squiggles[-1]
    row.append(f" {last.code}", _STYLES[last.severity])
    row.truncate(width)
    return row


def _findings(page: Page, width: int) -> list[Text]:
    """Four rows, even if fewer are needed: a frame that changes its size is hard to watch."""
    rows: list[Text] = []
    for squiggle in page.squiggles:
        where = f"{squiggle.line + 1}:{squiggle.start + 1}"
        first, *more = textwrap.wrap(f"{where} {squiggle.code} {squiggle.message}", width - 6)
        rows.append(Text.assemble("  ", ("● ", _STYLES[squiggle.severity]), first))
        rows += [Text(f"    {each}") for each in more]
    if not rows:
        rows.append(Text.assemble("  ", ("✓", "bold green"), " no findings"))
    return [*rows[:4], *[Text()] * (4 - len(rows))]


class PlainLines:
    """Writes the result of each step, without a terminal and without pauses."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def close(self) -> None:
        self._out.flush()

    def opened(self, page: Page, title: str) -> None:
        self._out.write(f"\n== {title}\n{page.scene.opens}\n")

    def typed(self, page: Page, says: str) -> None:
        """Only the result of a step is shown."""

    def done(self, page: Page, says: str) -> None:
        """Show the lines around the findings, or around the cursor."""
        self._out.write(f"\n-- {says}\n")
        squiggles = page.squiggles
        shown = {squiggle.line for squiggle in squiggles} or {page.place(page.cursor)[0]}
        for at, text in enumerate(page.text.split("\n")):
            if not any(abs(at - each) <= _AROUND for each in shown):
                continue
            self._out.write(f"{at + 1:>4}  {text}".rstrip() + "\n")
            for each in squiggles:
                if each.line == at:
                    marks = " " * each.start + "^" * (each.end - each.start)
                    self._out.write(f"      {marks} {each.code} {each.message}\n")
        found = counted(len(squiggles), "finding") if squiggles else "no findings"
        self._out.write(f"      version {page.version}: {found}, the server answered in {page.answer_ms:.1f} ms\n")
        self._out.flush()
