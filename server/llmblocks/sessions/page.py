"""A session as one self-contained HTML page: it makes no network requests."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import count

from llmblocks.core.lines import visible
from llmblocks.gadget.graph import STYLE as GRAPH_STYLE
from llmblocks.gadget.graph import to_svg
from llmblocks.gadget.running.fates import STOPPED, name_of
from llmblocks.sessions import Response, Session, SessionCall
from llmblocks.sessions.words import (
    after,
    by_wave,
    counted,
    counts,
    graph_of,
    missing,
    more,
    parameters,
    repeated,
    size,
    stopped,
    unread,
)

_MOST = 100_000
"""The maximum length of a text on the page, in characters: the rest is in the file."""
_MOST_DRAWN = 300
"""The maximum number of calls in a graph; larger graphs are unreadable."""
_BLANKS = re.compile(r"([\t\n]+)")
_TOOLS = """\
<form role="search"><input type="search" placeholder="Search calls, parameters, results" \
aria-label="Search calls, parameters and results"><button type="button" id="open">Open all</button>\
<button type="button" id="close">Close all</button><button type="button" id="next">Next problem</button>\
<output aria-live="polite"></output></form>"""


def to_html(session: Session) -> str:
    """Return the page of a session."""
    script = files(__package__).joinpath("page.js").read_text(encoding="utf-8")
    parts = [
        _counts(session),
        _TOOLS,
        _graph(session),
        *_agent(session, count()),
        f"</main>\n<script>{script}</script>",
    ]
    return page(_name(session), parts, f"script-src {hash_of(script)}; ")


def to_list(sessions: Sequence[Session]) -> str:
    """Return the page of several sessions: their counts, and the stopped calls of each."""
    parts = [f'<p class="quiet">{counted(len(sessions), "session")}</p>']
    for session in sessions:
        parts += [f"<article><h2>{text_of(session.folder)}</h2>", _counts(session)]
        found = [
            f"<li>{_file(call.response.file)}: <span class='{name_of(call.outcome)}'>{_heading(call)}</span></li>"
            for call in session.calls
            if call.outcome in STOPPED
        ]
        parts += ["<ul>", *found, "</ul></article>"] if found else ["</article>"]
    return page("Sessions", [*parts, "</main>"], "")


def page(title: str, parts: Iterable[str], scripts: str, kind: str = "session", more: str = "") -> str:
    """Return a whole page: `parts` end its `main`, `scripts` are directives of its policy, and `more` is style."""
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8") + more
    body = [f"<h1>{text_of(title)}</h1>", *filter(None, parts)]
    return document(f"{text_of(title)}: {kind}", style, "\n".join(body), f" {hash_of(GRAPH_STYLE)}; {scripts}")


def document(title: str, style: str, body: str, allowed: str = "; ") -> str:
    """Return a document that loads nothing. `allowed` continues its policy after the hash of its style."""
    policy = f"default-src 'none'; style-src {hash_of(style)}{allowed}base-uri 'none'; form-action 'none'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n{body}\n</body>\n</html>\n"
    )


def _name(session: Session) -> str:
    return os.path.basename(os.path.abspath(session.folder))


def _counts(session: Session) -> str:
    totals, others = counts(session)
    words = [f'<span class="{"bad" if one in ("failed", "rejected") else "odd"}">{text}</span>' for one, text in others]
    lost = f'<p class="odd">missing: {missing(session)}</p>' if session.missing else ""
    problem = f'<p class="bad">{text_of(why)}</p>' if (why := unread(session)) else ""
    return f'<p class="quiet">{", ".join([*totals, *words])}</p>{lost}{problem}'


def _graph(session: Session) -> str:
    calls = [*session.calls]
    if not any(call.dependencies for call in calls) or len(calls) > _MOST_DRAWN:
        return ""
    return (
        "<details open><summary>Which call waits for which</summary>"
        '<div class="graph" tabindex="0" role="region" aria-label="Graph of the calls">'
        f"{to_svg(graph_of(session))}</div></details>"
    )


def _agent(session: Session, numbers: Iterator[int]) -> Iterator[str]:
    """Yield the responses of an agent. `numbers` are the link targets of calls in the graph."""
    shown: set[str] = set()
    for response in session.responses:
        yield from _response(response, numbers)
        shown.update([agent.folder for call in response.calls for agent in call.agents])
    for agent in session.agents:
        if agent.folder not in shown:
            yield from _sub_agent(agent)


def _sub_agent(session: Session) -> Iterator[str]:
    yield f"<h3>Sub-agent {text_of(_name(session))}</h3>{_counts(session)}"
    yield from _agent(session, iter(()))


def _response(response: Response, numbers: Iterator[int]) -> Iterator[str]:
    yield f"<article><h2>{_file(response.file)}</h2>"
    if response.reasoning:
        yield f"<details><summary>Reasoning, {size(response.reasoning)}</summary><div>"
        yield f"{_pre(response.reasoning, 'reasoning')}</div></details>"
    if response.said:
        yield f'<div class="said" tabindex="0" role="group" aria-label="text">{cut(response.said)}</div>'
    numbered = {call.number: next(numbers, None) for call in response.calls}
    for wave, calls in by_wave(response):
        yield f'<h3>{wave}</h3><div class="wave">'
        for call in calls:
            yield from _call(call, numbered[call.number])
        yield "</div>"
    yield "</article>"


def _heading(call: SessionCall) -> str:
    inside = sum(map(stopped, call.agents))
    return (
        f'<span class="name">{text_of(call.name or "(unnamed)")}</span> {text_of(call.invocation_id)}'
        f'<span class="quiet">{text_of(after(call))}</span> <span class="says">{call.outcome}</span>'
        f'<span class="{"says" if call.why else "more"}">{text_of(more(call))}</span>'
        f'<span class="bad">{text_of(repeated(call))}</span>'
        + (f' <span class="bad">({counted(inside, "problem")} in its sub-agent)</span>' if inside else "")
    )


def _call(call: SessionCall, number: int | None) -> Iterator[str]:
    identity = f' id="call-{number}"' if number is not None else ""
    yield f'<details class="{name_of(call.outcome)}" data-number{identity}>'
    yield f'<summary class="{name_of(call.outcome)}">{_heading(call)}</summary><div>'
    yield "<h3>Parameters</h3>"
    yield _pre(parameters(call, 2), "parameters")
    if call.result is not None:
        yield f"<h3>Result, in {_file(call.result.file)}</h3>"
        yield _pre(call.result.text, "result")
        for each in call.result.media:
            yield f'<p class="quiet">{text_of(f"{each.kind} {each.id}" + (f": {each.path}" if each.path else ""))}</p>'
    if call.used_by:
        yield f'<p class="quiet">Used by {text_of(", ".join([other.invocation_id for other in call.used_by]))}.</p>'
    for agent in call.agents:
        yield from _sub_agent(agent)
    yield "</div></details>"


def _pre(text: str, what: str) -> str:
    # scrollable parts can be reached with the keyboard
    return f'<pre tabindex="0" role="group" aria-label="{what}">{cut(text)}</pre>'


def cut(text: str) -> str:
    left = f"\n… {len(text) - _MOST:,} more characters are in the file" if len(text) > _MOST else ""
    return text_of(text[:_MOST]) + left


def _file(path: str) -> str:
    return text_of(os.path.basename(path))


def hash_of(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def text_of(text: str) -> str:
    """Return a text for the page: control characters other than white space are shown, half characters replaced."""
    whole = text.encode("utf-8", "replace").decode()
    return escape("".join([part if part.isspace() else visible(part) for part in _BLANKS.split(whole)]))
