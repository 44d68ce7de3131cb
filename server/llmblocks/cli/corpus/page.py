"""A report as one page of HTML without scripts or external resources, so that it can be mailed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from urllib.parse import quote

from llmblocks.cli.corpus.figures import NONE, WORDS, CorpusReport, Rate, rates, reasons, worst
from llmblocks.cli.corpus.table import GROUP, TITLES, compared, cut, interval, label, numbers, of_group, percent
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
        *_over(report),
        *_sections(report, total),
        *_examples(total.examples, os.path.dirname(os.path.abspath(output or ""))),
        "</main>",
    ]
    return document(title, style, "".join(parts))


def _totals(total: Summary) -> str:
    texts, calls, *_ = rates(total)
    shown = [
        (percent(texts.rate), "of texts have errors", f"{texts.found:,} of {texts.total:,}, {interval(texts)}"),
        (percent(calls.rate), "of calls rejected or failed", f"{calls.found:,} of {calls.total:,}, {interval(calls)}"),
        (f"{total.repaired:,}", "rejected calls repaired", "by safe fixes"),
        (f"{total.severities[1]:,}", "warnings", f"and {total.severities[0]:,} errors"),
    ]
    if total.unanswered or total.repeated:
        again = f"{total.repeated:,} made again as they had failed"
        shown.append((f"{total.unanswered:,}", "calls of sessions without a result", again))
    if total.accepted:
        shown.append((f"{total.accepted:,}", "findings in the baseline", f"of {sum(total.severities):,}"))
    if total.unread:
        shown.append((f"{total.unread:,}", "could not be read", "listed below"))
    items = [f'<li><strong>{big}</strong>{what}<br><span class="soft">{more}</span></li>' for big, what, more in shown]
    return f'<ul class="totals">{"".join(items)}</ul>\n'


def _over(report: CorpusReport) -> Iterator[str]:
    groups = {name: [*rates(each)] for name, each in report.groups.items()}
    known = {name: found for name, found in groups.items() if name != NONE}
    if not known or len(groups) < 2:
        return
    yield f"<h2>By {escape(report.by)}</h2>\n"
    # a line implies an order
    is_ordered = all(name[:1].isdigit() for name in known)
    for number, title in ((0, "Texts with errors"), (1, "Rejected or failed calls")) if is_ordered else ():
        points = [(name, found[number]) for name, found in known.items() if found[number].total]
        if len(points) > 1:
            yield f'<p class="soft">{title}, and the interval of 95 %</p>\n{curve(points, title)}\n'
    rows = []
    most = scale_of([each[0] for each in groups.values()])
    for name, found in groups.items():
        rows.append(_row(escape(name), of_group(report.groups[name]), "" if is_ordered else bar(found[0], most)))
    table = _table(f"Texts and calls by {report.by}", [report.by, *GROUP], rows, 0.0 if is_ordered else most)
    yield f"<details><summary>The numbers</summary>\n{table}</details>\n" if is_ordered else table


def _sections(report: CorpusReport, total: Summary) -> Iterator[str]:
    """Yield the changes since the earlier corpus, then the most frequent findings by table, and their places."""
    if report.before is not None:
        changes = []
        for each in report.told:
            verdict = f'<span class="{each.verdict}">{each.verdict or "may be chance"}</span>'
            name = f'<span class="soft">{each.now.table}</span> {_name(each.now)}'
            changes.append(_row(name, [*compared(each), verdict]))
        yield "<h2>Compared with the earlier corpus</h2>\n"
        yield _table("Differences in points of percent", ["", "now", "before", "interval of 95 %", ""], changes)
    missing = cut(total)
    for table, title in TITLES.items():
        if found := worst(total, table, _MOST):
            most = scale_of(found)
            rows = [_row(_name(each), numbers(each), bar(each, most)) for each in found]
            more = "; some are missing, as there are too many" if title in missing else ""
            columns = [title.removesuffix("s").lower(), *WORDS[table], "rate", "95 %"]
            yield f"<h2>{title}</h2>\n"
            yield _table(f"{title}: what is found most often first{more}", columns, rows, most)
    if why := reasons(total, _MOST):
        places = [_row(f"{_rule(code)} in <code>{escape(at)}</code>", [f"{count:,}"]) for code, at, count in why]
        yield "<h2>Why</h2>\n"
        yield _table("What is found, and where", ["rule", "findings"], places)


def _name(rate: Rate) -> str:
    if rate.table == "rules":
        return _rule(rate.name)
    return f"<code>{escape(label(rate))}</code>"


def _rule(code: str) -> str:
    return f'<a href="{PAGES}{code}.md">{code}</a> {NAMES[code]}' if code in NAMES else escape(code)


def _row(name: str, numbers: Iterable[str], chart: str = "") -> str:
    cells = "".join([f'<td class="n">{each}</td>' for each in numbers])
    shown = f'<td class="bar">{chart}</td>' if chart else ""
    return f'<tr><th scope="row">{name}</th>{cells}{shown}</tr>\n'


def _table(caption: str, columns: Iterable[str], rows: Iterable[str], most: float = 0.0) -> str:
    """Return a table. `most` is the rate that fills the width of its bars, 0 for none."""
    first, *others = [escape(each) for each in columns]
    heads = "".join([f'<th scope="col" class="n">{each}</th>' if each else "<td></td>" for each in others])
    start = f'<th scope="col">{first}</th>' if first else "<td></td>"
    chart = f'<th scope="col" class="bar">0 to {100 * most:g} %</th>' if most else ""
    # a scrollable region must be reachable with the keyboard
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption>\n"
        f"<thead><tr>{start}{heads}{chart}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody></table></div>\n"
    )


def _examples(examples: Iterable[Example], folder: str) -> Iterator[str]:
    by_code: dict[str, list[Example]] = {}
    for each in examples:
        by_code.setdefault(each.code, []).append(each)
    unread = by_code.pop("", [])
    if by_code:
        yield "<h2>Examples</h2>\n"
    for code, found in by_code.items():
        yield f'<h3>{code} {NAMES.get(code, "")}</h3>\n<ul class="examples">\n'
        for each in found:
            place = f"{each.name}:{each.line}:{each.column}"
            yield f"<li>{_link(each.name, place, folder, each.line)}<br><code>{escape(each.excerpt)}</code></li>\n"
        yield "</ul>\n"
    if unread:
        yield '<h2>Not read</h2>\n<ul class="examples">\n'
        for each in unread:
            yield f"<li>{_link(each.name, each.name, folder)}<br>{escape(each.excerpt)}</li>\n"
        yield "</ul>\n"


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


_WIDTH, _HEIGHT, _TOP = 1000, 168, 12
"""The room of a curve: it is stretched to the width of the page, its labels are not."""
_LABELS = _TOP + _HEIGHT + 20
_MOST_LABELS = 5
_SCALES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_MORE = ' class="more"'
"""The class of every second date, for which a phone has no room."""


def scale_of(rates: Iterable[Rate]) -> float:
    """Return the rate that fills the width of bars: the first round one above all bars and intervals."""
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
    most = max([min(rate.interval[1], 1.0) for _, rate in points], default=0.0) or 1.0
    last = max(len(points) - 1, 1)

    def y(value: float) -> float:
        return _HEIGHT * (1 - value / most)

    def line(values: Iterable[float]) -> list[str]:
        return [f"{_WIDTH * at / last:.1f} {y(min(value, most)):.1f}" for at, value in enumerate(values)]

    middle = line([rate.rate for _, rate in points])
    above, below = (line([rate.interval[end] for _, rate in points]) for end in (1, 0))
    every = max(1, -(-len(points) // _MOST_LABELS))
    anchors = ["start", *["end" if at > 0.9 * last else "middle" for at in range(1, len(points))]]
    labels = [
        f'<text x="{100 * at / last:.1f}%" y="{_LABELS}" text-anchor="{anchors[at]}"{_MORE * (at // every % 2)}>'
        f"{escape(name)}</text>"
        for at, (name, _) in enumerate(points)
        if at % every == 0
    ]
    parts = (0, 0.5, 1)
    grid = [f'<path class="grid" d="M0 {y(part * most):.1f}H{_WIDTH}"/>' for part in parts]
    rates = [
        f'<text x="-8" y="{_TOP + y(part * most) + 4:.1f}" text-anchor="end">{100 * part * most:.2g} %</text>'
        for part in parts
    ]
    title = escape(title)
    return (
        f'<svg class="chart" height="{_LABELS + 8}" role="img" aria-label="{title}"><title>{title}</title>'
        f'<svg y="{_TOP}" width="100%" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none">'
        f'{"".join(grid)}<path class="band" d="M{"L".join([*above, *reversed(below)])}Z"/>'
        f'<path class="curve" d="M{"L".join(middle)}"/></svg>{"".join([*rates, *labels])}</svg>'
    )
