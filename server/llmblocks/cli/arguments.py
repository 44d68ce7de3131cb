"""The argument parser."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from llmblocks.cli.report import FORMATS
from llmblocks.languages.registry import language_ids

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from llmblocks.settings.given import Given

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
_CHECK = """\
Reports the findings of an editor, one line each:
path:line:col: severity code message. Lines and columns count from 1, a column is
a character. Settings come from the nearest llmblocks.toml, or pyproject.toml with
a table [tool.llmblocks], from the file's folder upwards to the root of its repository.

exit status: 0 no errors, or none left after --fix; 1 errors found, or with --diff
something to change; 2 a file could not be checked, or a settings file is invalid
"""


class _Parser(argparse.ArgumentParser):
    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        # argparse ignores write errors
        (file or sys.stdout).write(self.format_help())


def _formatter(prog: str) -> argparse.HelpFormatter:
    """argparse's formatter with a fixed width: to learn the width, argparse would load shutil and its compressors."""
    try:
        columns = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        columns = 0
    if columns <= 0:
        try:
            columns = os.get_terminal_size(1).columns
        except OSError:
            columns = 0
    return argparse.RawDescriptionHelpFormatter(prog, width=(columns or 80) - 2)


def parser(version: str, command: str = "") -> argparse.ArgumentParser:
    """The parser of the whole command line. Shape: its result has `command`, or None.

    Only the arguments of `command` are defined: those of the others would slow down every start.
    """
    top = _Parser("llmblocks", description=_DESCRIPTION, epilog=_EXAMPLES, formatter_class=_formatter)
    top.add_argument("--version", action="version", version=f"llmblocks {version}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands", prog="llmblocks")

    check = commands.add_parser(
        "check", help="report mistakes in files", description=_CHECK, formatter_class=_formatter
    )
    explain = commands.add_parser("explain", help="explain a rule", formatter_class=_formatter)
    demo = commands.add_parser(
        "demo", help="watch the language server at work in this terminal", formatter_class=_formatter
    )
    # never parsed, `llmblocks server` starts without this module: listed for the help
    commands.add_parser("server", help="run the language server, on standard input and output", add_help=False)
    if command == "check":
        _add_check(check)
    elif command == "explain":
        _add_explain(explain)
    elif command == "demo":
        _add_demo(demo)
    return top


def _add_check(check: argparse.ArgumentParser) -> None:
    check.add_argument("files", nargs="+", metavar="FILE", help="a file, a folder, or - for standard input")
    check.add_argument(
        "--language", choices=language_ids(), help="the language of all files, regardless of their names"
    )
    check.add_argument("--format", choices=FORMATS, default="text", help="the output format (default: text)")
    check.add_argument("--fix", action="store_true", help="apply safe fixes, then report the rest")
    check.add_argument("--unsafe-fixes", action="store_true", help="also apply fixes that may change the meaning")
    check.add_argument("--diff", action="store_true", help="show the changes of --fix without making them")
    check.add_argument(
        "--select", metavar="CODES", type=_codes, default=(), help="only these rules, e.g. G1,duplicate-pointer"
    )
    check.add_argument(
        "--ignore",
        metavar="CODES",
        type=_codes,
        default=(),
        help="leave these rules out, besides those that the settings ignore",
    )
    check.add_argument("--settings", metavar="FILE", type=_file, help="the settings file, instead of the nearest one")


def _add_explain(explain: argparse.ArgumentParser) -> None:
    explain.add_argument("codes", nargs="*", metavar="CODE", help="the code or the name of a rule; default: list all")
    explain.add_argument("--pages", metavar="FOLDER", help="write the pages of all rules into this folder, as Markdown")


def _add_demo(demo: argparse.ArgumentParser) -> None:
    demo.add_argument("--speed", type=_speed, default=1.0, help="the typing speed: 2 is twice as fast (default: 1)")
    demo.add_argument("--plain", action="store_true", help="plain lines without pauses, as without a terminal")
    demo.add_argument("--examples", metavar="FOLDER", help="the folder of the example documents")


def over(given: argparse.Namespace) -> dict[str, Given]:
    """The settings of the command line, as in a settings file."""
    names = {"select": "select", "ignore": "extendIgnore"}
    rules = {setting: list(codes) for name, setting in names.items() if (codes := getattr(given, name))}
    return {"rules": rules} if rules else {}


def _codes(text: str) -> tuple[str, ...]:
    from llmblocks.rules.names import NAMES
    from llmblocks.settings.rule_names import code_of, nearest

    codes = []
    for each in filter(None, map(str.strip, text.split(","))):
        code = code_of(each, NAMES)
        if code is None:
            raise argparse.ArgumentTypeError(f"no rule has the code or name {each}; {nearest(each, NAMES)}")
        codes.append(code)
    return tuple(codes)


def _file(name: str) -> str:
    if not os.path.isfile(name):
        raise argparse.ArgumentTypeError(f"no such file: {name}")
    return name


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.01 <= speed <= 1000:
        raise argparse.ArgumentTypeError(f"invalid speed {text}; 1 is normal, 2 is twice as fast")
    return speed
