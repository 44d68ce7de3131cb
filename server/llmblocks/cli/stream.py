"""`llmblocks stream`: the events of a text while it arrives."""

from __future__ import annotations

import argparse
import codecs
import json
import os
import sys
from collections.abc import Callable, Iterator

from llmblocks.cli.colours import add_color, console, set_color
from llmblocks.cli.files import STDIN, InputError
from llmblocks.cli.project import Project
from llmblocks.cli.selection import add_settings
from llmblocks.core.finite import finite
from llmblocks.features.streams import Event, open_stream
from llmblocks.languages.registry import language_ids

_CHUNK = 1 << 16
_DESCRIPTION = """\
Reads standard input as it arrives, and prints each event as soon as it is certain:
as NDJSON, or on a terminal as text with calls and blocks set apart.

exit status: 0 read to the end; 2 the input is not UTF-8, or a settings file is invalid
"""
_EXAMPLES = """\
examples:
  some-agent | llmblocks stream --language gadget
  some-agent | llmblocks stream --language gadget --format ndjson | jq 'select(.event == "CallEnded")'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    parser.add_argument("--language", choices=language_ids(), required=True, help="the language of the text")
    parser.add_argument("--format", choices=("live", "ndjson"), help="the output (default: live on a terminal)")
    add_color(parser)
    add_settings(parser)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    """Run the command."""
    set_color(given.color)
    if sys.stdin is None:
        # Python has no stream if the descriptor was closed at the start
        return _fail("standard input is closed")
    try:
        settings = Project(given.settings).valid_settings_for(STDIN)
    except InputError as error:
        return _fail(str(error))
    stream = open_stream(given.language, settings)
    live = given.format == "live" or (given.format is None and sys.stdout.isatty())
    view = _Live() if live else None
    show = _ndjson if view is None else view.show
    try:
        for chunk in _arriving():
            _show_all(stream.feed(chunk), show)
    except UnicodeDecodeError as error:
        return _fail(f"the input is not UTF-8: byte 0x{error.object[error.start]:02x}")
    _show_all(stream.close(), show)
    if view is not None:
        view.end()
    return 0


def _fail(reason: str) -> int:
    sys.stderr.write(f"llmblocks stream: {reason}\n")
    return 2


def _arriving() -> Iterator[str]:
    """Standard input, in pieces as they come."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    while data := os.read(sys.stdin.fileno(), _CHUNK):
        yield decoder.decode(data)
    yield decoder.decode(b"", final=True)


def _show_all(events: list[Event], show: Callable[[Event], None]) -> None:
    for event in events:
        show(event)
    sys.stdout.flush()


def _ndjson(event: Event) -> None:
    sys.stdout.write(f"{json.dumps(finite(event))}\n")


class _Live:
    """Text as it comes; a call or a block begins and ends on a line of its own."""

    def __init__(self) -> None:
        self._console = console(sys.stdout, highlight=False, soft_wrap=True)
        self._at_start = True

    def show(self, event: Event) -> None:
        """Show one event."""
        kind = event["event"]
        if kind in ("TextDelta", "ContentDelta"):
            self._write(event["delta"], "")
        elif kind in ("ArgDelta", "CustomBlockDelta"):
            self._write(event["delta"], "cyan")
        elif kind == "CallStarted":
            needs = f" after {', '.join(event['dependencies'])}" if event["dependencies"] else ""
            self._line(f"> {event['name']} {event['invocation_id']}{needs}", "bold green")
        elif kind == "ArgStarted":
            self._line(f"  {event['pointer']}:", "green")
        elif kind == "CallEnded":
            error = event["call"]["error"]
            self._line(f"< {error}" if error else "< complete", "bold red" if error else "bold green")
        elif kind == "CustomBlockStart":
            self._line(f"<{event['tag']}>", "bold magenta")
        elif kind == "CustomBlockEnd":
            self._line(f"</{event['tag']}>", "bold magenta")
        elif kind == "MessageStarted":
            self._line(f"@{event['role']}", "bold blue")
        elif kind == "Found":
            self._line(f"line {event['line']}: {event['code']} {event['message']}", "bold red")

    def end(self) -> None:
        """End the last line."""
        if not self._at_start:
            self._console.print()

    def _write(self, text: str, style: str) -> None:
        from llmblocks.core.visible import visible

        self._console.print("\n".join(map(visible, text.split("\n"))), style=style or None, end="", markup=False)
        self._at_start = text.endswith("\n") if text else self._at_start

    def _line(self, text: str, style: str) -> None:
        if not self._at_start:
            self._console.print()
        self._write(text, style)
        self._console.print()
        self._at_start = True
