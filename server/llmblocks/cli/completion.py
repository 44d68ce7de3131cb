"""`llmblocks completion`: completion scripts for shells."""

from __future__ import annotations

import argparse
import sys

from llmblocks.cli.arguments import COMMANDS, describe, parser, parsers_in
from llmblocks.settings.rule_names import NAMES

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")
_EXAMPLES = """\
  llmblocks completion bash >> ~/.bash_completion
  llmblocks completion zsh > ~/.zfunc/_llmblocks   (before compinit)
  llmblocks completion fish > ~/.config/fish/completions/llmblocks.fish
"""


def add_arguments(own: argparse.ArgumentParser) -> None:
    describe(own, "Prints a script that completes commands and options in a shell.", _EXAMPLES)
    own.add_argument("shell", choices=SHELLS, help="the shell")


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    import shtab

    top = parser(*COMMANDS)
    for action in top._actions:
        # the help lists them in groups, a shell in one list
        action.help = None if action.dest == "command" else action.help
    paths = {"FILE": shtab.FILE, "PATH": shtab.FILE, "FOLDER": shtab.DIRECTORY}
    for command in COMMANDS:
        each = parsers_in(top)[command.name]
        # its own text is too long to fit beside a name
        each.description = command.help
        for known in (each, *parsers_in(each).values()):
            for action in known._actions:
                if action.metavar in paths:
                    action.complete = paths[action.metavar]  # type: ignore[attr-defined]
                elif action.metavar in ("CODE", "CODES"):
                    action.choices = (*NAMES, *NAMES.values())
    sys.stdout.write(shtab.complete(top, given.shell))
    return 0
