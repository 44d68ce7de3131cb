"""Findings with their lines of source, for people: the span underlined, related places, and the fix."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import TextIO

from rich.cells import cell_len
from rich.text import Text

from llmblocks.cli.colours import console
from llmblocks.cli.findings.concise import STYLES
from llmblocks.cli.findings.reported import Excerpt, RelatedPlace, Reported
from llmblocks.core.visible import visible

_TAB = 4
_CUT = "..."
_NARROWEST = 24


def write(reported: Iterable[Reported], out: TextIO) -> None:
    """Write a block of lines for each finding, no wider than the terminal."""
    shown = console(out, highlight=False, markup=False, emoji=False)
    for each in reported:
        for line in _block(each, max(shown.width, _NARROWEST)):
            shown.print(line)


def _block(each: Reported, width: int) -> Iterable[Text]:
    style = STYLES[each.severity]
    margin = len(str(max([each.span.line, *[place.span.line for place in each.related if place.excerpt]])))
    headline = visible(each.message.headline)
    yield Text.assemble((f"{each.severity.name.lower()}[{each.code}]", style), ": ", (headline, "bold"))
    here = RelatedPlace(each.path, each.span, "", each.excerpt)
    yield from _frame("-->", here, "^", style, margin, width)
    for place in each.related:
        yield from _frame(":::", place._replace(path=place.path or each.path), "-", "bold blue", margin, width)
    for label, text in (("note", each.message.note), ("help", each.message.help)):
        if text:
            yield from _remark(margin, label, "bold", visible(text), width)
    if each.remedy is not None:
        hint = "--fix" if each.remedy.safe else "--fix --unsafe-fixes"
        yield from _remark(margin, "fix", "bold green", f"{visible(each.remedy.title)} ({hint})", width)
    yield Text()


def _remark(margin: int, label: str, style: str, text: str, width: int) -> Iterable[Text]:
    """Yield a line with a label, and the lines of its text."""
    indent = margin + len(f" = {label}: ")
    first, *rest = wrap(text, max(width - indent, _NARROWEST), break_on_hyphens=False) or [""]
    yield Text.assemble((f"{' ' * margin} = ", "blue"), (label, style), f": {first}")
    yield from [Text(f"{' ' * indent}{line}") for line in rest]


def _frame(arrow: str, place: RelatedPlace, sign: str, style: str, margin: int, width: int) -> Iterable[Text]:
    """Yield the place, the line, and the underline with its message."""
    path, span, message, excerpt = place
    behind = "" if excerpt is not None or not message else f": {visible(message)}"
    where = f"{visible(str(path))}:{span.line}:{span.column}{behind}"
    yield Text.assemble((f"{' ' * margin}{arrow} ", "blue"), where, overflow="fold")
    if excerpt is None:
        return
    before, text, behind = _fitted(excerpt, width - margin - 3)
    yield Text.assemble((f"{span.line:>{margin}} | ", "blue"), before, (text, style), behind)
    signs = f"{sign * max(cell_len(text), 1)} {visible(message)}".rstrip()
    yield Text.assemble((f"{' ' * margin} | ", "blue"), " " * cell_len(before), (signs, style))


def _fitted(excerpt: Excerpt, width: int) -> tuple[str, str, str]:
    """Return the shown parts of a line, in at most this many columns."""
    before, column = _shown(excerpt.before, 0)
    text, column = _shown(excerpt.text, column)
    behind, _ = _shown(excerpt.behind, column)
    left, right = excerpt.cut
    if left:
        before = _CUT + before
    if right:
        behind += _CUT
    if cell_len(before + text + behind) <= width:
        return before, text, behind
    # the span first, then a little before it, then the text after it
    text = _cut(text, width)
    space = width - cell_len(text)
    room_before = min(space, max(space // 2, space - cell_len(behind)))
    before = _cut(before, room_before, keeps_end=True)
    return before, text, _cut(behind, space - cell_len(before))


def _shown(text: str, column: int) -> tuple[str, int]:
    """Return a text with tabs as spaces and visible control characters, from a column on, and the column after it."""
    parts = []
    for number, part in enumerate(text.split("\t")):
        if number:
            blank = " " * (_TAB - column % _TAB)
            parts.append(blank)
            column += len(blank)
        seen = visible(part)
        parts.append(seen)
        column += cell_len(seen)
    return "".join(parts), column


def _cut(text: str, width: int, *, keeps_end: bool = False) -> str:
    """Return as much of the start of a text, or of its end, as fits."""
    if cell_len(text) <= width:
        return text
    if width <= len(_CUT):
        return ""
    kept, used = [], len(_CUT)
    for each in reversed(text) if keeps_end else text:
        used += cell_len(each)
        if used > width:
            break
        kept.append(each)
    return _CUT + "".join(reversed(kept)) if keeps_end else "".join(kept) + _CUT
