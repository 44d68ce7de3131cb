"""The files that the arguments of a command choose, and their response template."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.cli.arguments import checked, option
from llmblocks.cli.files import find, read
from llmblocks.cli.output import spare
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import STDIN, InputError, SourceFile, is_remote
from llmblocks.languages.registry import find_language, host_ids

if TYPE_CHECKING:
    from llmblocks.languages.ask import Ask
    from llmblocks.settings.given import Given
    from llmblocks.settings.values import Settings

Sources = Iterator[SourceFile | InputError]


def named_files(given: argparse.Namespace, parser: argparse.ArgumentParser) -> list[str]:
    """Return the files and folders that the arguments of `add_files` name."""
    if given.stdin_filename is not None and given.files and STDIN not in given.files:
        parser.error("--stdin-filename requires standard input: pass `-` or no paths")
    return given.files or [os.curdir if given.stdin_filename is None else STDIN]


def chosen_files(given: argparse.Namespace, names: list[str], project: CommandProject) -> Sources:
    """Yield the files that the arguments of `add_files` choose. `names` are those of `named_files`."""
    return find(
        names,
        given.language,
        project,
        stdin_name=given.stdin_filename,
        ignored=given.no_gitignore,
        forced=given.force_exclude,
        otherwise="completion" if getattr(given, "template", None) else None,
    )


def corpus_files(given: argparse.Namespace, names: list[str], project: CommandProject) -> Sources:
    """Yield the files that the arguments of `add_files` choose: first local ones, then those of storages."""
    remote = [*filter(is_remote, dict.fromkeys(names))]
    local = [path for name in names if not is_remote(name) for path in _globbed(name)]
    yield from chosen_files(given, local, project)
    if remote:
        from llmblocks.cli.corpus.texts import remote_files
    for name in remote:
        if not any(name.startswith(f"{other.rstrip('/')}/") for other in remote if other != name):
            yield from remote_files(name, given.language, project)


def _globbed(name: str) -> list[str]:
    """Return the files that a pattern matches, which some shells pass on."""
    import glob

    if name == STDIN or not glob.has_magic(name) or os.path.lexists(name):
        return [name]
    return sorted(glob.glob(name, recursive=True)) or [name]


def spared(sources: Sources, project: CommandProject, *outputs: str | None) -> Sources:
    """Yield the same files; raise `InputError` if an output would replace one of them, or a file of the settings."""
    existing = [each for each in outputs if each is not None and os.path.exists(each)]
    for source in sources:
        if existing and isinstance(source, SourceFile) and not source.is_stdin:
            spare([source.name], *existing)
        yield source
    spare(project.files(), *existing)


class Input(NamedTuple):
    """A text with its language and settings."""

    name: str
    """Its path, or `-`."""
    language_id: str
    text: str
    settings: Settings
    project: CommandProject
    """Knows other files."""

    def ask(self) -> Ask:
        """Return a question about the whole text, which may wait for calls of earlier files of its session."""
        from llmblocks.languages.ask import ask_all

        language = find_language(self.language_id)
        other_files = self.project.other_files(language, self.name)
        return ask_all(language.open(self.text, self.settings), language, self.settings, other_files)


def read_input(given: argparse.Namespace, *, hosts: bool = False) -> Input:
    """Read the file, which may embed texts if `hosts`.

    Raises:
        InputError: It cannot be read, is a folder, or has invalid settings.
    """
    project = CommandProject(given.settings, with_template(given))
    if os.path.isdir(given.file):
        raise InputError(f"{given.file}: a folder; give one file")
    (source,) = find([given.file], given.language, project)
    if isinstance(source, InputError):
        raise source
    if source.language_id in host_ids() and not hosts:
        title = find_language(source.language_id).title
        raise InputError(
            f"{given.file}: {title} may embed several texts, and this command reads one; put it into a separate file"
        )
    settings = project.valid_settings_for(source.name)
    project.tell_problems()
    return Input(source.name, source.language_id, read(source, settings.max_size_mb), settings, project)


_PATHS = (
    *("completion", "response", "output", "generated_text", "text", "content", "raw"),
    *("messages[role=assistant].content", "choices[*].text", "choices[*].message.content"),
)
"""The paths of completions in rows of logs."""
_FILES = ("**/*.jsonl", "**/*.ndjson", "**/*.json")
_DATA = (".jsonl", ".ndjson", ".json")
_MOST = 1 << 20
_MOST_FILES = 100


def of_template(name: str, files: Sequence[str], parser: argparse.ArgumentParser) -> dict[str, Given]:
    """Return the settings for a template of the command line; report one that does not exist."""
    try:
        name = _guess(files) if name == "auto" else template_named(name)
    except ValueError as error:
        parser.error(f"--template {name}: {error}")
    strings = dict.fromkeys(_PATHS, "completion")
    return {"completion": {"template": name}, "files": {"strings": dict.fromkeys(_FILES, strings)}}


def add_template(parser: argparse.ArgumentParser) -> None:
    """Add the option for the template of a raw completion."""
    says = "the response template of a raw completion: a name such as qwen3-coder, or a JSON file"
    option(parser, "--template", "TEMPLATE", says, type=checked(template_named))


def with_template(given: argparse.Namespace) -> dict[str, Given]:
    """Return the settings for the given template."""
    template = getattr(given, "template", None)
    return {} if template is None else {"completion": {"template": template}}


def template_named(name: str) -> str:
    """Return the template of an option, in the form of a setting; raise `ValueError` if it does not exist."""
    from llmblocks.completions.shipped import template_called
    from llmblocks.settings.files import read_template

    if not name.endswith(".json"):
        template_called(name)
        return name
    template, *_ = read_template(os.path.abspath(name))
    if isinstance(template, ValueError):
        raise template
    return template


def _guess(files: Sequence[str]) -> str:
    """Return the probable template of the files, and report it on standard error."""
    from llmblocks.completions.shipped import guessed

    walked = [os.path.join(at, each) for name in files for at, _, names in os.walk(name) for each in names]
    inside = sorted([each for each in walked if each.endswith((*_DATA, ".completion")) and os.path.isfile(each)])
    named = [*[name for name in files if name != STDIN and os.path.isfile(name)], *inside][:_MOST_FILES]
    texts = list[str]()
    for name in named:
        with open(name, encoding="utf-8", errors="replace") as file:
            texts.append(file.read(_MOST))
    found = guessed("\n".join(texts), escaped=any(name.endswith(_DATA) for name in named))
    sys.stderr.write(f"template {found.name}: {found.why}\n")
    return found.name
