"""The table of all commands, their argument parsers, and the options that several share."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, TypeVar

from llmblocks import __version__
from llmblocks.languages.registry import host_ids, language_ids

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_DESCRIPTION = """\
A linter, formatter and language server for text formats of language models:
  gadget         calls between !!!GADGET_START and !!!GADGET_END, as in llmist
                 (*.gadget, its session logs)
  stf            chat histories in Simple Text Format (*.stf)
  custom-blocks  XML-like tags in free text (*.blocks)
  completion     reasoning and tool calls as a chat model writes them
                 (*.completion)
"""
_EXAMPLES = """\
  llmblocks demo                      watch the server work, in this terminal
  llmblocks check chats/ answer.stf   report mistakes in files and folders
  llmblocks explain G101              explain a rule, with examples
  llmblocks server                    run the language server for an editor
"""
N = TypeVar("N", int, float)
LARGEST: Final = (1 << 31) - 1
MOST_JOBS = 61
"""The maximum number of processes that Windows can wait for."""
Options = argparse._ActionsContainer


class CliCommand(NamedTuple):
    """A command."""

    name: str
    help: str
    module: str
    """The module that implements it.

    `add_arguments` describes it to a parser, `main` returns the exit status. If it has several commands, the functions
    of the others begin with their names, such as `rules_main`.
    """
    actions: tuple[str, ...] = ()
    """The first is the default."""


GROUPS = {
    "find and fix mistakes": (
        CliCommand("check", "report mistakes in files", "check"),
        CliCommand("format", "format files without changing what a program reads", "format"),
        CliCommand("explain", "explain a rule", "explain"),
        CliCommand("rules", "list all rules", "explain"),
        CliCommand("test-rules", "test your own rules", "explain"),
    ),
    "look into a text": (
        CliCommand("parse", "print what a program reads in a file", "parse"),
        CliCommand("stream", "print the events of a text while it arrives", "stream"),
        CliCommand("graph", "show call dependencies", "parse"),
        CliCommand("diff", "compare what a program reads in two texts or sessions", "diff"),
        CliCommand("convert", "convert chats to and from other formats", "convert"),
        CliCommand("conformance", "score another implementation of the formats", "conformance"),
    ),
    "keep a model to a format": (CliCommand("grammar", "write a grammar for constrained decoding", "grammar"),),
    "follow agents": (
        CliCommand("session", "show the outcome of each call in an agent's logs", "session"),
        CliCommand("watch", "show calls and results while the logs of agents grow", "stream"),
    ),
    "analyse many texts": (
        CliCommand("report", "count failures across many files", "reporting"),
        CliCommand("export", "write clean training data", "exporting"),
    ),
    "set up": (
        CliCommand("config", "print, document or discover settings", "config", ("show", "schema", "discover")),
        CliCommand("completion", "print a completion script for a shell", "completion"),
        CliCommand("server", "run the language server", "server"),
        CliCommand("mcp", "serve agents over the Model Context Protocol", "mcp"),
        CliCommand("demo", "watch the language server at work in this terminal", "demo"),
    ),
}
COMMANDS = tuple([command for group in GROUPS.values() for command in group])


def parse(arguments: Sequence[str]) -> tuple[argparse.Namespace, argparse.ArgumentParser]:
    """Parse a command line, and return the arguments and the parser of the command.

    Only the arguments of the command are defined, because all of them would slow down every start.

    Raises:
        SystemExit: Misuse, or a request for help.
    """
    name = next((each for each in arguments if not each.startswith("-")), "")
    command = next((each for each in COMMANDS if each.name == name), None)
    if name and command is None:
        from difflib import get_close_matches

        names = [each.name for each in COMMANDS]
        near = get_close_matches(name, names, 1)
        advice = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(names)}"
        parser().error(f"unknown command {name}; {advice}")
    top = parser(*([command] if command else ()))
    if command and command.actions:
        at = arguments.index(name) + 1
        if not {*arguments[at : at + 1]} & {*command.actions, "-h", "--help"}:
            arguments = [*arguments[:at], command.actions[0], *arguments[at:]]
    given, left_over = top.parse_known_args(arguments)
    chosen = parsers_in(top).get(name, top)
    chosen = parsers_in(chosen).get(getattr(given, "action", ""), chosen)
    if left_over:
        # argparse reports it for all commands
        chosen.error(f"unrecognized arguments: {' '.join(left_over)}")
    return given, chosen


def load(command: str, function: str) -> Any:
    """Return a function of a command: see `CliCommand.module`."""
    (name,) = [each.module for each in COMMANDS if each.name == command]
    module = import_module(f"llmblocks.cli.{name}")
    return getattr(module, f"{command.replace('-', '_')}_{function}", None) or getattr(module, function)


def parser(*commands: CliCommand) -> argparse.ArgumentParser:
    """Return the parser of the command line, with the arguments of some commands."""
    listed = [
        f"{group}:\n" + "\n".join([f"  {each.name:<12}{each.help}" for each in GROUPS[group]]) for group in GROUPS
    ]
    top = _Parser("llmblocks", usage="llmblocks [options] COMMAND ...", formatter_class=_Formatter)
    describe(top, "\n\n".join([_DESCRIPTION, *listed]), _EXAMPLES)
    top.add_argument("--version", action="version", version=f"llmblocks {__version__}")
    made = top.add_subparsers(dest="command", metavar="COMMAND", prog="llmblocks", help=argparse.SUPPRESS)
    for each in commands:
        load(each.name, "add_arguments")(made.add_parser(each.name, help=each.help, formatter_class=_Formatter))
    return top


def describe(parser: argparse.ArgumentParser, description: str, examples: str) -> None:
    """Add the texts around the options of a command's help."""
    parser.description, parser.epilog = description, f"examples:\n{examples}"


def parsers_in(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the commands, or of the actions of a command."""
    found = [each.choices for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    return {name: each for choices in found for name, each in choices.items()}


def add_actions(parser: argparse.ArgumentParser, **helps: str) -> Sequence[argparse.ArgumentParser]:
    """Add the actions of a command, each with its help."""
    given = parser.add_subparsers(dest="action", metavar="ACTION", title="actions", prog=parser.prog)
    return [given.add_parser(name, help=text, formatter_class=_Formatter) for name, text in helps.items()]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        # argparse would print ten lines of usage before the reason
        usage = _Formatter(f"{self.prog} [options]")
        usage.add_usage(self.usage, [each for each in self._actions if each.required or not each.option_strings], ())
        said = f"{self.prog}: error: {message}\n{usage.format_help().rstrip()}"
        self.exit(2, f"{said}\nRun `{self.prog} --help` for details.\n")

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        # argparse ignores write errors
        (file or sys.stdout).write(self.format_help())


class _Formatter(argparse.HelpFormatter):
    """Breaks paragraphs to the width; one with an indented line, such as examples, keeps its lines."""

    def __init__(self, prog: str) -> None:
        # to compute the width, argparse would load shutil and its compressors
        super().__init__(prog, width=78)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        parts = text.rstrip("\n").split("\n\n")
        return "\n\n".join([each if "\n  " in each else fill(each, width, indent) for each in parts])


def option(to: Options, name: str, metavar: str, says: str, **how: Any) -> None:
    """Add an option with a value, or a positional argument."""
    to.add_argument(name, metavar=metavar, help=says, **how)


def flag(to: Options, name: str, says: str, *others: str) -> None:
    """Add an option without a value. `others` are other spellings."""
    to.add_argument(*others, name, action="store_true", help=says)


def add_files(parser: argparse.ArgumentParser, verb: str) -> None:
    """Add the arguments that choose many files. `verb` is the action of the command."""
    group = parser.add_argument_group("files")
    default = "(default: this folder, or with --stdin-filename standard input)"
    option(group, "files", "PATH", f"a file, a folder, or - for standard input {default}", nargs="*")
    ids = *language_ids(), *host_ids()
    add_language(group, f"the language of all files, regardless of their names: {', '.join(ids)}", ids)
    option(group, "--stdin-filename", "FILE", "treat standard input as a file with this path")
    flag(group, "--no-gitignore", f"also {verb} files that git ignores")
    flag(group, "--force-exclude", "skip excluded files even if they are named here")


def add_language(to: Options, says: str, ids: Sequence[str] = ()) -> None:
    option(to, "--language", "LANGUAGE", says, choices=ids or language_ids())


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for one file."""
    option(parser, "file", "FILE", "a file, or - for standard input")
    add_language(parser, "the language, regardless of the file's name")


def add_output(
    parser: Options,
    formats: Sequence[str] = (),
    default: str | None = None,
    says: str = "",
    *,
    file: bool = True,
    color: bool = False,
) -> argparse._ArgumentGroup:
    """Add the options of an output: `--output-format`, if there are several, `--output-file` and `--color`.

    `says` describes the default. The spellings of the previous version are accepted, but hidden.
    """
    group = parser.add_argument_group("output")

    def old(name: str, dest: str, **how: Any) -> None:
        group.add_argument(name, dest=dest, default=argparse.SUPPRESS, help=argparse.SUPPRESS, **how)

    if formats:
        told = f"{', '.join(formats)} (default: {says or default})"
        option(group, "--output-format", "FORMAT", told, choices=formats, default=default)
        old("--format", "output_format", choices=formats)
        for each in {"json", "tree", "tokens", "events"}.intersection(formats):
            old(f"--{each}", "output_format", action="store_const", const=each)
    if file:
        option(group, "--output-file", "FILE", "write there instead of to standard output")
        old("--output", "output_file")
        if "html" in formats:
            old("--html", "html", metavar="FILE", action=_Html)
    if color:
        choices, says = ("auto", "always", "never"), "colours (default: auto: on a terminal)"
        group.add_argument("--color", choices=choices, default="auto", help=says)
    return group


class _Html(argparse.Action):
    """The old spelling of `--output-format html --output-file FILE`."""

    def __call__(self, _: object, given: argparse.Namespace, value: Any, __: object = None) -> None:
        given.output_format, given.output_file = "html", value


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names the settings file."""
    group = parser.add_argument_group("settings")
    option(group, "--settings", "FILE", "the settings file, instead of the nearest one", type=_file)


def add_jobs(parser: Options) -> None:
    """Add the number of processes."""
    says = "number of worker processes (default: CPU count)"
    parser.add_argument("-j", "--jobs", metavar="N", type=number(1, MOST_JOBS), default=0, help=says)


def number(least: N, most: N) -> Callable[[str], N]:
    """Return a parser for numbers between two limits, of their type."""

    def read(text: str) -> N:
        with suppress(ValueError):
            found = type(least)(text)
            if least <= found <= most:
                return found
        raise argparse.ArgumentTypeError(f"{text} is invalid; use a number from {least} to {most}")

    return read


def checked(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a parser of an argument, from one that raises `ValueError` with the reason."""

    def parse(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse


def _file(name: str) -> str:
    if not os.path.isfile(name):
        raise argparse.ArgumentTypeError(f"no such file: {name}")
    return name
