"""The options that several commands share, and the files that they choose."""

from __future__ import annotations

import argparse
import glob
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from llmblocks.cli.files import find
from llmblocks.cli.output import spare
from llmblocks.cli.processes import MOST_JOBS
from llmblocks.cli.source import STDIN, InputError, SourceFile, is_remote
from llmblocks.languages.registry import host_ids, language_ids

if TYPE_CHECKING:
    from llmblocks.cli.project import CommandProject


N = TypeVar("N", int, float)
LARGEST: Final = (1 << 31) - 1


def add_files(parser: argparse.ArgumentParser, verb: str) -> None:
    """Add the arguments that choose many files. `verb` is the action of the command."""
    group = parser.add_argument_group("files")
    group.add_argument(
        "files",
        nargs="*",
        metavar="PATH",
        help="a file, a folder, or - for standard input (default: this folder, or with --stdin-filename standard "
        "input)",
    )
    ids = *language_ids(), *host_ids()
    group.add_argument(
        "--language",
        metavar="LANGUAGE",
        choices=ids,
        help=f"the language of all files, regardless of their names: {', '.join(ids)}",
    )
    group.add_argument("--stdin-filename", metavar="FILE", help="treat standard input as a file with this path")
    group.add_argument("--no-gitignore", action="store_true", help=f"also {verb} files that git ignores")
    group.add_argument("--force-exclude", action="store_true", help="skip excluded files even if they are named here")


def add_input(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add the arguments for one file, or for several with these names."""
    for each in names or ("file",):
        parser.add_argument(each, metavar=each[0].upper() if names else "FILE", help="a file, or - for standard input")
    parser.add_argument(
        "--language", metavar="LANGUAGE", choices=language_ids(), help="the language, regardless of the file's name"
    )


def add_output(
    parser: argparse._ActionsContainer,
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
    if formats:
        group.add_argument(
            "--output-format",
            metavar="FORMAT",
            choices=formats,
            default=default,
            help=f"{', '.join(formats)} (default: {says or default})",
        )
        old = [("--format", None), *[(f"--{each}", each) for each in ("json", *_KINDS) if each in formats]]
        for name, value in old:
            how = {"choices": formats} if value is None else {"action": "store_const", "const": value}
            group.add_argument(name, dest="output_format", default=argparse.SUPPRESS, help=argparse.SUPPRESS, **how)
    if file:
        group.add_argument("--output-file", metavar="FILE", help="write there instead of to standard output")
        group.add_argument("--output", dest="output_file", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        if "html" in formats:
            group.add_argument(
                "--html", metavar="FILE", action=_Html, default=argparse.SUPPRESS, help=argparse.SUPPRESS
            )
    if color:
        group.add_argument(
            "--color",
            choices=("auto", "always", "never"),
            default="auto",
            help="colours (default: auto: on a terminal)",
        )
    return group


_KINDS = ("tree", "tokens", "events")


class _Html(argparse.Action):
    """The old spelling of `--output-format html --output-file FILE`."""

    def __call__(self, _: object, given: argparse.Namespace, value: Any, __: object = None) -> None:
        given.output_format, given.output_file = "html", value


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names the settings file."""
    group = parser.add_argument_group("settings")
    group.add_argument("--settings", metavar="FILE", type=_file, help="the settings file, instead of the nearest one")


def add_jobs(parser: argparse._ActionsContainer) -> None:
    """Add the number of processes."""
    parser.add_argument(
        "-j",
        "--jobs",
        metavar="N",
        type=number(1, MOST_JOBS),
        default=0,
        help="number of worker processes (default: CPU count)",
    )


def add_quiet(parser: argparse._ActionsContainer, says: str) -> None:
    parser.add_argument("-q", "--quiet", action="store_true", help=says)


def number(least: N, most: N) -> Callable[[str], N]:
    """Return a parser for numbers between two limits, of their type."""

    def read(text: str) -> N:
        with suppress(ValueError):
            found = type(least)(text)
            if least <= found <= most:
                return found
        raise argparse.ArgumentTypeError(f"{text} is invalid; use a number from {least} to {most}")

    return read


def _file(name: str) -> str:
    if not os.path.isfile(name):
        raise argparse.ArgumentTypeError(f"no such file: {name}")
    return name


def named_files(given: argparse.Namespace, parser: argparse.ArgumentParser) -> list[str]:
    """Return the files and folders that the arguments of `add_files` name."""
    if given.stdin_filename is not None and given.files and STDIN not in given.files:
        parser.error("--stdin-filename requires standard input: pass `-` or no paths")
    return given.files or [os.curdir if given.stdin_filename is None else STDIN]


def chosen_files(
    given: argparse.Namespace, names: list[str], project: CommandProject, *, any_data: bool = False
) -> Iterator[SourceFile | InputError]:
    """Yield the files that the arguments of `add_files` choose.

    `names` are those of `named_files`. With `any_data`, forced data and code need no settings.
    """
    return find(
        names,
        given.language,
        project,
        stdin_name=given.stdin_filename,
        ignored=given.no_gitignore,
        forced=given.force_exclude,
        any_data=any_data,
        otherwise="completion" if getattr(given, "template", None) else None,
    )


def corpus_files(
    given: argparse.Namespace, names: list[str], project: CommandProject
) -> Iterator[SourceFile | InputError]:
    """Yield the files that the arguments of `add_files` choose: first local ones, then those of storages."""
    remote = [*filter(is_remote, dict.fromkeys(names))]
    yield from chosen_files(given, [*globbed([each for each in names if not is_remote(each)])], project, any_data=True)
    if remote:
        from llmblocks.cli.corpus.texts import remote_files
    for name in remote:
        if not any(name.startswith(f"{other.rstrip('/')}/") for other in remote if other != name):
            yield from remote_files(name, given.language, project)


def globbed(names: list[str]) -> Iterator[str]:
    """Yield the files that patterns match, which some shells pass on."""
    for name in names:
        if name != STDIN and glob.has_magic(name) and not os.path.lexists(name):
            yield from sorted(glob.glob(name, recursive=True)) or [name]
        else:
            yield name


def spared(
    sources: Iterator[SourceFile | InputError], project: CommandProject, output_file: str
) -> Iterator[SourceFile | InputError]:
    """Yield the same files; raise `InputError` if the report would replace one of them, or a file of the settings."""
    if not os.path.exists(output_file):
        yield from sources
        return
    for source in sources:
        if isinstance(source, SourceFile) and not source.is_stdin:
            spare(output_file, [source.name])
        yield source
    spare(output_file, project.files())
