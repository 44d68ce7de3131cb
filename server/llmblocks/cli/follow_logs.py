"""`llmblocks watch`: the calls and results of agents, while their logs grow."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from llmblocks.cli.colours import console
from llmblocks.cli.growing import GrowingFile, changes
from llmblocks.cli.options import add_output, add_settings, option
from llmblocks.cli.project import CommandProject
from llmblocks.contract.markup import size_of
from llmblocks.contract.other_files import ReportedResult
from llmblocks.core.visible import visible
from llmblocks.gadget.call import GadgetCall
from llmblocks.gadget.stream import CallEnded, GadgetStream
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.json5.finite import finite
from llmblocks.workspace.listing import file_number, finished
from llmblocks.workspace.results import Results, new_results, results_in
from llmblocks.workspace.session import read_text

_DESCRIPTION = """\
Watches a folder of logs, and those below it: prints each call as soon as it is complete,
with the error for which llmist rejects it, and each result once a request contains it.
Identical retries of a rejected call are counted. A call at the end of a file
that grows is still arriving, and no mistake. Ctrl-C stops.

exit status: 2 the folder could not be watched; 130 after Ctrl-C
"""
_EXAMPLES = """\
examples:
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    option(parser, "folder", "FOLDER", "a folder of logs, or one that has such folders below it")
    add_output(parser, ("live", "ndjson"), says="live on a terminal", file=False, color=True)
    add_settings(parser)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    live = given.output_format == "live" or (given.output_format is None and sys.stdout.isatty())
    project = CommandProject(given.settings)
    settings = project.valid_settings_for(os.path.join(given.folder, "0001.response"))
    # in the form of the system's change events
    folder = os.path.realpath(given.folder)
    logs = FollowedLogs(folder, settings.markers)
    for number, touched in enumerate(changes([folder], recursive=True, by="this command")):
        for row in logs.read([*_logs_in(folder)] if not number else logs.among(touched)):
            _show(row, live=live)
        sys.stdout.flush()
    return 0


class FollowedLogs:
    """The logs below a folder, with the part reported so far."""

    def __init__(self, folder: str, markers: Markers) -> None:
        self._folder = folder
        self._markers = markers
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
        again = 0
        says = "called"
        if call.error:
            key = os.path.dirname(file), call.name, call.parameters_raw
            again = self._rejected[key]
            self._rejected[key] += 1
            says = f"rejected: {call.error}" + (f", for the {_nth(again + 1)} time" if again else "")
        waits = f" after {', '.join(call.dependencies)}" if call.dependencies else ""
        values: dict[str, Any] = {"event": "call", "name": call.name, "id": call.invocation_id}
        values |= {"dependencies": [*call.dependencies], "parameters": call.parameters}
        values |= {"error": call.error, "repeats": again}
        title = f"{call.name or '(unnamed)'} {call.invocation_id}{waits}"
        return _LogRow(self._name(file), title, says, bool(call.error), values)

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
            title = f"Result ({one})"
            says = f"{each.outcome}: {each.failure}" if each.failure else size_of(each.size)
            values = {"event": "result", "id": one, "bytes": each.size, "failure": each.failure or None}
            yield _LogRow(self._name(file), title, says, bool(each.failure), values)
        self._told[folder] = number, told

    def _name(self, file: str) -> str:
        return os.path.relpath(file, self._folder)


def _nth(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _logs_in(folder: str) -> Iterator[str]:
    """Yield the existing logs, in the order in which they were written."""
    for path, folders, names in os.walk(folder):
        folders.sort()
        numbered = [(number, name) for name in names if (number := file_number(name)) is not None]
        # the request precedes the response with its number
        yield from [os.path.join(path, name) for _, name in sorted(numbered)]


def _show(row: _LogRow, *, live: bool) -> None:
    if not live:
        sys.stdout.write(f"{json.dumps(finite({'file': row.file, **row.values}))}\n")
        return
    from rich.text import Text

    style = "bold red" if row.failed else "green"
    parts = ((visible(row.file), "dim"), "  ", (visible(row.title), ""), ": ", (visible(row.says), style))
    console(sys.stdout).print(Text.assemble(*parts), soft_wrap=True)
