"""`llmblocks session`: what became of the calls in the logs of an agent."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from llmblocks.cli.as_json import print_json
from llmblocks.cli.colours import add_color, console, set_color
from llmblocks.cli.output import write_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.report.concise import text_line
from llmblocks.cli.selection import add_settings
from llmblocks.cli.source import InputError
from llmblocks.core.visible import visible
from llmblocks.sessions import Outcome, Session, SessionCall, read
from llmblocks.workspace.session import STOPPED

if TYPE_CHECKING:
    from rich.text import Text

    from llmblocks.gadget.graph.build import NodeKind

_DESCRIPTION = """\
Shows the logs of an agent (0001.request, 0001.response, …) as one: its responses, the
waves of their calls, the result of each, and why some calls failed, were skipped or
never ran. Sub-agents are shown below the calls that started them. A folder without logs
lists the sessions below it.

exit status: 0 every call returned; 1 some did not; 2 the folder could not be read
"""
_EXAMPLES = """\
examples:
  llmblocks session ~/.llmist/logs/brave-otter
  llmblocks session ~/.llmist/logs
  llmblocks session logs --format json | jq '.responses[].calls[] | select(.outcome == "failed")'
  llmblocks session logs --format mermaid
"""
_STYLES: Final[dict[Outcome, str]] = {
    "returned": "green",
    "failed": "bold red",
    "rejected": "bold red",
    "skipped": "yellow",
    "never": "yellow",
    "unknown": "dim",
}
_SAYS: Final[dict[Outcome, str]] = {"never": "never ran", "unknown": "no result"}
_KINDS: Final[dict[Outcome, NodeKind]] = {
    "failed": "rejected",
    "rejected": "rejected",
    "skipped": "skipped",
    "never": "never",
}
"""How a graph shows the calls that have stopped."""
_NARROW = 20
"""The least width: a line is cut no shorter."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    parser.add_argument("folder", metavar="FOLDER", help="a folder of logs, or one that has such folders below it")
    parser.add_argument(
        "--format", choices=("text", "json", "mermaid"), default="text", help="the output format (default: text)"
    )
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")
    add_color(parser)
    add_settings(parser)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    """Run the command."""
    set_color(given.color)
    try:
        project = CommandProject(given.settings)
        settings = project.valid_settings_for(os.path.join(given.folder, "0001.response"))
        for reported in project.problems():
            sys.stderr.write(f"{text_line(reported)}\n")
        session = read(given.folder, markers=settings.markers)
        sessions = [session] if session.responses or session.requests else [*_below(session)]
        if not sessions:
            raise InputError(f"{given.folder}: no logs in it, or in a folder below it; llmist names them 0001.response")
        if sessions == [session]:
            return _show(session, given.format)
        return _list(sessions, given.format)
    except InputError as error:
        sys.stderr.write(f"llmblocks session: {error}\n")
    except OSError as error:
        if error.filename is None:
            # the reader of the output has gone
            raise
        sys.stderr.write(f"llmblocks session: {error.filename or given.folder}: {error.strerror}\n")
    return 2


def _below(session: Session) -> Iterator[Session]:
    """The sessions below a folder, in the order of their names, without those of sub-agents."""
    left = [session.folder]
    while left:
        folder = left.pop()
        found = Session(folder, session.markers)
        if found.responses or found.requests:
            yield found
            continue
        with os.scandir(folder) as entries:
            left += sorted([entry.path for entry in entries if entry.is_dir(follow_symlinks=False)], reverse=True)


def _show(session: Session, form: str) -> int:
    if form == "json":
        print_json(as_json(session))
    elif form == "mermaid":
        write_output(_mermaid(session))
    else:
        _print(_lines(session, ""))
    return int(_has_stopped(session))


def _list(sessions: Sequence[Session], form: str) -> int:
    if form == "json":
        print_json([as_json(each) for each in sessions])
    elif form == "mermaid":
        raise InputError("several sessions have no graph together; give the folder of one of them")
    else:
        _print(_title(each) for each in sessions)
    return int(any(map(_has_stopped, sessions)))


def _has_stopped(session: Session) -> bool:
    return any(call.outcome in STOPPED or any(map(_has_stopped, call.agents)) for call in session.calls)


class _Line(NamedTuple):
    """A line on a terminal: stretches of text, each with a style."""

    indent: str
    parts: tuple[tuple[str, str], ...]


def _print(lines: Iterator[_Line]) -> None:
    out = console(sys.stdout)
    width = max(out.width, _NARROW) if sys.stdout.isatty() or os.environ.get("COLUMNS") else 0
    for line in lines:
        text = _text(line)
        if width:
            text.truncate(width, overflow="ellipsis")
        out.print(text, soft_wrap=True)


def _text(line: _Line) -> Text:
    from rich.text import Text

    return Text.assemble(line.indent, *[(visible(text), style) for text, style in line.parts])


def _title(session: Session, name: str = "") -> _Line:
    calls = [*session.calls]
    counts = Counter([call.outcome for call in calls])
    parts = [_counted(len(session.responses), "response"), _counted(len(calls), "call")]
    said = [(", ".join(parts), "")]
    for outcome, style in _STYLES.items():
        if counts[outcome] and outcome != "returned":
            said += [(", ", ""), (f"{counts[outcome]} {_SAYS.get(outcome, outcome)}", style)]
    return _Line("", ((name or session.folder or os.curdir, "bold"), (": ", ""), *said))


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _lines(session: Session, indent: str) -> Iterator[_Line]:
    # a sub-agent is inside the folder of its parent
    yield _title(session, os.path.basename(session.folder) if indent else "")._replace(indent=indent)
    if session.missing:
        numbers = ", ".join(map(str, session.missing[:12])) + (", …" if len(session.missing) > 12 else "")
        yield _Line(f"{indent}  ", ((f"missing: {numbers}", "yellow"),))
    shown: set[str] = set()
    for response in session.responses:
        yield _Line(f"{indent}  ", ((os.path.basename(response.file), "bold"), *_said(response.said)))
        waves = sorted({call.wave for call in response.calls if call.wave})
        for wave in waves:
            yield _Line(f"{indent}    ", ((f"wave {wave}", "dim"),))
            for call in response.calls:
                if call.wave == wave:
                    yield from _call(call, f"{indent}      ", shown)
        stopped = [call for call in response.calls if not call.wave]
        if stopped:
            yield _Line(f"{indent}    ", (("not run", "dim"),))
            for call in stopped:
                yield from _call(call, f"{indent}      ", shown)
    for agent in session.agents:
        if agent.folder not in shown:
            yield from _lines(agent, f"{indent}  ")


def _said(text: str) -> tuple[tuple[str, str], ...]:
    line = next((each for each in text.splitlines() if each.strip()), "")
    return ((f"  {line.strip()}", "dim"),) if line else ()


def _call(call: SessionCall, indent: str, shown: set[str]) -> Iterator[_Line]:
    style = _STYLES[call.outcome]
    after = f" after {', '.join(call.dependencies)}" if call.dependencies else ""
    said = _SAYS.get(call.outcome, call.outcome)
    parts = [(f"{call.name or '(unnamed)'} {call.invocation_id}", ""), (after, "dim"), (": ", ""), (said, style)]
    if call.why:
        parts.append((f": {call.why}", style))
    elif call.result is not None:
        media = f", {', '.join(each.kind for each in call.result.media)}" if call.result.media else ""
        where = os.path.basename(call.result.file)
        parts.append((f" {size(call.result.text)}{media} in {where}", "dim"))
    if call.repeats is not None:
        earlier = os.path.basename(call.repeats.response.file)
        parts.append((f" (the same call as {call.repeats.invocation_id} in {earlier})", "bold red"))
    yield _Line(indent, tuple(parts))
    for agent in call.agents:
        shown.add(agent.folder)
        yield from _lines(agent, f"{indent}  ")


def size(text: str) -> str:
    """The size of a text in UTF-8, as people say it."""
    count = len(text.encode("utf-8", "replace"))
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} KB" if count < 1_000_000 else f"{count / 1e6:.1f} MB"


def as_json(session: Session) -> dict[str, Any]:
    """A session as JSON values."""
    responses = [
        {
            "number": response.number,
            "file": response.file,
            "request": response.request,
            "text": response.said,
            "calls": [_call_as_json(call) for call in response.calls],
        }
        for response in session.responses
    ]
    started = {agent.folder for call in session.calls for agent in call.agents}
    others = [as_json(agent) for agent in session.agents if agent.folder not in started]
    return {"folder": session.folder, "missing": [*session.missing], "responses": responses, "agents": others}


def _call_as_json(call: SessionCall) -> dict[str, Any]:
    result, repeats = call.result, call.repeats
    media = [] if result is None else [{"id": each.id, "kind": each.kind, "path": each.path} for each in result.media]
    return {
        "name": call.name,
        "id": call.invocation_id,
        "dependencies": [*call.dependencies],
        "parameters": call.parameters,
        "wave": call.wave,
        "outcome": call.outcome,
        "why": call.why,
        "result": None if result is None else {"file": result.file, "text": result.text, "media": media},
        "usedBy": [other.invocation_id for other in call.used_by],
        "repeats": None if repeats is None else {"file": repeats.response.file, "id": repeats.invocation_id},
        "agents": [as_json(agent) for agent in call.agents],
    }


def _mermaid(session: Session) -> str:
    from llmblocks.gadget.graph.build import Graph, GraphNode, build_graph
    from llmblocks.gadget.graph.text import to_mermaid

    calls = [*session.calls]

    def known(node: GraphNode) -> GraphNode:
        if node.number < 0:
            return node
        call = calls[node.number]
        kind = _KINDS.get(call.outcome)
        if kind is None:
            return node._replace(kind="runs", says=f"wave {call.wave}")
        return node._replace(kind=kind, says=f"{_SAYS.get(call.outcome, call.outcome)}: {call.why}")

    graph = build_graph([response.calls for response in session.responses])
    return to_mermaid(Graph(tuple(map(known, graph.nodes)), graph.edges))
