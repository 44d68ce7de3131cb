"""The files that the arguments of a command choose."""

from __future__ import annotations

import argparse
import glob
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from llmblocks.cli.files import find
from llmblocks.cli.output import spare
from llmblocks.cli.source import STDIN, InputError, SourceFile, is_remote

if TYPE_CHECKING:
    from llmblocks.cli.project import CommandProject


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
    given: argparse.Namespace, names: list[str], project: CommandProject, *outputs: str | None
) -> Iterator[SourceFile | InputError]:
    """Return the files that the arguments of `add_files` choose: first local ones, then those of storages.

    `InputError` if an output would replace one of them.
    """
    sources = _of_corpus(given, names, project)
    for output in filter(None, outputs):
        sources = spared(sources, project, output)
    return sources


def _of_corpus(
    given: argparse.Namespace, names: list[str], project: CommandProject
) -> Iterator[SourceFile | InputError]:
    remote = [*filter(is_remote, dict.fromkeys(names))]
    yield from chosen_files(given, [*_globbed([each for each in names if not is_remote(each)])], project, any_data=True)
    if remote:
        from llmblocks.cli.corpus.texts import remote_files
    for name in remote:
        if not any(name.startswith(f"{other.rstrip('/')}/") for other in remote if other != name):
            yield from remote_files(name, given.language, project)


def _globbed(names: list[str]) -> Iterator[str]:
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
