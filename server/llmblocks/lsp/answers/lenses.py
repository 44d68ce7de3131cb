"""Code lenses: their lines at once, and the text of each when it becomes visible."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.commands import SHOW_GRAPH, SHOW_PARAMETERS
from llmblocks.lsp.wire.params import MAX_UINTEGER, range_of
from llmblocks.lsp.wire.rpc import Json, RawJson, encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from llmblocks.core.query import Query
    from llmblocks.core.section import Piece
    from llmblocks.core.sequence import Block
    from llmblocks.features.lenses import LensRow
    from llmblocks.languages.ask import Ask

_ORDER, _PARAMETERS, _PROBLEMS = "order", "parameters", "problems"
_Key = tuple[int, tuple[str, ...]]


def lenses(ask: Ask, asker: Asker) -> Json:
    """All lenses, without their commands. Unchanged ones are reused."""
    from llmblocks.features.lenses import lens_rows, problem_lenses, wanted

    kinds = wanted(ask)
    parts = []
    shown = tuple([kind for kind in (_ORDER, _PARAMETERS) if kind in kinds])
    if shown:
        remembered = _lenses_query()
        uri = encode(asker.uri).decode("ascii")
        for line, rows, of in lens_rows(ask):
            if rows:
                known = remembered(of)
                key = line, shown
                if key not in known:
                    known.clear()
                    known[key] = _written(rows, line, shown, uri)
                if known[key]:
                    parts.append(known[key])
    if _PROBLEMS in kinds:
        for line, title in problem_lenses(ask):
            start = {"line": line, "character": 0}
            data = {"uri": asker.uri, "kind": _PROBLEMS, "title": title}
            parts.append(encode({"range": {"start": start, "end": start}, "data": data}))
    return RawJson(b"[%b]" % b",".join(parts))


def resolved(ask: Ask, asker: Asker) -> Json:
    """A lens with its command."""
    from llmblocks.features.lenses import order_title

    line = range_of(asker.params.get("range"), "range").start_line
    end = asker.text.offset(line, MAX_UINTEGER)
    data = asker.params["data"]
    kind, title = data.get("kind"), data.get("title")
    if kind in (_PARAMETERS, _PROBLEMS):
        title = title if kind == _PROBLEMS and isinstance(title, str) else "parameters as JSON"
        place = dict(zip(("line", "character"), asker.text.position(end), strict=True))
        return {**asker.params, "command": _command(SHOW_PARAMETERS, title, asker.uri, place)}
    title = order_title(replace(ask, start=end, end=end)) if kind == _ORDER else None
    # without a command, some clients show that one is missing
    return {**asker.params, "command": _command(SHOW_GRAPH, title or "", asker.uri)}


def _command(name: str, title: str, uri: str, place: Json = None) -> Json:
    position = {} if place is None else {"position": place}
    return {"title": title, "command": name, "arguments": [{"textDocument": {"uri": uri}, **position}]}


def _written(rows: Iterable[LensRow], by: int, kinds: tuple[str, ...], uri: str) -> bytes:
    """The lenses of rows without their commands, where they begin on a line. Shape: `uri` is JSON."""
    found = []
    for line, ordered in rows:
        start = f'{{"line":{line + by},"character":0}}'
        for kind in kinds:
            if ordered or kind != _ORDER:
                data = f'{{"uri":{uri},"kind":"{kind}"}}'
                found.append(f'{{"range":{{"start":{start},"end":{start}}},"data":{data}}}')
    return ",".join(found).encode("ascii")


@lru_cache(maxsize=1)
def _lenses_query() -> Query[Block | Piece, dict[_Key, bytes]]:
    """The lenses of a block or a piece as JSON, by the line that they count from and their kinds."""
    from llmblocks.core.query import Query

    return Query("lenses as JSON", lambda _: {})
