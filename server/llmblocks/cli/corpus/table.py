"""A report for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from rich.markup import escape
from rich.table import Table

from llmblocks.cli.corpus.figures import WORDS, CorpusReport, Rate, RateChange, TableName, rates, reasons, worst
from llmblocks.cli.output import console
from llmblocks.cli.source import counted
from llmblocks.report.summary import Summary
from llmblocks.settings.rule_names import NAMES

_MOST = 10
_WIDTH = 100
TITLES: dict[TableName, str] = {name: name.capitalize() for name in WORDS if name not in ("texts", "calls")}
GROUP = ("texts", "with errors", "rate", "calls", "rejected or failed", "rate")
"""The columns of a group: see `of_group`."""


def write_table(report: CorpusReport, out: TextIO) -> None:
    """Write the most common failures of a report as tables."""
    total, shown = report.total, console(out, highlight=False)
    if not shown.is_terminal:
        shown.width = _WIDTH
    shown.print(escape(sentence(total)))
    for name, title in TITLES.items():
        if found := worst(total, name, _MOST):
            rows = [(escape(label(each)), *numbers(each)) for each in found]
            shown.print(_table(title, ("", *WORDS[name], "rate", "95 %"), rows))
    if found_at := reasons(total, _MOST):
        rows = [(f"{code} {NAMES.get(code, '')}", f"{found:,}", escape(place)) for code, place, found in found_at]
        shown.print(_table("Why", ("", "findings", "in"), rows))
    if len(report.groups) > 1:
        groups = [(escape(name), *of_group(summary)) for name, summary in report.groups.items()]
        shown.print(_table(f"By {escape(report.by)}", ("", *GROUP), groups))
    if report.before is not None:
        rows = [(f"{each.now.table}: {escape(label(each.now))}", *compared(each), each.verdict) for each in report.told]
        shown.print(_table("Compared", ("", "now", "before", "difference, 95 %", ""), rows))
    for missing in cut(total):
        shown.print(f"{missing}: some are missing, as there are too many; their numbers are in the totals")
    for line in _examples(total):
        shown.print(escape(line), soft_wrap=True)


def sentence(total: Summary) -> str:
    """Return the totals in words."""
    parts = [
        f"{counted(total.texts, 'text')}, {total.failed:,} with errors ({percent(next(rates(total)).rate)})",
        f"{counted(total.calls, 'call')}, {total.rejected:,} rejected",
        f"{total.repaired:,} of these repaired by safe fixes",
    ]
    if total.failed_calls:
        parts.append(f"{total.failed_calls:,} failed")
    if total.unanswered:
        parts.append(f"{counted(total.unanswered, 'call')} without a result")
    if total.repeated:
        parts.append(f"{total.repeated:,} made again as they had failed")
    if total.accepted:
        parts.append(f"{total.accepted:,} of {counted(sum(total.severities), 'finding')} in the baseline")
    if total.unread:
        parts.append(f"{total.unread:,} could not be read")
    return "; ".join(parts)


def percent(rate: float) -> str:
    """Return a rate in percent, with its significant digits."""
    return f"{rate:.0%}" if rate >= 0.1 or not rate else f"{rate:.1%}" if rate >= 0.001 else f"{rate:.3%}"


def interval(rate: Rate) -> str:
    low, high = rate.interval
    return f"{percent(low)} to {percent(high)}"


def numbers(rate: Rate) -> tuple[str, ...]:
    return f"{rate.found:,}", f"{rate.total:,}", percent(rate.rate), interval(rate)


def compared(change: RateChange) -> tuple[str, ...]:
    """Return the rates of both corpora, and the interval of their difference in percentage points."""
    now, before = percent(change.now.rate), percent(change.before.rate)
    return now, before, f"{100 * change.low:+.1f} to {100 * change.high:+.1f}"


def label(rate: Rate) -> str:
    """Return the name of the subject of a rate."""
    name = rate.name or ("(no name)" if rate.table not in ("texts", "calls") else f"all {rate.table}")
    if rate.table == "rules":
        name = f"{name} {NAMES.get(name, '')}".rstrip()
    return f"{name} {rate.argument}".rstrip()


def cut(total: Summary) -> list[str]:
    """Return the titles of the truncated tables."""
    return [title for name, title in TITLES.items() if total.table(name).cut]


def of_group(summary: Summary) -> list[str]:
    """Return the numbers of a group: its texts, those with errors, and their rate; and the same for its calls."""
    texts, calls, *_ = rates(summary)
    return [cell for each in (texts, calls) for cell in (f"{each.total:,}", f"{each.found:,}", percent(each.rate))]


def _table(title: str, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """Return a table. Columns contain numbers, except those without a heading and the one of places."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for column in columns:
        has_numbers = column not in ("", "in")
        table.add_column(column, justify="right" if has_numbers else "left", no_wrap=has_numbers)
    for row in rows:
        table.add_row(*row)
    return table


def _examples(total: Summary) -> Iterator[str]:
    found = [each for each in total.examples if each.code]
    if found:
        yield "Examples"
    shown: set[str] = set()
    for each in found:
        if each.code not in shown:
            shown.add(each.code)
            yield f"{each.name}:{each.line}:{each.column}: {each.code} {each.excerpt}"
