"""A report for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from rich.markup import escape
from rich.table import Table

from llmblocks.cli.colours import console
from llmblocks.cli.corpus.figures import WORDS, Rate, Reason, Report, TableName, rates, reasons, worst
from llmblocks.cli.outcome import counted
from llmblocks.report.summary import Summary
from llmblocks.settings.rule_names import NAMES

_MOST = 10
_WIDTH = 100
TITLES: dict[TableName, str] = {
    "gadgets": "Gadgets",
    "arguments": "Arguments",
    "rules": "Rules",
    "tags": "Tags",
    "roles": "Roles",
}


def write_table(report: Report, out: TextIO) -> None:
    """Write the worst of a report as tables."""
    total, shown = report.total, console(out, highlight=False)
    if not shown.is_terminal:
        shown.width = _WIDTH
    shown.print(escape(sentence(total)))
    for name, title in TITLES.items():
        if found := worst(total, name, _MOST):
            shown.print(_table(title, name, found))
    if found_at := reasons(total, _MOST):
        shown.print(_reasons(found_at))
    if len(report.groups) > 1:
        shown.print(_groups(report))
    if report.before is not None:
        shown.print(_changes(report))
    for missing in cut(total):
        shown.print(f"{missing}: some are missing, as there are too many; their numbers are in the totals")
    for line in _examples(total):
        shown.print(escape(line), soft_wrap=True)


def sentence(total: Summary) -> str:
    """The totals in words."""
    parts = [
        f"{counted(total.texts, 'text')}, {total.failed:,} with errors ({percent(next(rates(total)).rate)})",
        f"{counted(total.calls, 'call')}, {total.rejected:,} rejected",
        f"{total.repaired:,} of these repaired by safe fixes",
    ]
    if total.unanswered:
        parts.append(f"{counted(total.unanswered, 'call')} without a result")
    if total.repeated:
        parts.append(f"{total.repeated:,} made again as they had failed")
    if total.unread:
        parts.append(f"{total.unread:,} could not be read")
    return "; ".join(parts)


def percent(rate: float) -> str:
    """A rate in percent, with as many digits as say something."""
    return f"{rate:.0%}" if rate >= 0.1 or not rate else f"{rate:.1%}" if rate >= 0.001 else f"{rate:.3%}"


def label(rate: Rate) -> str:
    """The name of what a rate is of."""
    name = rate.name or ("(no name)" if rate.table not in ("texts", "calls") else f"all {rate.table}")
    if rate.table == "rules":
        name = f"{name} {NAMES.get(name, '')}".rstrip()
    return f"{name} {rate.argument}".rstrip()


def cut(total: Summary) -> list[str]:
    """The titles of the tables that have had no room for all rows."""
    return [title for name, title in TITLES.items() if total.table(name).cut]


def _table(title: str, name: TableName, found: list[Rate]) -> Table:
    counts, totals = WORDS[name]
    table = _titled(title)
    table.add_column("")
    for column in (counts, totals, "rate", "95 %"):
        table.add_column(column, justify="right", no_wrap=True)
    for each in found:
        low, high = each.interval
        numbers = f"{each.found:,}", f"{each.total:,}", percent(each.rate), f"{percent(low)} to {percent(high)}"
        table.add_row(escape(label(each)), *numbers)
    return table


def _reasons(found: list[Reason]) -> Table:
    table = _titled("Why")
    table.add_column("")
    table.add_column("findings", justify="right")
    table.add_column("in")
    for each in found:
        table.add_row(f"{each.code} {NAMES.get(each.code, '')}", f"{each.found:,}", escape(each.place))
    return table


def _titled(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)


def _groups(report: Report) -> Table:
    table = _titled(f"By {escape(report.by)}")
    table.add_column("")
    for column in ("texts", "with errors", "rate", "calls", "rejected", "rate"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, summary in report.groups.items():
        texts, calls, *_ = rates(summary)
        row = [cell for each in (texts, calls) for cell in (f"{each.total:,}", f"{each.found:,}", percent(each.rate))]
        table.add_row(escape(name), *row)
    return table


def _changes(report: Report) -> Table:
    table = _titled("Compared")
    for column in ("", "now", "before", "difference, 95 %", ""):
        table.add_column(column, justify="left" if not column else "right")
    found = [each for each in report.changes if each.verdict or each.now.table in ("texts", "calls")]
    for each in found:
        interval = f"{signed(each.low)} to {signed(each.high)}"
        table.add_row(
            f"{each.now.table}: {escape(label(each.now))}",
            percent(each.now.rate),
            percent(each.before.rate),
            interval,
            each.verdict,
        )
    return table


def signed(difference: float) -> str:
    """A difference of rates in points of percent."""
    return f"{100 * difference:+.1f}"


def _examples(total: Summary) -> Iterator[str]:
    found = [each for each in total.examples if each.code]
    if found:
        yield "Examples"
    shown: set[str] = set()
    for each in found:
        if each.code not in shown:
            shown.add(each.code)
            yield f"{each.name}:{each.line}:{each.column}: {each.code} {each.excerpt}"
