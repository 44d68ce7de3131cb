"""The options that several commands share."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from llmblocks.cli.processes import MOST_JOBS
from llmblocks.languages.registry import host_ids, language_ids

N = TypeVar("N", int, float)
LARGEST: Final = (1 << 31) - 1
_KINDS = ("tree", "tokens", "events")
Options = argparse._ActionsContainer


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
        for each in ("json", *_KINDS):
            if each in formats:
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
