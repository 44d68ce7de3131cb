"""A session as lines on a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from llmblocks.sessions import Response, Session, SessionCall
from llmblocks.sessions.words import STYLES, after, by_wave, counts, missing, more, repeated, size, unread


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
    named = f"{call.name or '(unnamed)'} {call.invocation_id}"
    parts = (
        (named, ""),
        (after(call), "dim"),
        (": ", ""),
        (call.outcome, style),
        (more(call), style if call.why else "dim"),
    )
    yield Line(indent, (*parts, (repeated(call), "bold red")))
    for agent in call.agents:
        yield from tree(agent, f"{indent}  ")
