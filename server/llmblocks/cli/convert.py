"""`llmblocks convert`: chats and single messages between our formats, OpenAI, Anthropic, JSON and NDJSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any, Literal

from llmblocks import stf
from llmblocks.cli import assistant
from llmblocks.cli.files import read
from llmblocks.cli.options import add_output, add_settings
from llmblocks.cli.output import is_same, spare, write_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import STDIN, InputError, SourceFile
from llmblocks.cli.templates import add_template, with_template
from llmblocks.settings.values import DEFAULTS, Settings
from llmblocks.stf import Converted, Transcript
from llmblocks.stf.convert.plain import load_json

_DESCRIPTION = """\
Converts a chat, and lists on standard error what the result cannot represent.

exit status: 0 nothing was lost; 1 something was, or the chat has mistakes; 2 the
chat could not be converted, or with --lossless would have lost something
"""
_EXAMPLES = """\
examples:
  llmblocks convert chat.stf --to openai > messages.json
  llmblocks convert chat.json --from anthropic --to stf --output-file chat.stf
  llmblocks convert chat.stf --to stf-semicolon --lossless
  llmblocks convert answer.completion --to openai --template qwen3-coder
  llmblocks convert chat.stf --to completion --template gpt-oss
"""
_SUFFIXES = {".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson"}


def _write_json(found: Converted[Any]) -> Converted[str]:
    return Converted(json.dumps(found.value, indent=2) + "\n", found.lost)


_READERS: dict[str, Callable[[str, Settings], Converted[Transcript]]] = {
    "stf": lambda text, settings: decoded(text, settings),
    "openai": lambda text, _: stf.from_openai(_loaded(text)),
    "anthropic": lambda text, _: stf.from_anthropic(_loaded(text)),
    "json": lambda text, _: Converted(stf.from_json(text), ()),
    "ndjson": lambda text, _: Converted(stf.from_ndjson(text), ()),
    "gadget": assistant.from_gadgets,
    "completion": assistant.from_completion,
}
_WRITERS: dict[str, Callable[[Transcript, Settings], Converted[str]]] = {
    "stf": lambda transcript, _: Converted(stf.encode(transcript), ()),
    "stf-semicolon": lambda transcript, _: Converted(stf.encode(transcript, dialect=";"), ()),
    "openai": lambda transcript, _: _write_json(stf.to_openai(transcript)),
    "anthropic": lambda transcript, _: _write_json(stf.to_anthropic(transcript)),
    "json": lambda transcript, _: _with_newline(stf.to_json(transcript)),
    "ndjson": lambda transcript, _: stf.to_ndjson(transcript),
    "gadget": assistant.to_gadgets,
    "completion": assistant.to_completion,
}


Format = Literal["stf", "stf-semicolon", "openai", "anthropic", "json", "ndjson", "gadget", "completion"]
"""The formats of chats. A chat in either dialect of Simple Text Format is read as `stf`."""
_OTHER_JSON = "; if this is a request to a service, pass --from openai or --from anthropic"


def converted(text: str, source: str, target: str, settings: Settings = DEFAULTS) -> Converted[str]:
    """Convert a chat to another format; raise `ValueError` or `TypeError` with the reason if that is impossible."""
    found = _READERS["stf" if source == "stf-semicolon" else source](text, settings)
    written = _WRITERS[target](found.value, settings)
    return Converted(written.value, (*found.lost, *written.lost))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")
    of_file = f"the format of the file: {', '.join(_READERS)} (default: by its name)"
    parser.add_argument("--from", dest="source", metavar="FORMAT", choices=_READERS, help=of_file)
    of_result = f"the format of the result: {', '.join(_WRITERS)}"
    parser.add_argument("--to", dest="target", metavar="FORMAT", choices=_WRITERS, required=True, help=of_result)
    add_output(parser).add_argument("--lossless", action="store_true", help="write nothing if anything would be lost")
    add_template(parser)
    add_settings(parser)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    project = CommandProject(given.settings, with_template(given))
    settings = project.valid_settings_for(given.file)
    text = read(SourceFile(given.file, "stf"), settings.max_size_mb)
    source = given.source or _format_of(given.file, project)
    try:
        found = converted(text, source, given.target, settings)
    except (ValueError, TypeError) as error:
        guessed = source == "json" and not given.source
        raise InputError(f"{given.file}: {error}{_OTHER_JSON if guessed else ''}") from error
    lost = found.lost
    for each in lost:
        sys.stderr.write(f"{given.file}: lost: {each.path}: {each.message}\n")
    if lost and given.lossless:
        raise InputError("nothing written: --lossless allows no losses")
    if lost and given.output_file and is_same(given.file, given.output_file):
        raise InputError(
            f"{given.output_file}: not written: what is lost would be lost for good; give --output-file another name"
        )
    if given.output_file:
        spare(given.output_file, project.files())
    write_output(found.value, given.output_file)
    return 1 if lost else 0


def _format_of(name: str, project: CommandProject) -> str:
    if (language := project.language_of(name)) in _READERS:
        return language
    for suffix, found in _SUFFIXES.items():
        if name.lower().endswith(suffix):
            return found
    reason = "standard input has no name" if name == STDIN else f"{name}: cannot tell the format from the name"
    raise InputError(f"{reason}; pass --from with {', '.join(_READERS)}")


def decoded(text: str, settings: Settings) -> Converted[Transcript]:
    """Return the chat in a text. Lost: parts with mistakes."""
    transcript = stf.decode(text, dialect=settings.dialect, default_role=settings.default_role or None)
    lost = [stf.Loss(f"line {each.line}", f"{each.code} {each.message}") for each in transcript.findings]
    return Converted(transcript, (*lost,))


def _loaded(text: str) -> Any:
    found = load_json(text)
    if not isinstance(found, list | dict):
        raise ValueError("expected a list of messages, or a request that has one")
    return found


def _with_newline(found: Converted[str]) -> Converted[str]:
    return Converted(found.value + "\n", found.lost)
