"""Code lenses: their lines at once, and the text of each when it becomes visible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from llmblocks.contract.markup import shortened
from llmblocks.core.query import Query
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.commands import SHOW_GRAPH, SHOW_PARAMETERS, SHOW_PROBLEM, SHOW_RESULT
from llmblocks.lsp.wire.limits import MAX_FOLDED_LINES
from llmblocks.lsp.wire.params import MAX_UINTEGER, range_of
from llmblocks.lsp.wire.rpc import Json, RawJson, encode
from llmblocks.lsp.wire.uris import GUEST

if TYPE_CHECKING:
    from llmblocks.core.sequence import Block
    from llmblocks.languages.ask import Ask

_ORDER, _RESULT, _PARAMETERS = "order", "result", "parameters"
_LONGEST = 80
_WRITTEN_LENSES: Query[Block, dict[tuple[int, tuple[str, ...]], bytes]] = Query("lenses as JSON", lambda _: {})
"""The lenses of a block as JSON, by the line that they count from and their kinds."""


def lenses(ask: Ask, asker: Asker) -> Json:
    """The lenses, without their commands. Unchanged ones are reused."""
    from llmblocks.features.lenses import lens_lines, wanted

    kinds = wanted(ask)
    parts = []
    shown = tuple([kind for kind in (_ORDER, _RESULT, _PARAMETERS) if kind in kinds])
    if shown:
        uri = encode(asker.uri).decode("ascii")
        for line, found, block in lens_lines(ask):
            if line >= MAX_FOLDED_LINES:
                break
            if found.lines:
                known = _WRITTEN_LENSES(block)
                key = line, shown
                if key not in known:
                    known.clear()
                    moved = [line + each for each in found.lines if line + each < MAX_FOLDED_LINES]
                    known[key] = _written(moved, shown, uri)
                if known[key]:
                    parts.append(known[key])
    return RawJson(b"[", b",".join(parts), b"]")


def resolved(ask: Ask, asker: Asker) -> Json:
    """A lens with its command: what keeps a call from running is shown where it is."""
    from llmblocks.features.lenses import reply, standing

    line = range_of(asker.params.get("range"), "range").start_line
    end = asker.text.offset(line, MAX_UINTEGER)
    place = asker.text.place(end)
    kind = asker.params["data"].get("kind")
    if kind == _PARAMETERS:
        return {**asker.params, "command": _command(SHOW_PARAMETERS, "parameters", asker.uri, place)}
    if kind == _RESULT:
        told = reply(replace(ask, start=end, end=end))
        title = shortened(told.says, _LONGEST) if told else ""
        return {**asker.params, "command": _command(SHOW_RESULT, title, asker.uri, place)}
    found = standing(replace(ask, start=end, end=end)) if kind == _ORDER else None
    if found is not None and found.obstacle is not None:
        return {**asker.params, "command": _command(SHOW_PROBLEM, shortened(found.says, _LONGEST), asker.uri, place)}
    # without a command, some clients show that one is missing
    # an embedded text is found by a place in it
    inside = place if GUEST in asker.uri else None
    return {**asker.params, "command": _command(SHOW_GRAPH, found.says if found else "", asker.uri, inside)}


def _command(name: str, title: str, uri: str, place: Json = None) -> Json:
    position = {} if place is None else {"position": place}
    return {"title": title, "command": name, "arguments": [{"textDocument": {"uri": uri}, **position}]}


def _written(lines: Iterable[int], kinds: tuple[str, ...], uri: str) -> bytes:
    """The lenses of lines without their commands. Shape: `uri` is JSON."""
    found = []
    for line in lines:
        start = f'{{"line":{line},"character":0}}'
        for kind in kinds:
            data = f'{{"uri":{uri},"kind":"{kind}"}}'
            found.append(f'{{"range":{{"start":{start},"end":{start}}},"data":{data}}}')
    return ",".join(found).encode("ascii")
