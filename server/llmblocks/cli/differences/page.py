"""Two texts or sessions side by side, as one self-contained HTML page."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

from llmblocks.cli.differences.compare import ABSENT, Item, Pair, beside
from llmblocks.sessions.page import cut, page, text_of
from llmblocks.sessions.words import counted

_STYLE = """
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: .2rem .5rem; overflow-wrap: anywhere; }
td + td, thead th + th { border-left: 1px solid var(--line); }
thead th { position: sticky; top: 0; background: var(--page); border-bottom: 1px solid var(--line); }
tbody th { border-top: 1px solid var(--line); padding-left: calc(.5rem + var(--depth, 0) * 1.25rem); }
.depth1 { --depth: 1; } .depth2 { --depth: 2; } .depth3 { --depth: 3; }
.same th { font-weight: 400; color: var(--quiet); }
td pre { background: none; padding: 0; }
del, ins { text-decoration: none; border-radius: 3px; padding: 0 .1em; }
del { background: #ffd7d5; color: #5c0b0f; } ins { background: #ccf3d4; color: #0a3d1a; }
@media (prefers-color-scheme: dark) {
  del { background: #67171b; color: #ffe3e1; } ins { background: #13522a; color: #dafbe1; }
}
"""
_DEEPEST = 3


def to_html(before: Sequence[Item], after: Sequence[Item], names: tuple[str, str]) -> str:
    """Return the page of two sides with these `names`."""
    short = [os.path.basename(os.path.abspath(name)) for name in names]
    one, other = short if short[0] != short[1] else names
    head = f'<thead><tr><th scope="col">{text_of(one)}</th><th scope="col">{text_of(other)}</th></tr></thead>'
    rows = [*_rows(beside(before, after), 0)]
    count = sum([row.startswith('<tr class="changed') for row in rows])
    said = counted(count, "difference") if count else "They mean the same."
    parts = [f'<p class="quiet">{said}</p>', f"<table>{head}<tbody>", *rows, "</tbody></table></main>"]
    return page(f"{one} and {other}", parts, "", "differences", _STYLE)


def _rows(pairs: Sequence[Pair], depth: int) -> Iterator[str]:
    for before, after, change in pairs:
        item = after or before
        assert item is not None, "one of them is there"
        kinds = () if change is None else change.kinds
        title = text_of(" ".join(filter(None, (item.what, item.name))))
        says = f' <span class="odd">{", ".join(kinds)}</span>' if kinds else ""
        state = "changed" if kinds else "same"
        heading = f'<th colspan="2" scope="colgroup">{title}{says}</th>'
        yield f'<tr class="{state} depth{min(depth, _DEEPEST)}">{heading}</tr>'
        if change is None and not item.parts:
            continue
        changed = {field.pointer: (field.before, field.after) for field in (change.fields if change else ())}
        own = [each for side in (before, after) if side for each in side.fields]
        pointers = dict.fromkeys([*[each for each in changed if each not in own], *own])
        for pointer in pointers if change is not None else ():
            sides = [side.fields.get(pointer, ABSENT) if side is not None else ABSENT for side in (before, after)]
            yield _field(pointer, *changed.get(pointer, sides))
        inside = beside(before.parts if before else (), after.parts if after else ())
        yield from _rows(inside, depth + 1)


def _field(pointer: str, before: Any, after: Any) -> str:
    one, other = _parted(before, after)
    name = f'<span class="quiet">{text_of(pointer)}</span>' if pointer else ""
    return f"<tr>{_cell(name, one)}{_cell(name, other)}</tr>"


def _cell(name: str, value: str | None) -> str:
    return "<td></td>" if value is None else f"<td>{name}<pre>{value}</pre></td>"


def _parted(before: Any, after: Any) -> tuple[str | None, str | None]:
    """Return two values as HTML, with the differences between their common beginning and end marked."""
    one, other = _written(before), _written(after)
    if one == other and type(before) is not type(after):
        one, other = json.dumps(before), json.dumps(after)
    if one is None or other is None:
        return _marked(one, "del", 0, 0), _marked(other, "ins", 0, 0)
    most = min(len(one), len(other))
    start = next((at for at in range(most) if one[at] != other[at]), most)
    end = next((at for at in range(most - start) if one[-1 - at] != other[-1 - at]), most - start)
    # words are marked as a whole
    while start and one[start - 1].isalnum() and start < most:
        start -= 1
    while end and one[-end].isalnum():
        end -= 1
    return _marked(one, "del", start, end), _marked(other, "ins", start, end)


def _written(value: Any) -> str | None:
    if value is ABSENT:
        return None
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _marked(text: str | None, tag: str, start: int, end: int) -> str | None:
    """Return a text with the part between `start` and `end` marked."""
    if text is None:
        return None
    middle, last = text[start : len(text) - end], text[len(text) - end :]
    return cut(text[:start]) + (f"<{tag}>{cut(middle)}</{tag}>" if middle else "") + cut(last)
