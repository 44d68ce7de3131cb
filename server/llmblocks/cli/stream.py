"""`llmblocks stream` and `watch`: the events of a text while it arrives, and of agents while their logs grow."""

from __future__ import annotations

import argparse
import codecs
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from llmblocks.cli.arguments import add_language, add_output, add_settings, describe, option
from llmblocks.cli.files import read
from llmblocks.cli.growing import GrowingFile, changes
from llmblocks.cli.input import add_template, with_template
from llmblocks.cli.output import console
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import STDIN, InputError, SourceFile
from llmblocks.contract.markup import size_of
from llmblocks.contract.other_files import ReportedResult
from llmblocks.core.lines import visible
from llmblocks.features.streams import Emitted, LanguageStream
from llmblocks.gadget.call import GadgetCall
from llmblocks.gadget.stream import CallEnded, GadgetStream
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.json5.finite import finite
from llmblocks.languages.registry import find_language, host_ids
from llmblocks.workspace.listing import file_number, finished
from llmblocks.workspace.results import Results, new_results, results_in
from llmblocks.workspace.session import read_text

_CHUNK = 1 << 16
_DESCRIPTION = """\
Reads standard input as it arrives, or a file, and prints each event as soon as it is certain:
as NDJSON, or on a terminal as text with calls and blocks set apart. With --follow, it
reads a file that grows, until Ctrl-C; its unfinished end is still arriving.

exit status: 0 read to the end; 2 the input is not UTF-8, or a settings file is invalid
"""
_EXAMPLES = """\
  some-agent | llmblocks stream --language gadget
  llmblocks stream answer.gadget
  llmblocks stream --follow answer.gadget
  llmblocks stream answer.gadget --output-format ndjson | jq .event
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
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
    view = _Live() if _is_live(given) else None

    def show(events: list[Emitted]) -> None:
        for event in events:
            if view is None:
                sys.stdout.write(f"{json.dumps(finite(event.as_json()))}\n")
            else:
                view.show(event)
        sys.stdout.flush()

    stream = LanguageStream(find_language(language), settings)
    try:
        for chunk in arriving:
            if chunk is None:
                # another text begins
                stream = LanguageStream(find_language(language), settings)
            else:
                show(stream.feed(chunk))
    except UnicodeDecodeError as error:
        raise InputError(f"the input is not UTF-8: byte 0x{error.object[error.start]:02x}") from error
    show(stream.close())
    if view is not None:
        view.end()
    return 0


def _is_live(given: argparse.Namespace) -> bool:
    return given.output_format == "live" or (given.output_format is None and sys.stdout.isatty())


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


_LOGS = """\
Watches a folder of logs, and those below it: prints each call as soon as it is complete,
with the error for which llmist rejects it, and each result once a request contains it.
Identical retries of a rejected call are counted. A call at the end of a file
that grows is still arriving, and no mistake. Ctrl-C stops.

exit status: 2 the folder could not be watched; 130 after Ctrl-C
"""
_OF_LOGS = """\
  llmblocks watch ~/.llmist/logs
  llmblocks watch logs --output-format ndjson | jq 'select(.error)'
"""


class _LogRow(NamedTuple):
    """A new call or result. `values` are for NDJSON."""

    file: str
    title: str
    says: str
    failed: bool
    values: dict[str, Any]


def watch_add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _LOGS, _OF_LOGS)
    option(parser, "folder", "FOLDER", "a folder of logs, or one that has such folders below it")
    add_output(parser, ("live", "ndjson"), says="live on a terminal", file=False, color=True)
    add_settings(parser)


def watch_main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    settings = CommandProject(given.settings).valid_settings_for(os.path.join(given.folder, "0001.response"))
    # in the form of the system's change events
    folder = os.path.realpath(given.folder)
    logs = FollowedLogs(folder, settings.markers)
    for number, touched in enumerate(changes([folder], recursive=True, by="this command")):
        for row in logs.read([*_logs_in(folder)] if not number else logs.among(touched)):
            _show_row(row, live=_is_live(given))
        sys.stdout.flush()
    return 0


class FollowedLogs:
    """The logs below a folder, with the part reported so far."""

    def __init__(self, folder: str, markers: Markers) -> None:
        self._folder, self._markers = folder, markers
        self._streams: dict[str, tuple[GrowingFile, GadgetStream]] = {}
        self._told: dict[str, tuple[int, Results[ReportedResult]]] = {}
        self._fresh: set[str] = set()
        self._rejected: Counter[tuple[str, str, str]] = Counter()

    def among(self, touched: set[str]) -> list[str]:
        """Return the files to read after a change.

        A new folder is watched only after a moment: its files are listed now, and once more the next time.
        """
        folders = {path for path in touched if os.path.isdir(path)}
        looked, self._fresh = folders | self._fresh, folders
        return sorted({*(touched - folders), *[file for folder in looked for file in _logs_in(folder)]})

    def read(self, files: list[str]) -> Iterator[_LogRow]:
        """Yield the new rows of some files. Other files than logs are skipped."""
        for file in files:
            if file_number(os.path.basename(file)) is None:
                continue
            try:
                yield from self._response(file) if file.lower().endswith(".response") else self._request(file)
            except FileNotFoundError:
                self._streams.pop(file, None)
            except (OSError, UnicodeDecodeError) as error:
                reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
                sys.stderr.write(f"llmblocks watch: {file}: {reason}\n")
                self._streams.pop(file, None)

    def _response(self, file: str) -> Iterator[_LogRow]:
        growing, stream = self._streams.get(file) or (GrowingFile(file), GadgetStream(self._markers))
        for text in growing.appended():
            if text is None:
                stream = GadgetStream(self._markers)
            else:
                ended = [event for event in stream.feed(text) if isinstance(event, CallEnded)]
                yield from [self._call(file, event.call) for event in ended]
        self._streams[file] = growing, stream

    def _call(self, file: str, call: GadgetCall) -> _LogRow:
        again, says = 0, "called"
        if call.error:
            key = os.path.dirname(file), call.name, call.parameters_raw
            again = self._rejected[key]
            self._rejected[key] += 1
            says = f"rejected: {call.error}" + (f", {again + 1} times" if again else "")
        waits = f" after {', '.join(call.dependencies)}" if call.dependencies else ""
        values: dict[str, Any] = {"event": "call", "name": call.name, "id": call.invocation_id}
        values |= {"dependencies": [*call.dependencies], "parameters": call.parameters}
        values |= {"error": call.error, "repeats": again}
        title = f"{call.name or '(unnamed)'} {call.invocation_id}{waits}"
        return self._row(file, title, says, values, failed=bool(call.error))

    def _request(self, file: str) -> Iterator[_LogRow]:
        """Yield the new results in a request. llmist writes a request as a whole."""
        folder, name = os.path.split(file)
        number = file_number(name) or 0
        last, before = self._told.get(folder, (0, ()))
        if number < last:
            # it has been reported completely
            return
        told = finished(results_in(read_text(file), file))
        for one, each in new_results(told, before):
            says = f"{each.outcome}: {each.failure}" if each.failure else size_of(each.size)
            values = {"event": "result", "id": one, "bytes": each.size, "failure": each.failure or None}
            yield self._row(file, f"Result ({one})", says, values, failed=bool(each.failure))
        self._told[folder] = number, told

    def _row(self, file: str, title: str, says: str, values: dict[str, Any], *, failed: bool) -> _LogRow:
        return _LogRow(os.path.relpath(file, self._folder), title, says, failed, values)


def _logs_in(folder: str) -> Iterator[str]:
    """Yield the existing logs, in the order in which they were written."""
    for path, folders, names in os.walk(folder):
        folders.sort()
        numbered = [(number, name) for name in names if (number := file_number(name)) is not None]
        # the request precedes the response with its number
        yield from [os.path.join(path, name) for _, name in sorted(numbered)]


def _show_row(row: _LogRow, *, live: bool) -> None:
    if not live:
        sys.stdout.write(f"{json.dumps(finite({'file': row.file, **row.values}))}\n")
        return
    from rich.text import Text

    style = "bold red" if row.failed else "green"
    parts = ((visible(row.file), "dim"), "  ", (visible(row.title), ""), ": ", (visible(row.says), style))
    console(sys.stdout).print(Text.assemble(*parts), soft_wrap=True)
