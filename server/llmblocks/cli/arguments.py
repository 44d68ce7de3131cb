"""The argument parser of all commands except `server`."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol, cast

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_DESCRIPTION = """\
Finds mistakes in three text formats of language models:
  gadget         calls between !!!GADGET_START and !!!GADGET_END, as in llmist
                 (*.gadget, its session logs)
  stf            chat histories in Simple Text Format (*.stf)
  custom-blocks  XML-like tags in free text (*.blocks)
"""
_EXAMPLES = """\
examples:
  llmblocks demo                      watch the server work, in this terminal
  llmblocks check chats/ answer.stf   report mistakes in files and folders
  llmblocks explain G101              explain a rule, with examples
  llmblocks server                    run the language server for an editor
"""
_LEFT_OVER = "unrecognized arguments: "
_NEAR = 0.7
"""The least similarity between an unknown option and the known one that is suggested."""
_UNKNOWN_OPTION = rf"^{_LEFT_OVER}(?:.* )?(--[^\s=]+)"


class CliCommand(NamedTuple):
    """A command. Shape: `module` is the one that implements it, as a `CommandModule`; it may have several `actions`, of
    which the first is done where none is named.
    """

    name: str
    help: str
    module: str = ""
    actions: tuple[str, ...] = ()


class CommandModule(Protocol):
    """The module of a command."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Describe the command to its parser."""

    def main(self, given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
        """Run the command. Returns the exit status."""


COMMANDS = (
    CliCommand("check", "report mistakes in files", "check"),
    CliCommand("format", "format files without changing what a program reads", "format"),
    CliCommand("parse", "print what a program reads in a file", "parse"),
    CliCommand("stream", "print the events of a text while it arrives", "stream"),
    CliCommand("convert", "convert chats to and from other formats", "convert"),
    CliCommand("report", "tell what fails how often in many texts", "reporting"),
    CliCommand("export", "write clean training data from responses, chats and sessions", "exporting"),
    CliCommand("graph", "show which calls wait for which", "graph"),
    CliCommand("session", "show what became of the calls in the logs of an agent", "session"),
    CliCommand("watch", "show calls and results while the logs of agents grow", "follow_logs"),
    CliCommand("diff", "compare two responses, chats or sessions by what they mean", "diff"),
    CliCommand("rules", "list all rules", "rules"),
    CliCommand(
        "config", "print the settings in force, and the source of each", "config", ("show", "schema", "discover")
    ),
    CliCommand("explain", "explain a rule", "explain"),
    CliCommand("demo", "watch the language server at work in this terminal", "demo"),
    CliCommand("completion", "print a completion script for a shell", "completion"),
    CliCommand("mcp", "serve agents over the Model Context Protocol", "mcp"),
    # never parsed: `llmblocks server` starts without this module
    CliCommand("server", "run the language server, on standard input and output"),
)


def load(name: str) -> CommandModule:
    """The module of a command."""
    (command,) = [each for each in COMMANDS if each.name == name]
    return cast("CommandModule", import_module(f"llmblocks.cli.{command.module}"))


class _Parser(argparse.ArgumentParser):
    beside: Sequence[argparse.ArgumentParser] = ()
    """The parsers of all actions of its command."""

    def error(self, message: str) -> NoReturn:
        found = re.search(_UNKNOWN_OPTION, message)
        advice = self._advice(found[1]) if found else ""
        # argparse would print a usage of ten lines in front of the reason
        self.exit(2, f"{self.prog}: error: {message}{advice}\n{_usage(self)}\nRun `{self.prog} --help` for details.\n")

    def _advice(self, option: str) -> str:
        """The action that has an option, or the nearest option."""
        from difflib import get_close_matches

        if others := [each.prog for each in self.beside if option in _options(each)]:
            return f"; it is an option of `{others[0]}`"
        # without the signs, in which all are alike
        near = get_close_matches(option[2:], [each[2:] for each in _options(self)], 1, _NEAR)
        return f"; did you mean --{near[0]}?" if near else ""

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        # argparse ignores write errors
        (file or sys.stdout).write(self.format_help())


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [name for action in parser._actions for name in action.option_strings if name.startswith("--")]


def actions_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parsers of the actions of a command, or of the commands."""
    found = [each.choices for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    return {name: each for choices in found for name, each in choices.items()}


def add_actions(parser: argparse.ArgumentParser, **helps: str) -> Sequence[argparse.ArgumentParser]:
    """Add the actions of a command, each with its help."""
    given = parser.add_subparsers(dest="action", metavar="ACTION", title="actions", prog=parser.prog)
    made = [given.add_parser(name, help=text, formatter_class=_formatter) for name, text in helps.items()]
    for each in made:
        if isinstance(each, _Parser):
            each.beside = made
    return made


def with_action(arguments: Sequence[str], command: str) -> list[str]:
    """The arguments of a command with the name of its action in front."""
    actions = next((each.actions for each in COMMANDS if each.name == command), ())
    if not actions:
        return [*arguments]
    at = arguments.index(command) + 1
    rest = [*arguments[at:]]
    action = next((each for each in rest if not each.startswith("-")), "")
    if action in actions:
        rest.remove(action)
    elif rest[:1] in (["-h"], ["--help"]):
        return [*arguments]
    else:
        action = actions[0]
    return [*arguments[:at], action, *rest]


def _usage(parser: argparse.ArgumentParser) -> str:
    """The usage of a command in one line."""
    shapes = {"*": "[{} ...]", "+": "{} [{} ...]", "?": "[{}]", argparse.PARSER: "{} ..."}
    required = [
        f"{each.option_strings[-1]} {each.metavar or each.dest.upper()}"
        for each in parser._get_optional_actions()
        if each.required
    ]
    named = [
        shapes.get(str(each.nargs), "{}").format(each.metavar or each.dest.upper())
        for each in parser._get_positional_actions()
    ]
    return f"usage: {' '.join([parser.prog, '[options]', *required, *named])}"


def _formatter(prog: str) -> argparse.HelpFormatter:
    """argparse's formatter with a fixed width: to learn the width, argparse would load shutil and its compressors."""
    given = os.environ.get("COLUMNS", "")
    columns = int(given) if given.isdecimal() else 0
    with suppress(OSError):
        columns = columns or os.get_terminal_size(1).columns
    return _Formatter(prog, width=(columns or 80) - 2)


class _Formatter(argparse.HelpFormatter):
    """Breaks paragraphs to the width; one with an indented line, such as examples, keeps its lines."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        parts = text.rstrip("\n").split("\n\n")
        return "\n\n".join([each if "\n  " in each else fill(each, width, indent) for each in parts])


def parser(version: str, command: str = "") -> tuple[argparse.ArgumentParser, argparse.ArgumentParser]:
    """The parser of the whole command line, and the one of a command. Shape: its result has `command`, or None.

    Only the arguments of `command` are defined: those of the others would slow down every start.
    """
    top, parsers = _parsers(version, command)
    if command:
        load(command).add_arguments(parsers[command])
    return top, parsers.get(command, top)


def full_parser(version: str) -> argparse.ArgumentParser:
    """The parser with the arguments of all commands, for documentation and completion."""
    top, parsers = _parsers(version)
    for each in COMMANDS:
        if each.module:
            load(each.name).add_arguments(parsers[each.name])
    return top


def _parsers(version: str, command: str = "") -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    top = _Parser("llmblocks", description=_DESCRIPTION, epilog=_EXAMPLES, formatter_class=_formatter)
    top.add_argument("--version", action="version", version=f"llmblocks {version}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands", prog="llmblocks")
    if command and command not in [each.name for each in COMMANDS]:
        top.error(_unknown(command))
    return top, {
        each.name: commands.add_parser(
            each.name, help=each.help, formatter_class=_formatter, add_help=bool(each.module)
        )
        for each in COMMANDS
        # a parser takes a third of a millisecond
        if command in ("", each.name)
    }


def _unknown(command: str) -> str:
    from difflib import get_close_matches

    names = [each.name for each in COMMANDS]
    near = get_close_matches(command, names, 1)
    advice = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(names)}"
    return f"unknown command {command}; {advice}"
