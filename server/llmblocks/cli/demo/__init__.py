"""`llmblocks demo`: a real server, and a document that types itself, with the server's findings."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from llmblocks.cli.demo.editor import SCENES, SERVER, DemoEditor, Page, ServerError
from llmblocks.cli.options import flag, number, option

_PACKAGE = Path(__file__).resolve().parents[2]
_PLACES = (_PACKAGE / "examples", _PACKAGE.parents[1] / "docs" / "examples")
CONNECT = """\
All findings came from `llmblocks server`, over standard input and output. To use it in an editor:
  VS Code   make vscode, then install the .vsix that it names: code --install-extension FILE
  Neovim    put editors/neovim on the runtimepath, then: vim.lsp.enable("llmblocks")
  Helix, Emacs and others: see README.md. Any language client can start `llmblocks server`
On the command line: llmblocks check FILE...
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Types documents in this terminal, and shows what the language server reports."
    parser.epilog = "examples:\n  llmblocks demo\n  llmblocks demo --speed 2\n"
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
    from rich.console import Console

    from llmblocks.cli.demo.terminal import PlainLines, Terminal

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
