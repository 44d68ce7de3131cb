"""`llmblocks session`: the outcome of each call in an agent's logs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence

from llmblocks.cli.arguments import add_output, add_settings, describe, option
from llmblocks.cli.files import read_lines
from llmblocks.cli.output import console, print_json, text_output, write_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import CLEAN, MISUSED, InputError, SourceFile
from llmblocks.core.lines import visible
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.sessions import Session, read
from llmblocks.sessions.words import Line, as_json, graph_of, stopped, title, tree, unread

_NARROW = 20
"""The minimum width of a shortened line."""
_DESCRIPTION = """\
Shows the logs of an agent (0001.request, 0001.response, …) as one: its responses, the
waves of their calls, the result of each, and why some were rejected, failed, were skipped
or never ran. Sub-agents are shown below the calls that started them. A folder without logs
lists the sessions below it. In a JSON Lines log of raw completions, each completion is a
response, named by its line.

exit status: 0 no call is known to have failed; 1 a call was rejected, failed, was skipped or
never ran; 2 something could not be read, or the calls have other markers than those of the
settings, or another template
"""
_EXAMPLES = """\
  llmblocks session ~/.llmist/logs/brave-otter
  llmblocks session ~/.llmist/logs
  llmblocks session log.jsonl --template qwen3-coder
  llmblocks session logs --output-format json | jq ".responses[].calls[]"
  llmblocks session logs --output-format html --output-file session.html
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    option(parser, "path", "PATH", "a folder of logs, or one that has such folders below it, or a JSON Lines log")
    what = "a name such as qwen3-coder, a JSON file, or auto"
    default = "that of the settings if they name the texts of the log, else auto"
    says = f"the response template of a JSON Lines log: {what} (default: {default})"
    option(parser, "--template", "TEMPLATE", says)
    add_output(parser, ("text", "json", "mermaid", "html"), "text", color=True)
    add_settings(parser)


def main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    project = CommandProject(given.settings)
    if os.path.isfile(given.path):
        return _show_log(given, parser, project)
    if given.template is not None:
        parser.error("--template is for a JSON Lines log")
    settings = project.valid_settings_for(os.path.join(given.path, "0001.response"))
    project.tell_problems()
    session = read(given.path, markers=settings.markers)
    if session.responses or session.requests:
        return _show([session], session, given)
    if not (sessions := [*_below(session.folder, session.markers)]):
        raise InputError(f"{given.path}: no logs in it, or in a folder below it; llmist names them 0001.response")
    return _show(sessions, None, given)


def _show_log(given: argparse.Namespace, parser: argparse.ArgumentParser, project: CommandProject) -> int:
    from llmblocks.cli.input import of_template
    from llmblocks.sessions.log import LogSession

    log = given.path
    if project.language_of(log) != "jsonl":
        raise InputError(f"{log}: neither a folder of logs nor JSON Lines (*.jsonl, *.ndjson)")
    if given.template is not None or not project.settings_for(log).strings:
        project = CommandProject(given.settings, of_template(given.template or "auto", (log,), parser))
    settings = project.valid_settings_for(log)
    project.tell_problems()
    session = LogSession(log, read_lines(SourceFile(log, "jsonl"), settings.max_size_mb), settings)
    for line, reason in session.unread:
        sys.stderr.write(f"llmblocks session: {log}:{line}: not JSON: {reason}\n")
    if not session.responses:
        raise InputError(f"{log}: no line has a completion; name its path in files.strings")
    return max(_show([session], session, given), MISUSED if session.unread else CLEAN)


def _below(folder: str, markers: Markers) -> Iterator[Session]:
    """Yield the sessions below a folder, in the order of their names, without those of sub-agents."""
    found = Session(folder, markers)
    if found.responses or found.requests:
        yield found
        return
    with os.scandir(folder) as entries:
        folders = sorted([entry.path for entry in entries if entry.is_dir(follow_symlinks=False)])
    for each in folders:
        yield from _below(each, markers)


def _show(sessions: Sequence[Session], one: Session | None, given: argparse.Namespace) -> int:
    """Show one session, or list several, and return the exit status."""
    form, file = given.output_format, given.output_file
    if form == "html":
        from llmblocks.sessions.page import to_html, to_list

        write_output(to_list(sessions) if one is None else to_html(one), file)
    elif form == "json":
        print_json([*map(as_json, sessions)] if one is None else as_json(one), file)
    elif form == "text":
        _print(map(title, sessions) if one is None else tree(one), file)
    elif one is None:
        raise InputError("several sessions have no graph together; give the folder of one of them")
    else:
        from llmblocks.gadget.graph import to_mermaid

        write_output(to_mermaid(graph_of(one)), file)
    problems = [f"{each.folder or os.curdir}: {unread(each)}" for each in sessions if unread(each)]
    sys.stderr.writelines([f"llmblocks session: {visible(each)}\n" for each in problems])
    return MISUSED if problems else int(any(map(stopped, sessions)))


def _print(lines: Iterable[Line], file: str | None) -> None:
    """Print lines, no wider than the terminal."""
    from rich.text import Text

    with text_output(file) as stream:
        out = console(stream)
        is_limited = stream.isatty() or os.environ.get("COLUMNS")
        for line in lines:
            text = Text.assemble(line.indent, *[(visible(text), style) for text, style in line.parts])
            if is_limited:
                text.truncate(max(out.width, _NARROW), overflow="ellipsis")
            out.print(text, soft_wrap=True)
