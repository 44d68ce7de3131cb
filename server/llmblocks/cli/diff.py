"""`llmblocks diff`: two texts or two sessions, compared by their meaning; also side by side, as one HTML page."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, Final

from llmblocks.cli.arguments import add_language, add_output, add_settings, describe, option
from llmblocks.cli.differences import ABSENT, Field, Item, Pair, beside, items_of, responses_of
from llmblocks.cli.input import read_input
from llmblocks.cli.output import console, print_json, spare, text_output, write_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError
from llmblocks.contract.markup import shortened
from llmblocks.core.lines import visible
from llmblocks.sessions import read
from llmblocks.sessions.page import cut, page, text_of
from llmblocks.sessions.words import counted

_DESCRIPTION = """\
Compares two responses, chats or sessions (folders of logs) by what a program reads in
them: calls added, removed, moved, and changed by pointer; messages, blocks and text. How
they are written does not matter.

exit status: 0 they mean the same; 1 they differ; 2 one of them could not be read
"""
_EXAMPLES = """\
  llmblocks diff 0003.response 0004.response
  llmblocks diff before.stf after.stf --output-format json
  llmblocks diff a.stf b.stf --output-format html --output-file differences.html
  llmblocks diff ~/.llmist/logs/brave-otter ~/.llmist/logs/calm-newt
"""
_SIGNS: Final = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow"), "moved": (">", "cyan")}
_LONGEST = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    option(parser, "before", "A", "a file, - for standard input, or a folder of logs")
    option(parser, "after", "B", "another one to compare with it")
    add_language(parser, "the language of both, regardless of their names")
    add_output(parser, ("text", "json", "html"), "text", color=True)
    add_settings(parser)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    if os.path.isdir(given.before) != os.path.isdir(given.after):
        raise InputError("one is a folder and the other is not; give two files, or two folders of logs")
    if given.before == given.after == "-":
        raise InputError("standard input is read once; give a file for the other one")
    pairs = beside(_items(given, given.before), _items(given, given.after))
    changes = _changed(pairs)
    form, file = given.output_format, given.output_file
    if file:
        spare((given.before, given.after), file)
    if form == "html":
        write_output(to_html(pairs, (given.before, given.after)), file)
    elif form == "json":
        print_json([_as_json(each) for each in changes], file)
    else:
        with text_output(file) as stream:
            out = console(stream, highlight=False)
            for indent, text, style in _lines(changes, ""):
                out.print(f"{indent}{visible(text)}", style=style or None, markup=False, soft_wrap=True)
    return int(bool(changes))


def _items(given: argparse.Namespace, name: str) -> Sequence[Item]:
    if os.path.isdir(name):
        settings = CommandProject(given.settings).valid_settings_for(os.path.join(name, "0001.response"))
        session = read(name, markers=settings.markers)
        if not session.responses:
            raise InputError(f"{name}: no responses in it; llmist names them 0001.response")
        return responses_of(session)
    source = read_input(argparse.Namespace(**{**vars(given), "file": name}))
    return items_of(source.text, source.language_id, source.settings)


def _changed(pairs: Sequence[Pair]) -> list[Pair]:
    return [each for each in pairs if each.kinds]


def _lines(changes: Sequence[Pair], indent: str) -> Iterator[tuple[str, str, str]]:
    for each in changes:
        sign, style = _SIGNS[each.kinds[-1]]
        title = f"{sign} {_title(each.item)}"
        if each.kinds[-1] in ("added", "removed"):
            text = f": {_short(each.item.fields[''])}" if "" in each.item.fields else ""
            yield indent, f"{title}{text}", style
            continue
        yield indent, f"{title}{' (moved)' if 'moved' in each.kinds else ''}", style
        for field in each.fields:
            yield f"{indent}    ", _field(field), ""
        yield from _lines(_changed(each.parts), f"{indent}  ")


def _title(item: Item) -> str:
    return " ".join(filter(None, (item.what, item.name)))


def _field(field: Field) -> str:
    name = f"{field.pointer}: " if field.pointer else ""
    if field.before is ABSENT:
        return f"+ {name}{_short(field.after)}"
    if field.after is ABSENT:
        return f"- {name}{_short(field.before)}"
    before, after = _parted(field.before, field.after)
    return f"{name}{before} → {after}"


def _parted(before: Any, after: Any) -> tuple[str, str]:
    """Return two values, each from shortly before their first difference."""
    if not (isinstance(before, str) and isinstance(after, str)):
        return _short(before), _short(after)
    same = _common(before, after)
    start = max(0, same - _LONGEST // 3) if max(len(before), len(after)) > _LONGEST else 0
    cut = "…" if start else ""
    return cut + _short(before[start:]), cut + _short(after[start:])


def _common(one: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (first, second) in pairs if first != second), min(len(one), len(other)))


def _short(value: Any) -> str:
    return shortened(json.dumps(value, ensure_ascii=False), _LONGEST)


def _as_json(change: Pair) -> dict[str, Any]:
    item = change.item
    found: dict[str, Any] = {"change": [*change.kinds], "what": item.what, "name": item.name}
    if change.kinds[-1] in ("added", "removed"):
        return {**found, **_content(item)}
    rows = [{key: value for key, value in each._asdict().items() if value is not ABSENT} for each in change.fields]
    return {**found, "fields": rows, "parts": [*map(_as_json, _changed(change.parts))]}


def _content(item: Item) -> dict[str, Any]:
    parts = [{"what": each.what, "name": each.name, **_content(each)} for each in item.parts]
    return {"values": dict(item.fields), **({"parts": parts} if parts else {})}


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


def to_html(pairs: Sequence[Pair], names: tuple[str, str]) -> str:
    """Return the page of two sides with these `names`."""
    short = [os.path.basename(os.path.abspath(name)) for name in names]
    one, other = short if short[0] != short[1] else names
    head = f'<thead><tr><th scope="col">{text_of(one)}</th><th scope="col">{text_of(other)}</th></tr></thead>'
    rows = [*_rows(pairs, 0)]
    count = sum([row.startswith('<tr class="changed') for row in rows])
    said = counted(count, "difference") if count else "They mean the same."
    parts = [f'<p class="quiet">{said}</p>', f"<table>{head}<tbody>", *rows, "</tbody></table></main>"]
    return page(f"{one} and {other}", parts, "", "differences", _STYLE)


def _rows(pairs: Sequence[Pair], depth: int) -> Iterator[str]:
    for pair in pairs:
        says = f' <span class="odd">{", ".join(pair.kinds)}</span>' if pair.kinds else ""
        heading = f'<th colspan="2" scope="colgroup">{text_of(_title(pair.item))}{says}</th>'
        yield f'<tr class="{"changed" if pair.kinds else "same"} depth{min(depth, _DEEPEST)}">{heading}</tr>'
        if pair.kinds:
            sides = [side.fields if side else {} for side in (pair.before, pair.after)]
            names = [("(name)", *each[1:]) for each in pair.fields if each.pointer == "(name)"]
            pointers = dict.fromkeys([*sides[0], *sides[1]])
            for row in (*names, *[(each, *[side.get(each, ABSENT) for side in sides]) for each in pointers]):
                yield _field_row(*row)
        yield from _rows(pair.parts, depth + 1)


def _field_row(pointer: str, before: Any, after: Any) -> str:
    one, other = _marked_sides(before, after)
    name = f'<span class="quiet">{text_of(pointer)}</span>' if pointer else ""
    return f"<tr>{_cell(name, one)}{_cell(name, other)}</tr>"


def _cell(name: str, value: str | None) -> str:
    return "<td></td>" if value is None else f"<td>{name}<pre>{value}</pre></td>"


def _marked_sides(before: Any, after: Any) -> tuple[str | None, str | None]:
    """Return two values as HTML, with the differences between their common beginning and end marked."""
    one, other = _written(before), _written(after)
    if one == other and type(before) is not type(after):
        one, other = json.dumps(before), json.dumps(after)
    if one is None or other is None:
        return _marked(one, "del", 0, 0), _marked(other, "ins", 0, 0)
    start = _common(one, other)
    end = _common(one[start:][::-1], other[start:][::-1])
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
