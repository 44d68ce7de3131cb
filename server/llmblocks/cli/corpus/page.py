"""A report as one page of HTML without scripts or external resources, so that it can be mailed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import zip_longest
from urllib.parse import quote

from llmblocks.cli.corpus.figures import NONE, CorpusReport, Rate, rates
from llmblocks.cli.corpus.table import ReportTable, interval, tables, totals
from llmblocks.facts.finding import PAGES
from llmblocks.report.summary import Example, Summary
from llmblocks.sessions.page import document
from llmblocks.settings.rule_names import NAMES

_MOST = 20


def as_html(report: CorpusReport, output: str | None) -> str:
    """Return the page. Examples are linked from the folder of `output`, or from the current one."""
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    total = report.total
    span = f"{total.first} to {total.last}" if total.first != total.last else total.first
    title = f"Report on {total.texts:,} texts"
    seen = f'<p class="soft">From <code>{escape(span)}</code>, by llmblocks</p>\n' if span else ""
    parts = [
        f"<h1>{title}</h1>\n{seen}",
        _totals(total),
        *_over_time(report),
        *map(_table, tables(report, _MOST)),
        *_examples(total.examples, os.path.dirname(os.path.abspath(output or ""))),
        "</main>",
    ]
    return document(title, style, "".join(parts))


def _totals(total: Summary) -> str:
    texts, calls, *_ = rates(total)
    items = []
    for says, rate in zip_longest(totals(total), (texts, calls)):
        number, _, what = says.partition(" ")
        more = f'<br><span class="soft">95 %: {interval(rate)}</span>' if rate is not None else ""
        items.append(f"<li><strong>{number}</strong>{what}{more}</li>")
    return f'<ul class="totals">{"".join(items)}</ul>\n'


def _over_time(report: CorpusReport) -> Iterator[str]:
    """Yield a curve for texts and one for calls, if the groups have an order."""
    known = {name: [*rates(each)] for name, each in report.groups.items() if name != NONE}
    for number, title in enumerate(("Texts with errors", "Rejected or failed calls")):
        points = [(name, found[number]) for name, found in known.items() if found[number].total]
        if len(points) > 1 and all(name[:1].isdigit() for name in known):
            yield f"<h2>{title}, by {escape(report.by)}</h2>\n{curve(points, title)}\n"


def _table(table: ReportTable) -> str:
    most = scale_of(table.rates) if table.rates else 0.0
    first, *others = map(escape, table.columns)
    heads = "".join([f'<th scope="col" class="n">{each}</th>' if each else "<td></td>" for each in others])
    start = f'<th scope="col">{first}</th>' if first else "<td></td>"
    chart = f'<th scope="col" class="bar">0 to {100 * most:g} %</th>' if most else ""
    rows = []
    for (name, *cells), rate in zip_longest(table.rows, table.rates):
        code, _, more = name.partition(" ")
        rule = f'<a href="{PAGES}{code}.md">{code}</a> {escape(more)}' if code in NAMES else ""
        row = "".join(
            [f'<td class="n {each}">{each}</td>' if each.isalpha() else f'<td class="n">{each}</td>' for each in cells]
        )
        drawn = f'<td class="bar">{bar(rate, most)}</td>' if rate is not None else ""
        rows.append(f'<tr><th scope="row">{rule or f"<code>{escape(name)}</code>"}</th>{row}{drawn}</tr>\n')
    title, note = escape(table.title), f"<caption>{escape(table.note)}</caption>\n" if table.note else ""
    # a scrollable region must be reachable with the keyboard
    shown = (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}"><table>{note}'
        f"<thead><tr>{start}{heads}{chart}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody></table></div>\n"
    )
    if len(rows) > _MOST:
        shown = f"<details><summary>The numbers</summary>\n{shown}</details>\n"
    return f"<h2>{title}</h2>\n{shown}"


def _examples(examples: Iterable[Example], folder: str) -> Iterator[str]:
    """Yield a list of findings, and of texts that could not be read."""
    items = []
    for each in examples:
        place = f"{each.name}:{each.line}:{each.column}" if each.code else each.name
        what = f"{each.code} {NAMES.get(each.code, '')}" if each.code else "could not be read"
        items.append(
            f"<li>{_link(each.name, place, folder, each.line)} {what}<br><code>{escape(each.excerpt)}</code></li>\n"
        )
    if items:
        yield f'<h2>Examples</h2>\n<ul class="examples">\n{"".join(items)}</ul>\n'


def _link(name: str, shown: str, folder: str, line: int = 0) -> str:
    """Return a link to an existing file; a long name is shortened.

    Lines are named as on code hosts, which does no harm in a browser that opens the file directly.
    """
    file = name.partition("#")[0]
    if not os.path.isfile(file):
        return f"<code>{escape(shown)}</code>"
    try:
        path = os.path.relpath(file, folder)
    except ValueError:
        # on another drive of Windows
        path = os.path.abspath(file)
    target = quote(path.replace(os.sep, "/")) + (f"#L{line}" if line else "")
    return f'<a href="{escape(target)}"><code>{escape(shown)}</code></a>'


_WIDTH, _HEIGHT = 1000, 168
"""The room of a curve, which is stretched to the width of the page."""
_SCALES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def scale_of(rates: Iterable[Rate]) -> float:
    """Return the rate that fills a chart: the first round one above all rates and intervals."""
    highest = min(max([max(each.rate, each.interval[1]) for each in rates], default=1.0), 1.0)
    return next(each for each in _SCALES if each >= highest)


def bar(rate: Rate, most: float) -> str:
    """Return a bar with its interval. `most` is the rate that fills the width."""
    low, high = (min(100.0, 100 * each / most) for each in rate.interval)
    width = min(100.0, 100 * rate.rate / most)
    return (
        '<svg viewBox="0 0 100 10" height="14" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="10" rx="1"/>'
        f'<rect class="rate" width="{width:.2f}" height="10" rx="1"/>'
        f'<path class="mark" vector-effect="non-scaling-stroke" d="M{low:.2f} 5H{high:.2f}"/></svg>'
    )


def curve(points: Sequence[tuple[str, Rate]], title: str) -> str:
    """Return a line through the rates of groups, in order, in a band of their intervals."""
    most = scale_of([rate for _, rate in points])

    def line(values: Iterable[float]) -> list[str]:
        steps = enumerate(values)
        return [
            f"{_WIDTH * at / (len(points) - 1):.1f} {_HEIGHT * (1 - min(each / most, 1)):.1f}" for at, each in steps
        ]

    low, high = (line([rate.interval[end] for _, rate in points]) for end in (0, 1))
    middle = line([rate.rate for _, rate in points])
    labels = [f"<span>{escape(points[at][0])}</span>" for at in sorted({0, len(points) // 2, len(points) - 1})]
    return (
        f'<p class="soft">0 to {100 * most:g} %, and the interval of 95 %</p>\n'
        f'<svg class="chart" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="{title}"><path class="band" d="M{"L".join([*high, *reversed(low)])}Z"/>'
        f'<path class="curve" d="M{"L".join(middle)}"/></svg>\n<p class="dates">{"".join(labels)}</p>'
    )
