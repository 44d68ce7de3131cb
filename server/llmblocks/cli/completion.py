"""`llmblocks completion`: completion scripts for shells."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator

from llmblocks import __version__

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")
_FILES, _FOLDERS, _RULES, _RULE_LISTS = ("FILE", "PATH"), ("FOLDER", "DIR"), ("CODE",), ("CODES",)
_SERVER_OPTION = re.compile(r"^  (--[a-z-]+)(?: (\S+))?  +(\S.*)$", re.MULTILINE)
_EXAMPLES = """\
examples:
  llmblocks completion bash >> ~/.bash_completion
  llmblocks completion zsh > ~/.zfunc/_llmblocks   (before compinit)
  llmblocks completion fish > ~/.config/fish/completions/llmblocks.fish
"""
_BASH = """\
# $1 is the word: codes and names, the last one of a list
_llmblocks_rules() {
  local before=""
  [[ $1 == *,* ]] && before="${1%,*},"
  compgen -P "$before" -W "CODES" -- "${1##*,}"
  [[ -n ${1##*,} ]] && compgen -P "$before" -W "NAMES" -- "${1##*,}"
}
"""
_ZSH = """\
_llmblocks_rules() {
  local -a codes names
  codes=(DESCRIBED)
  names=(NAMES)
  # names only for who has typed the start of one: there are as many as codes
  [[ $PREFIX == [a-z]* ]] && codes=("${names[@]}")
  _describe -t rules rule codes "$@"
}
_llmblocks_rule_list() { _sequence _llmblocks_rules; }
"""
_FISH = """\
function _llmblocks_rules
  # names only for who has typed the start of one, as in zsh
  if string match -qr '(^|,)[a-z][^,]*$' -- (commandline -ct)
    printf '%s\\n' NAMES
  else
    printf '%s\\n' DESCRIBED
  end
end
function _llmblocks_rule_list
  __fish_complete_list , _llmblocks_rules
end
"""
_POWERSHELL = """\
function _llmblocks_rules {
  param([string]$WordToComplete)
  $before = $WordToComplete -replace '[^,]*$', ''
  $last = $WordToComplete -replace '^.*,', ''
  @(LISTED) | Where-Object { $_ -like "$last*" } | ForEach-Object { "$before$_" }
}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = "Prints a script that completes commands and options in a shell.", _EXAMPLES
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    import shtab

    from llmblocks.cli.arguments import actions_of, full_parser

    parser = full_parser(__version__)
    for command, (name, each) in _commands(parser):
        # its own begins with more than fits beside a name
        each.description = command.help
        if name == "server":
            _add_server_options(each)
        for known in (each, *actions_of(each).values()):
            for action in known._actions:
                _complete(action)
    sys.stdout.write(shtab.complete(parser, given.shell))
    return 0


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[argparse.Action, tuple[str, argparse.ArgumentParser]]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from zip(action._get_subactions(), action.choices.items(), strict=True)


def _add_server_options(parser: argparse.ArgumentParser) -> None:
    """The options of the server, which starts without an argument parser."""
    from llmblocks.cli.server import LEVELS, USAGE

    for name, value, text in _SERVER_OPTION.findall(USAGE):
        option = parser.add_argument(name, help=text, **({"metavar": value} if value else {"action": "store_true"}))
        if value == "LEVEL":
            option.choices = LEVELS


def _complete(action: argparse.Action) -> None:
    """Complete files, folders, and the codes of rules by what an argument is called."""
    import shtab

    if action.metavar in _FILES:
        action.complete = shtab.FILE  # type: ignore[attr-defined]
    elif action.metavar in _FOLDERS:
        action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    elif action.metavar in (*_RULES, *_RULE_LISTS):
        action.complete = _rules(listed=action.metavar in _RULE_LISTS)  # type: ignore[attr-defined]


def _rules(*, listed: bool) -> dict[str, str | dict[str, str]]:
    """The completion of rules, as shtab takes it."""
    from llmblocks.settings.rule_names import NAMES

    codes, names = " ".join(NAMES), " ".join(NAMES.values())
    return {
        "bash": "_llmblocks_rules",
        "zsh": "_llmblocks_rule_list" if listed else "_llmblocks_rules",
        "fish": "(_llmblocks_rule_list)" if listed else "(_llmblocks_rules)",
        "tcsh": f"({codes})",
        "powershell": "_llmblocks_rules",
        "preamble": {
            "bash": _BASH.replace("CODES", codes).replace("NAMES", names),
            "zsh": _ZSH.replace("DESCRIBED", " ".join(f"{code}:{name}" for code, name in NAMES.items())).replace(
                "NAMES", names
            ),
            "fish": _FISH.replace("DESCRIBED", " ".join(rf"{code}\t{name}" for code, name in NAMES.items())).replace(
                "NAMES", names
            ),
            "powershell": _POWERSHELL.replace("LISTED", ", ".join(f"'{each}'" for each in NAMES)),
        },
    }
