"""`llmblocks completion`: completion scripts for shells."""

from __future__ import annotations

import argparse
import sys

from llmblocks import __version__

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")
_EXAMPLES = """\
examples:
  llmblocks completion bash > ~/.local/share/bash-completion/completions/llmblocks
  llmblocks completion zsh > ~/.zfunc/_llmblocks
  llmblocks completion fish > ~/.config/fish/completions/llmblocks.fish
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description, parser.epilog = "Prints a script that completes commands and options in a shell.", _EXAMPLES
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    """Run the command."""
    import shtab

    from llmblocks.cli.arguments import full_parser

    sys.stdout.write(shtab.complete(full_parser(__version__), given.shell))
    return 0
