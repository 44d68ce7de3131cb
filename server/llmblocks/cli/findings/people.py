"""Findings for people: lines of text, or frames with their lines of source, related places, and the fix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from llmblocks.cli.findings.reported import Excerpt, RelatedPlace, Reported
from llmblocks.cli.output import console, is_coloured
from llmblocks.core.lines import visible
from llmblocks.facts.severity import Severity

_STYLES = dict(zip(Severity, ("bold red", "bold yellow", "bold blue", "bold"), strict=True))
_TAB = " " * 4
_CUT = "..."
_NARROWEST = 24
Line = tuple[str | tuple[str, str], ...]
"""Stretches of text, some with a style."""


def write_concise(reported: Iterable[Reported], out: TextIO) -> None:
    """Write findings, a line each; in colour on a terminal."""
    if not is_coloured(out):
        out.writelines(f"{text_line(each)}\n" for each in reported)
        return
    from rich.text import Text

    shown = console(out, highlight=False, soft_wrap=True)
    for each in reported:
        severity = f"{each.severity.name.lower()} {each.code}", _STYLES[each.severity]
        shown.print(Text.assemble((_where(each), "cyan"), ": ", severity, " ", visible(str(each.message))))


def text_line(reported: Reported) -> str:
    """Return `path:line:col: severity code message`, always on one line."""
    return f"{_where(reported)}: {reported.severity.name.lower()} {reported.code} {visible(str(reported.message))}"


def _where(reported: Reported) -> str:
    return f"{visible(reported.path)}:{reported.span.line}:{reported.span.column}"


def write_full(reported: Iterable[Reported], out: TextIO) -> None:
    """Write a block of lines for each finding, no wider than the terminal."""
    from rich.text import Text

    shown = console(out, highlight=False, markup=False, emoji=False)
    for each in reported:
        for line in _block(each, max(shown.width, _NARROWEST)):
            shown.print(Text.assemble(*line, overflow="fold"))


def _block(each: Reported, width: int) -> Iterator[Line]:
    style = _STYLES[each.severity]
    margin = len(str(max([each.span.line, *[place.span.line for place in each.related if place.excerpt]])))
    headline = visible(each.message.headline)
    yield (f"{each.severity.name.lower()}[{each.code}]", style), ": ", (headline, "bold")
    yield from _frame("-->", RelatedPlace(each.path, each.span, "", each.excerpt), "^", style, margin, width)
    for place in each.related:
        yield from _frame(":::", place._replace(path=place.path or each.path), "-", "bold blue", margin, width)
    for label, text in (("note", each.message.note), ("help", each.message.help)):
        if text:
            yield from _remark(margin, label, "bold", visible(text), width)
    if each.remedy is not None:
        hint = "--fix" if each.remedy.safe else "--fix --unsafe-fixes"
        yield from _remark(margin, "fix", "bold green", f"{visible(each.remedy.title)} ({hint})", width)
    yield ()


def _remark(margin: int, label: str, style: str, text: str, width: int) -> Iterator[Line]:
    from textwrap import wrap

    indent = margin + len(f" = {label}: ")
    first, *rest = wrap(text, max(width - indent, _NARROWEST), break_on_hyphens=False) or [""]
    yield (f"{' ' * margin} = ", "blue"), (label, style), f": {first}"
    yield from [(f"{' ' * indent}{line}",) for line in rest]


def _frame(arrow: str, place: RelatedPlace, sign: str, style: str, margin: int, width: int) -> Iterator[Line]:
    """Yield the place, the line, and the underline with its message."""
    from rich.cells import cell_len

    path, span, message, excerpt = place
    behind = "" if excerpt is not None or not message else f": {visible(message)}"
    yield (f"{' ' * margin}{arrow} ", "blue"), f"{visible(str(path))}:{span.line}:{span.column}{behind}"
    if excerpt is None:
        return
    before, text, behind = _fitted(excerpt, width - margin - 3)
    yield (f"{span.line:>{margin}} | ", "blue"), before, (text, style), behind
    signs = f"{sign * max(cell_len(text), 1)} {visible(message)}".rstrip()
    yield (f"{' ' * margin} | ", "blue"), " " * cell_len(before), (signs, style)


def _fitted(excerpt: Excerpt, width: int) -> tuple[str, str, str]:
    """Return the shown parts of a line, in at most this many columns."""
    from rich.cells import cell_len

    before, text, behind = [visible(each.replace("\t", _TAB)) for each in excerpt[:3]]
    left, right = excerpt.cut
    before, behind = f"{_CUT}{before}" if left else before, f"{behind}{_CUT}" if right else behind
    if cell_len(before + text + behind) <= width:
        return before, text, behind
    # the span first, then a little before it, then the text after it
    text = _cut(text, width)
    space = width - cell_len(text)
    before = _cut(before, min(space, max(space // 2, space - cell_len(behind))), keeps_end=True)
    return before, text, _cut(behind, space - cell_len(before))


def _cut(text: str, width: int, *, keeps_end: bool = False) -> str:
    """Return as much of the start of a text, or of its end, as fits."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= width:
        return text
    if width <= len(_CUT):
        return ""
    if keeps_end:
        return _CUT + set_cell_size(text[::-1], width - len(_CUT)).rstrip()[::-1]
    return set_cell_size(text, width - len(_CUT)) + _CUT
