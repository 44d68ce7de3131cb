"""`llmblocks completion`: completion scripts for shells."""

from __future__ import annotations

import argparse
import sys

from llmblocks import __version__

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")
_FILES, _FOLDERS = ("FILE", "PATH"), ("FOLDER", "DIR")
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

    parser = full_parser(__version__)
    _complete_files(parser)
    sys.stdout.write(shtab.complete(parser, given.shell))
    return 0


def _complete_files(parser: argparse.ArgumentParser) -> None:
    """Let the names of files complete what takes a file, and those of folders what takes a folder."""
    import shtab

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                _complete_files(each)
        elif action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
