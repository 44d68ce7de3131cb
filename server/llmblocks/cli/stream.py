"""`llmblocks stream`: the events of a text while it arrives."""

from __future__ import annotations

import argparse
import codecs
import json
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial

from llmblocks.cli.colours import console
from llmblocks.cli.files import read
from llmblocks.cli.growing import GrowingFile, changes
from llmblocks.cli.input import add_template, with_template
from llmblocks.cli.options import add_language, add_output, add_settings, option
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import STDIN, InputError, SourceFile
from llmblocks.core.visible import visible
from llmblocks.features.streams import Emitted, LanguageStream
from llmblocks.json5.finite import finite
from llmblocks.languages.registry import find_language, host_ids

_CHUNK = 1 << 16
_DESCRIPTION = """\
Reads standard input as it arrives, or a file, and prints each event as soon as it is certain:
as NDJSON, or on a terminal as text with calls and blocks set apart. With --follow, it
reads a file that grows, until Ctrl-C; its unfinished end is still arriving.

exit status: 0 read to the end; 2 the input is not UTF-8, or a settings file is invalid
"""
_EXAMPLES = """\
examples:
  some-agent | llmblocks stream --language gadget
  llmblocks stream answer.gadget
  llmblocks stream --follow answer.gadget
  llmblocks stream answer.gadget --output-format ndjson | jq .event
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    option(parser, "file", "FILE", "a file, or - for standard input (the default)", nargs="?")
    add_language(parser, "the language of the text; of a file, its name tells")
    option(parser, "--follow", "FILE", "read this file, and what is appended to it, until Ctrl-C")
    add_output(parser, ("live", "ndjson"), says="live on a terminal", file=False, color=True)
    add_template(parser)
    add_settings(parser)


def main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    if given.follow is not None and given.file is not None:
        parser.error("--follow cannot be combined with FILE")
    name = given.follow or (None if given.file == STDIN else given.file)
    if sys.stdin is None and name is None:
        # Python has no stream if the descriptor was closed at the start
        raise InputError("standard input is closed")
    project = CommandProject(given.settings, with_template(given))
    language = given.language or (name and project.language_of(name))
    if language is None or language in host_ids():
        parser.error("the following arguments are required: --language")
    settings = project.valid_settings_for(name or STDIN)
    if given.follow is not None:
        arriving = _growing(given.follow)
    elif name is not None:
        arriving = iter((read(SourceFile(name, language), settings.max_size_mb),))
    else:
        arriving = _arriving()
    try:
        return _show(arriving, partial(LanguageStream, find_language(language), settings), given.output_format)
    except UnicodeDecodeError as error:
        raise InputError(f"the input is not UTF-8: byte 0x{error.object[error.start]:02x}") from error


def _show(arriving: Iterator[str | None], begin: Callable[[], LanguageStream], form: str | None) -> int:
    """Show arriving text until it ends. None begins another text."""
    view = _Live() if form == "live" or (form is None and sys.stdout.isatty()) else None

    def show(events: list[Emitted]) -> None:
        for event in events:
            if view is None:
                sys.stdout.write(f"{json.dumps(finite(event.as_json()))}\n")
            else:
                view.show(event)
        sys.stdout.flush()

    stream = begin()
    for chunk in arriving:
        if chunk is None:
            stream = begin()
        else:
            show(stream.feed(chunk))
    show(stream.close())
    if view is not None:
        view.end()
    return 0


def _growing(name: str) -> Iterator[str | None]:
    """Yield a file, and then the text appended to it, forever."""
    if not os.path.isfile(name):
        raise InputError(f"{name}: no such file")
    file = GrowingFile(name)
    for _ in changes([os.path.dirname(name) or os.curdir], recursive=False, by="--follow"):
        try:
            for text in file.appended():
                if text is None:
                    sys.stderr.write(f"llmblocks stream: {name} was replaced\n")
                yield text
        except FileNotFoundError:
            # it may reappear
            continue
        except OSError as error:
            raise InputError(f"{name}: {error.strerror}") from None


def _arriving() -> Iterator[str]:
    """Yield standard input, in pieces as they arrive."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    while data := os.read(sys.stdin.fileno(), _CHUNK):
        yield decoder.decode(data)
    yield decoder.decode(b"", final=True)


class _Live:
    """Text as it arrives; a call or a block begins and ends on a separate line."""

    def __init__(self) -> None:
        self._console = console(sys.stdout, highlight=False, soft_wrap=True)
        self._at_start = True

    def show(self, event: Emitted) -> None:
        if (shown := event.shown()) is None:
            return
        if shown.own_line:
            self.end()
        text = "\n".join(map(visible, shown.text.split("\n"))) + "\n" * shown.own_line
        self._console.print(text, style=shown.style or None, end="", markup=False)
        self._at_start = text.endswith("\n") if text else self._at_start

    def end(self) -> None:
        """End the last line."""
        if not self._at_start:
            self._console.print()
