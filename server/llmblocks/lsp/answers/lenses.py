"""Code lenses: their lines at once, and the text of each when it becomes visible."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from llmblocks.contract.markup import shortened
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.commands import SHOW_GRAPH, SHOW_PARAMETERS, SHOW_PROBLEM, SHOW_RESULT
from llmblocks.lsp.wire.limits import MAX_FOLDED_LINES
from llmblocks.lsp.wire.params import MAX_UINTEGER, range_of
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.languages.ask import Ask
    from llmblocks.lsp.wire.values import CodeLens

_ORDER, _RESULT, _PARAMETERS = "order", "result", "parameters"
_LONGEST = 80


def lenses(ask: Ask, asker: Asker) -> list[CodeLens]:
    """Return the lenses, without their commands."""
    from llmblocks.features.lenses import lens_lines, wanted

    wanted_kinds = wanted(ask)
    kinds = [kind for kind in (_ORDER, _RESULT, _PARAMETERS) if kind in wanted_kinds]
    return [
        {"range": {"start": start, "end": start}, "data": {"uri": asker.own_uri, "kind": kind}}
        for line in (lens_lines(ask) if kinds else ())
        if line < MAX_FOLDED_LINES
        for start in (asker.places.line_start(line),)
        for kind in kinds
    ]


def resolved(ask: Ask, asker: Asker) -> Json:
    """Return a lens with its command, which shows the obstacle of a call that does not run."""
    from llmblocks.features.lenses import reply, standing

    start = asker.places.offset(*range_of(asker.params.get("range"), "range")[:2])
    end = asker.text.offset(asker.text.position(start)[0], MAX_UINTEGER)
    place = asker.places.place(end)
    here = replace(ask, start=end, end=end)
    kind = asker.params["data"].get("kind")
    if kind == _PARAMETERS:
        return {**asker.params, "command": _command(SHOW_PARAMETERS, "parameters", asker.uri, place)}
    if kind == _RESULT:
        told = reply(here)
        beside = standing(here) if ask.shows_order() else None
        # the lens beside it may say the same
        title = "" if told is None or (beside and beside.says == told.says) else shortened(told.says, _LONGEST)
        return {**asker.params, "command": _command(SHOW_RESULT, title, asker.uri, place)}
    found = standing(here) if kind == _ORDER else None
    if found is not None and found.obstacle is not None:
        return {**asker.params, "command": _command(SHOW_PROBLEM, shortened(found.says, _LONGEST), asker.uri, place)}
    # without a command, some clients show an error
    inside = place if asker.guest is not None else None
    return {**asker.params, "command": _command(SHOW_GRAPH, found.says if found else "", asker.uri, inside)}


def _command(name: str, title: str, uri: str, place: Json = None) -> Json:
    position = {} if place is None else {"position": place}
    return {"title": title, "command": name, "arguments": [{"textDocument": {"uri": uri}, **position}]}
