"""`llmblocks session`: the outcome of each call in an agent's logs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from llmblocks.cli.colours import console
from llmblocks.cli.options import add_output, add_settings
from llmblocks.cli.outcome import MISUSED
from llmblocks.cli.output import print_json, text_output, write_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError
from llmblocks.core.visible import visible
from llmblocks.sessions import Session, read
from llmblocks.sessions.tree import Line, title, tree
from llmblocks.sessions.values import as_json
from llmblocks.sessions.words import stopped, unread

if TYPE_CHECKING:
    from rich.text import Text

_NARROW = 20
"""The minimum width of a shortened line."""
_DESCRIPTION = """\
Shows the logs of an agent (0001.request, 0001.response, …) as one: its responses, the
waves of their calls, the result of each, and why some were rejected, failed, were skipped
or never ran. Sub-agents are shown below the calls that started them. A folder without logs
lists the sessions below it.

exit status: 0 every call returned; 1 some did not; 2 the folder could not be read, or has
results and no calls, as its markers are not those of the settings
"""
_EXAMPLES = """\
examples:
  llmblocks session ~/.llmist/logs/brave-otter
  llmblocks session ~/.llmist/logs
  llmblocks session logs --output-format json | jq ".responses[].calls[]"
  llmblocks session logs --output-format html --output-file session.html
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    parser.add_argument("folder", metavar="FOLDER", help="a folder of logs, or one that has such folders below it")
    add_output(parser, ("text", "json", "mermaid", "html"), "text", color=True)
    add_settings(parser)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    project = CommandProject(given.settings)
    settings = project.valid_settings_for(os.path.join(given.folder, "0001.response"))
    project.tell_problems()
    session = read(given.folder, markers=settings.markers)
    sessions = [session] if session.responses or session.requests else [*_below(session)]
    if not sessions:
        raise InputError(f"{given.folder}: no logs in it, or in a folder below it; llmist names them 0001.response")
    if sessions == [session]:
        return _show(session, given.output_format, given.output_file)
    return _list(sessions, given.output_format, given.output_file)


def _below(session: Session) -> Iterator[Session]:
    """Yield the sessions below a folder, in the order of their names, without those of sub-agents."""
    left = [session.folder]
    while left:
        folder = left.pop()
        found = Session(folder, session.markers)
        if found.responses or found.requests:
            yield found
            continue
        with os.scandir(folder) as entries:
            left += sorted([entry.path for entry in entries if entry.is_dir(follow_symlinks=False)], reverse=True)


def _show(session: Session, form: str, file: str | None) -> int:
    if form == "html":
        from llmblocks.sessions.page import to_html

        write_output(to_html(session), file)
    elif form == "json":
        print_json(as_json(session), file)
    elif form == "mermaid":
        from llmblocks.gadget.graph.text import to_mermaid
        from llmblocks.sessions.drawing import graph_of

        write_output(to_mermaid(graph_of(session)), file)
    else:
        _print(tree(session), file)
    return _status([session])


def _list(sessions: Sequence[Session], form: str, file: str | None) -> int:
    if form == "html":
        from llmblocks.sessions.page import to_list

        write_output(to_list(sessions), file)
    elif form == "json":
        print_json([as_json(each) for each in sessions], file)
    elif form == "mermaid":
        raise InputError("several sessions have no graph together; give the folder of one of them")
    else:
        _print(map(title, sessions), file)
    return _status(sessions)


def _status(sessions: Sequence[Session]) -> int:
    problems = [f"{each.folder or os.curdir}: {unread(each)}" for each in sessions if each.other_markers]
    for each in problems:
        sys.stderr.write(f"llmblocks session: {visible(each)}\n")
    return MISUSED if problems else int(any(map(stopped, sessions)))


def _print(lines: Iterable[Line], file: str | None) -> None:
    """Print lines, no wider than the terminal."""
    with text_output(file) as stream:
        out = console(stream)
        width = max(out.width, _NARROW) if stream.isatty() or os.environ.get("COLUMNS") else 0
        for line in lines:
            text = _text(line)
            if width:
                text.truncate(width, overflow="ellipsis")
            out.print(text, soft_wrap=True)


def _text(line: Line) -> Text:
    from rich.text import Text

    return Text.assemble(line.indent, *[(visible(text), style) for text, style in line.parts])
