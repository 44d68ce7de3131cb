"""A report for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TextIO

from rich.markup import escape
from rich.table import Table

from llmblocks.cli.corpus.figures import WORDS, CorpusReport, Rate, TableName, rates, reasons, worst
from llmblocks.cli.output import console
from llmblocks.cli.source import counted
from llmblocks.report.summary import Summary
from llmblocks.settings.rule_names import NAMES

_MOST = 10
_WIDTH = 100
TITLES: dict[TableName, str] = {name: name.capitalize() for name in WORDS if name not in ("texts", "calls")}
_GROUP = ("texts", "with errors", "rate", "calls", "rejected or failed", "rate")
_CUT = "some are missing, as there are too many; their numbers are in the totals"


class ReportTable(NamedTuple):
    title: str
    columns: tuple[str, ...]
    """The headings of the names, and of the numbers."""
    rows: Sequence[tuple[str, ...]]
    rates: Sequence[Rate] = ()
    """For bars beside the rows."""
    note: str = ""


def tables(report: CorpusReport, most: int) -> Iterator[ReportTable]:
    """Yield the tables of a report, with the `most` frequent failures of each kind."""
    total = report.total
    if len(report.groups) > 1:
        groups = [(name, *of_group(each)) for name, each in report.groups.items()]
        yield ReportTable(
            f"By {report.by}", (report.by, *_GROUP), groups, [next(rates(each)) for each in report.groups.values()]
        )
    if report.before is not None:
        changed = [
            (
                f"{each.now.table}: {label(each.now)}",
                percent(each.now.rate),
                percent(each.before.rate),
                f"{100 * each.low:+.1f} to {100 * each.high:+.1f}",
                each.verdict or "may be chance",
            )
            for each in report.told
        ]
        columns = "", "now", "before", "difference, 95 %", ""
        yield ReportTable("Compared with the earlier corpus", columns, changed, note="differences in percentage points")
    for name, title in TITLES.items():
        if found := worst(total, name, most):
            rows = [(label(each), *numbers(each)) for each in found]
            columns = title.removesuffix("s").lower(), *WORDS[name], "rate", "95 %"
            yield ReportTable(title, columns, rows, found, _CUT if total.table(name).cut else "")
    if why := reasons(total, most):
        rows = [(f"{code} {NAMES.get(code, '')} in {place}", f"{count:,}") for code, place, count in why]
        yield ReportTable("Why", ("rule", "findings"), rows)


def write_table(report: CorpusReport, out: TextIO) -> None:
    """Write the most common failures of a report as tables."""
    total, shown = report.total, console(out, highlight=False)
    if not shown.is_terminal:
        shown.width = _WIDTH
    shown.print(escape("; ".join(totals(total))))
    for each in tables(report, _MOST):
        table = Table(title=escape(each.title), title_justify="left", title_style="bold", box=None, pad_edge=False)
        table.caption, table.caption_justify = each.note or None, "left"
        for number, column in enumerate(each.columns):
            table.add_column(escape(column), justify="right" if number else "left", no_wrap=number > 0)
        for row in each.rows:
            table.add_row(*map(escape, row))
        shown.print(table)
    for line in _examples(total):
        shown.print(escape(line), soft_wrap=True)


def totals(total: Summary) -> list[str]:
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
    return parts


def percent(rate: float) -> str:
    """Return a rate in percent, with its significant digits."""
    return f"{rate:.0%}" if rate >= 0.1 or not rate else f"{rate:.1%}" if rate >= 0.001 else f"{rate:.3%}"


def interval(rate: Rate) -> str:
    low, high = rate.interval
    return f"{percent(low)} to {percent(high)}"


def numbers(rate: Rate) -> tuple[str, ...]:
    return f"{rate.found:,}", f"{rate.total:,}", percent(rate.rate), interval(rate)


def label(rate: Rate) -> str:
    """Return the name of the subject of a rate."""
    name = rate.name or ("(no name)" if rate.table not in ("texts", "calls") else f"all {rate.table}")
    if rate.table == "rules":
        name = f"{name} {NAMES.get(name, '')}".rstrip()
    return f"{name} {rate.argument}".rstrip()


def of_group(summary: Summary) -> list[str]:
    """Return the numbers of a group: its texts, those with errors, and their rate; and the same for its calls."""
    texts, calls, *_ = rates(summary)
    return [cell for each in (texts, calls) for cell in (f"{each.total:,}", f"{each.found:,}", percent(each.rate))]


def _examples(total: Summary) -> Iterator[str]:
    found = [each for each in total.examples if each.code]
    if found:
        yield "Examples"
    shown: set[str] = set()
    for each in found:
        if each.code not in shown:
            shown.add(each.code)
            yield f"{each.name}:{each.line}:{each.column}: {each.code} {each.excerpt}"
