"""A picture of a broken call, for pages without scripts: colours and squiggles, from our own scanner and rules."""

from __future__ import annotations

import html
from itertools import pairwise
from typing import Final

from llmblocks import check
from llmblocks.features.marks import paint
from llmblocks.languages.registry import find_language, open_document
from llmblocks.settings.values import DEFAULTS

_CALL: Final = """\
I will write the file now.
!!!GADGET_START:WriteFile:w1
!!!ARG:filePath
src/retry.ts
!!!ARG:attempts
3
!!!ARG:filePath
src/client.ts
!!!GADGET_END
"""
_LIGHT: Final = {
    "": "#24292e",
    "keyword": "#d73a49",
    "function": "#6f42c1",
    "variable": "#005cc5",
    "property": "#22863a",
}
_DARK: Final = {
    "": "#e1e4e8",
    "keyword": "#f97583",
    "function": "#b392f0",
    "variable": "#79b8ff",
    "property": "#85e89d",
}
_WIDTH, _HEIGHT, _LEFT, _TOP = 8.43, 20, 16, 30
"""The pixels of a character and a line of the font, and of the margins."""


def pictures() -> dict[str, str]:
    """Return the pictures for light and dark pages, by name."""
    return {"call-light.svg": _drawn(_LIGHT, "#fff", "#d93025"), "call-dark.svg": _drawn(_DARK, "#24292e", "#ff7b72")}


def _drawn(colours: dict[str, str], page: str, wrong: str) -> str:
    (finding,) = check(_CALL, "gadget")
    *lines, _ = _CALL.split("\n")
    message = finding.message
    said = [f"error {finding.code}: {message.headline}", f"{message.note}; {message.help}"]
    width = round(2 * _LEFT + _WIDTH * max(map(len, [*lines, *said])))
    height = _TOP + _HEIGHT * (len(lines) + len(said))
    rows, at = [], 0
    for number, line in enumerate(lines):
        rows.append(_text(_TOP + _HEIGHT * number, _coloured(at, line, colours)))
        if at <= finding.start < at + len(line):
            rows.append(_squiggle(finding.start - at, finding.end - at, _TOP + _HEIGHT * number + 4, wrong))
        at += len(line) + 1
    for number, each in enumerate(said, len(lines)):
        rows.append(_text(_TOP + 8 + _HEIGHT * number, _span(each, colours[""] if number > len(lines) else wrong)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">\n'
        f'<title>A gadget call with a mistake</title>\n<rect width="100%" height="100%" rx="6" fill="{page}"/>\n'
        + "\n".join(rows)
        + "\n</svg>\n"
    )


def _coloured(start: int, line: str, colours: dict[str, str]) -> str:
    """Return a line that begins at a place of the text, in the colours of an editor."""
    language, document = find_language("gadget"), open_document(_CALL, "gadget")
    roles = {
        placed.start + first: (placed.start + last, role)
        for placed in document.onward(0)
        for first, last, role, _ in paint(placed.section, language.paints(DEFAULTS).by_kind)
    }
    end = start + len(line)
    cuts = sorted(
        {start, end, *(cut for first, (last, _) in roles.items() for cut in (first, last) if start < cut < end)}
    )
    return "".join([_span(_CALL[first:last], colours[roles.get(first, (0, ""))[1]]) for first, last in pairwise(cuts)])


def _span(text: str, colour: str) -> str:
    return f'<tspan fill="{colour}">{html.escape(text, quote=False)}</tspan>'


def _text(y: int, spans: str) -> str:
    return f'<text x="{_LEFT}" y="{y}" xml:space="preserve">{spans}</text>'


def _squiggle(first: int, last: int, y: int, colour: str) -> str:
    left, right = _LEFT + _WIDTH * first, _LEFT + _WIDTH * last
    waves = "".join([" q 1.5 -3 3 0 q 1.5 3 3 0" for _ in range(round((right - left) / 6))])
    return f'<path d="M {left:.1f} {y}{waves}" fill="none" stroke="{colour}" stroke-width="1.3"/>'
