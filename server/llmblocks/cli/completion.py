"""`llmblocks completion`: completion scripts for shells."""

from __future__ import annotations

import argparse
import sys

from llmblocks.cli.arguments import COMMANDS, describe, parser, parsers_in

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")
_EXAMPLES = """\
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


def add_arguments(own: argparse.ArgumentParser) -> None:
    describe(own, "Prints a script that completes commands and options in a shell.", _EXAMPLES)
    own.add_argument("shell", choices=SHELLS, help="the shell")


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    import shtab

    top = parser(*COMMANDS)
    for action in top._actions:
        # the help lists them in groups, a shell in one list
        action.help = None if action.dest == "command" else action.help
    # of an argument, by its name
    completed = {
        **dict.fromkeys(("FILE", "PATH"), shtab.FILE),
        **dict.fromkeys(("FOLDER", "DIR"), shtab.DIRECTORY),
        "CODE": _rules(""),
        "CODES": _rules("_list"),
    }
    for command in COMMANDS:
        each = parsers_in(top)[command.name]
        # its own text is too long to fit beside a name
        each.description = command.help
        for known in (each, *parsers_in(each).values()):
            for action in known._actions:
                if action.metavar in completed:
                    action.complete = completed[action.metavar]  # type: ignore[attr-defined]
    sys.stdout.write(shtab.complete(top, given.shell))
    return 0


def _rules(ending: str) -> dict[str, str | dict[str, str]]:
    """Return the completion of rules, in the form of shtab; `ending` is that of the function that completes them."""
    from llmblocks.settings.rule_names import NAMES

    codes, names = " ".join(NAMES), " ".join(NAMES.values())
    zsh, fish = (" ".join([sign.join(each) for each in NAMES.items()]) for sign in (":", r"\t"))
    return {
        "bash": "_llmblocks_rules",
        "zsh": f"_llmblocks_rule{ending or 's'}",
        "fish": f"(_llmblocks_rule{ending or 's'})",
        "tcsh": f"({codes})",
        "powershell": "_llmblocks_rules",
        "preamble": {
            "bash": _BASH.replace("CODES", codes).replace("NAMES", names),
            "zsh": _ZSH.replace("DESCRIBED", zsh).replace("NAMES", names),
            "fish": _FISH.replace("DESCRIBED", fish).replace("NAMES", names),
            "powershell": _POWERSHELL.replace("LISTED", ", ".join(f"'{each}'" for each in NAMES)),
        },
    }
