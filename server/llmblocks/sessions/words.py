"""A session in words: outcomes, counts, sizes, and lines on a terminal; as JSON values, and as a graph."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from llmblocks.contract.markup import shortened, size_of
from llmblocks.gadget.graph import Graph, GraphNode, build_graph
from llmblocks.gadget.running.fates import STOPPED
from llmblocks.json5.finite import finite
from llmblocks.sessions import Outcome, Response, Session, SessionCall

STYLES: Final[dict[Outcome, str]] = {
    "called": "",
    "returned": "green",
    "failed": "bold red",
    "rejected": "bold red",
    "skipped": "yellow",
    "never ran": "yellow",
    "no result": "dim",
}
"""The colours of the outcomes on a terminal."""


_LONGEST: Final = 200
"""The maximum length of arguments on a line."""


def more(call: SessionCall) -> str:
    """Return the text after the outcome of a call: the reason, or the size of its result and its file.

    In a log without results, return the arguments.
    """
    if call.outcome == "called":
        return f" with {shortened(parameters(call), _LONGEST)}"
    if call.why or call.result is None:
        return f": {call.why}" if call.why else ""
    media = "".join([f", {each.kind}" for each in call.result.media])
    return f" {size(call.result.text)}{media} in {os.path.basename(call.result.file)}"


def parameters(call: SessionCall, indent: int | None = None) -> str:
    """Return the parameters of a call as JSON, or its text if they are unknown."""
    try:
        known = call.parameters
        return call.parameters_raw if known is None else json.dumps(finite(known), indent=indent, ensure_ascii=False)
    except RecursionError:
        return call.parameters_raw


def after(call: SessionCall) -> str:
    """Return the dependencies of a call, in words."""
    return f" after {', '.join(call.dependencies)}" if call.dependencies else ""


def repeated(call: SessionCall) -> str:
    """Name the earlier call that a call repeats."""
    if call.repeats is None:
        return ""
    return f" (the same call as {call.repeats.invocation_id} in {os.path.basename(call.repeats.response.file)})"


def missing(session: Session) -> str:
    """Return the numbers without files, in words."""
    numbers = session.missing
    return ", ".join(map(str, numbers[:12])) + (", …" if len(numbers) > 12 else "")


def unread(session: Session) -> str:
    """Return the reason why a session has no calls that were read, and a remedy; empty if it has some."""
    found = session.other_markers
    if found is None:
        return session.misfit
    markers = {"start": found.start, "end": found.end, "arg": found.arg}
    named = [f"{name} = {json.dumps(each, ensure_ascii=False)}" for name, each in markers.items() if each]
    looks = f"; the requests suggest {{ {', '.join(named)} }}" if named else ""
    return f"{counted(found.results, 'result')} without calls: set gadget.markers{looks}"


def by_wave(response: Response) -> list[tuple[str, list[SessionCall]]]:
    """Return the calls of a response: those of each wave, then those that did not run."""
    waves: dict[int, list[SessionCall]] = {}
    for call in response.calls:
        waves.setdefault(call.wave, []).append(call)
    return [
        (f"wave {wave}" if wave else "not run", waves[wave])
        for wave in sorted(waves, key=lambda each: (not each, each))
    ]


def counts(session: Session) -> tuple[list[str], list[tuple[Outcome, str]]]:
    """Count the responses and the calls of a session, and the calls that did not return."""
    found = Counter([call.outcome for call in session.calls])
    totals = [counted(len(session.responses), "response"), counted(found.total(), "call")]
    return totals, [
        (one, f"{found[one]:,} {one}") for one in STYLES if found[one] and one not in ("called", "returned")
    ]


def stopped(session: Session) -> int:
    """Count the stopped calls of a session and of its sub-agents."""
    return sum([call.outcome in STOPPED for call in session.calls]) + sum(map(stopped, session.agents))


def counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def size(text: str) -> str:
    """Return the size of a text in UTF-8."""
    return size_of(len(text.encode("utf-8", "replace")))


class Line(NamedTuple):
    """A line on a terminal: stretches of text, each with a style."""

    indent: str
    parts: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        return self.indent + "".join([text for text, _ in self.parts])


def title(session: Session, name: str = "") -> Line:
    """Describe a session in one line. `name` replaces its folder."""
    totals, others = counts(session)
    found: list[tuple[str, str]] = [(", ".join(totals), "")]
    for outcome, words in others:
        found += [(", ", ""), (words, STYLES[outcome])]
    return Line("", ((name or session.folder or os.curdir, "bold"), (": ", ""), *found))


def tree(session: Session, indent: str = "") -> Iterator[Line]:
    """Yield the lines of a session: its responses, their waves, and the calls in these."""
    # the folder of a sub-agent is inside that of its parent
    yield title(session, os.path.basename(session.folder) if indent else "")._replace(indent=indent)
    if session.missing:
        yield Line(f"{indent}  ", ((f"missing: {missing(session)}", "yellow"),))
    if problem := unread(session):
        yield Line(f"{indent}  ", ((problem, "bold red"),))
    shown: set[str] = set()
    for response in session.responses:
        yield Line(f"{indent}  ", ((os.path.basename(response.file), "bold"), *_text_of(response)))
        for wave, calls in by_wave(response):
            yield Line(f"{indent}    ", ((wave, "dim"),))
            for call in calls:
                yield from _call(call, f"{indent}      ")
                shown.update([agent.folder for agent in call.agents])
    for agent in session.agents:
        if agent.folder not in shown:
            yield from tree(agent, f"{indent}  ")


def _text_of(response: Response) -> Iterator[tuple[str, str]]:
    line = next((each for each in response.said.splitlines() if each.strip()), "")
    if line:
        yield f"  {line.strip()}", "dim"
    if response.reasoning:
        yield f"  (reasoning: {size(response.reasoning)})", "dim"


def _call(call: SessionCall, indent: str) -> Iterator[Line]:
    style = STYLES[call.outcome]
    named, known = f"{call.name or '(unnamed)'} {call.invocation_id}", (more(call), style if call.why else "dim")
    parts = (named, ""), (after(call), "dim"), (": ", ""), (call.outcome, style), known, (repeated(call), "bold red")
    yield Line(indent, parts)
    for agent in call.agents:
        yield from tree(agent, f"{indent}  ")


def as_json(session: Session) -> dict[str, Any]:
    responses = [
        {
            "number": each.number,
            "file": each.file,
            "request": each.request,
            "reasoning": each.reasoning,
            "text": each.said,
            "calls": [*map(_call_as_json, each.calls)],
        }
        for each in session.responses
    ]
    started = {agent.folder for call in session.calls for agent in call.agents}
    others = [as_json(agent) for agent in session.agents if agent.folder not in started]
    missing, problem = [*session.missing], unread(session) or None
    return {
        "folder": session.folder,
        "missing": missing,
        "problem": problem,
        "responses": responses,
        "agents": others,
    }


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


def graph_of(session: Session) -> Graph:
    """Return the graph of the calls, with their outcomes."""
    calls = [*session.calls]

    def known(node: GraphNode) -> GraphNode:
        if node.number < 0:
            return node
        call = calls[node.number]
        outcome = call.outcome
        if outcome == "called" or outcome == "returned" or outcome == "no result":
            return node._replace(kind="runs", says=f"wave {call.wave}")
        return node._replace(kind=outcome, says=f"{outcome}: {call.why}")

    graph = build_graph([response.calls for response in session.responses])
    titles = tuple([os.path.basename(response.file) for response in session.responses])
    return Graph(tuple(map(known, graph.nodes)), graph.edges, titles)
