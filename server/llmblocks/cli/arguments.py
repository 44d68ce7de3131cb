"""The argument parser of all commands except `server`."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol, cast

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_DESCRIPTION = """\
Finds mistakes in three text formats of language models:
  gadget         calls between !!!GADGET_START and !!!GADGET_END, as in llmist (*.gadget, its session logs)
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
_UNKNOWN_OPTION = rf"^{_LEFT_OVER}(?:.* )?(--[^\s=]+)"


class Command(NamedTuple):
    """A command. Shape: `module` is the one that implements it, as a `CommandModule`."""

    name: str
    help: str
    module: str = ""


class CommandModule(Protocol):
    """The module of a command."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Describe the command to its parser."""

    def main(self, given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
        """Run the command. Returns the exit status."""


COMMANDS = (
    Command("check", "report mistakes in files", "check"),
    Command("format", "format files without changing what a program reads", "format"),
    Command("parse", "print what a program reads in a file", "parse"),
    Command("stream", "print the events of a text while it arrives", "stream"),
    Command("convert", "convert chats to and from other formats", "convert"),
    Command("report", "tell what fails how often in many texts", "reporting"),
    Command("export", "write clean training data from responses, chats and sessions", "exporting"),
    Command("graph", "show which calls wait for which", "graph"),
    Command("session", "show what became of the calls in the logs of an agent", "session"),
    Command("watch", "show calls and results while the logs of agents grow", "follow_logs"),
    Command("diff", "compare two responses, chats or sessions by what they mean", "diff"),
    Command("rules", "list all rules", "rules"),
    Command("config", "print the settings in force, and the source of each", "config"),
    Command("explain", "explain a rule", "explain"),
    Command("demo", "watch the language server at work in this terminal", "demo"),
    Command("completion", "print a completion script for a shell", "completion"),
    Command("mcp", "serve agents over the Model Context Protocol", "mcp"),
    # never parsed: `llmblocks server` starts without this module
    Command("server", "run the language server, on standard input and output"),
)


def load(name: str) -> CommandModule:
    """The module of a command."""
    (command,) = [each for each in COMMANDS if each.name == name]
    return cast("CommandModule", import_module(f"llmblocks.cli.{command.module}"))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        found = re.search(_UNKNOWN_OPTION, message)
        # what is left over is found by this parser, but meant for the command
        commands = [*self._commands()]
        parser = commands[0] if message.startswith(_LEFT_OVER) and len(commands) == 1 else self
        advice = self._advice(found[1]) if found else ""
        # argparse would print a usage of ten lines in front of the reason
        parser.exit(
            2, f"{parser.prog}: error: {message}{advice}\n{_usage(parser)}\nRun `{parser.prog} --help` for details.\n"
        )

    def _advice(self, option: str) -> str:
        """The nearest option, of the command that is parsed."""
        from difflib import get_close_matches

        options = [
            name
            for parser in (self, *self._commands())
            for action in parser._actions
            for name in action.option_strings
            if name.startswith("--")
        ]
        near = get_close_matches(option, options, 1)
        return f"; did you mean {near[0]}?" if near else ""

    def _commands(self) -> Iterable[argparse.ArgumentParser]:
        choices = (each.choices for each in self._actions if isinstance(each, argparse._SubParsersAction))
        return [parser for found in choices for parser in found.values()]

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        # argparse ignores write errors
        (file or sys.stdout).write(self.format_help())


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
    return argparse.RawDescriptionHelpFormatter(prog, width=(columns or 80) - 2)


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
