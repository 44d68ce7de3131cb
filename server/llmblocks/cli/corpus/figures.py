"""The groups and rates of a report, compared with another corpus; as JSON, CSV and Parquet."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from io import BytesIO, StringIO
from typing import Any, Final, Literal, NamedTuple

from llmblocks.cli.source import InputError
from llmblocks.report.as_json import as_dict
from llmblocks.report.summary import Summary, difference, merged, short, wilson

TableName = Literal["texts", "calls", "gadgets", "arguments", "rules", "tags", "roles"]
WORDS: Final[Mapping[TableName, tuple[str, str]]] = {
    "texts": ("with errors", "texts"),
    "calls": ("rejected or failed", "calls"),
    "gadgets": ("rejected or failed", "calls"),
    "arguments": ("findings", "given"),
    "rules": ("with findings", "texts"),
    "tags": ("findings", "blocks"),
    "roles": ("findings", "messages"),
}
"""The counted things of each table, and their totals."""
_Key = tuple[str, str, str]


class Rate(NamedTuple):
    table: TableName
    name: str
    argument: str
    """Empty except for an argument of a gadget."""
    found: int
    """May exceed `total`."""
    total: int

    @property
    def key(self) -> _Key:
        """The identity of the rate, shared with other corpora."""
        return self[:3]

    @property
    def rate(self) -> float:
        return self.found / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(min(self.found, self.total), self.total)


class RateChange(NamedTuple):
    """A rate in two corpora."""

    now: Rate
    before: Rate
    low: float
    """The lower end of the interval of the difference, above 0 if it grew."""
    high: float

    @property
    def verdict(self) -> str:
        """Return one word; empty if the difference may be chance."""
        return "worse" if self.low > 0 else "better" if self.high < 0 else ""


class CorpusReport(NamedTuple):
    by: str
    groups: Mapping[str, Summary]
    """By the values of `by`."""
    before: Mapping[str, Summary] | None = None
    """The figures of an earlier corpus."""

    @property
    def total(self) -> Summary:
        return merged(self.groups.values())

    @property
    def changes(self) -> list[RateChange]:
        """Return the changes since the earlier corpus, the worst first."""
        if self.before is None:
            return []
        now = {each.key: each for each in rates(self.total)}
        before = {each.key: each for each in rates(merged(self.before.values()))}
        found = []
        for key in {**now, **before}:
            one = now.get(key) or before[key]._replace(found=0, total=_total(key, now))
            other = before.get(key) or now[key]._replace(found=0, total=_total(key, before))
            if one.total and other.total and (one.found or other.found):
                counts = min(one.found, one.total), one.total, min(other.found, other.total), other.total
                found.append(RateChange(one, other, *difference(*counts)))
        return sorted(found, key=lambda each: (-each.low, each.high, each.now.key))

    @property
    def told(self) -> list[RateChange]:
        """Return the significant changes, and the totals."""
        return [each for each in self.changes if each.verdict or each.now.table in ("texts", "calls")]


def rates(summary: Summary) -> Iterator[Rate]:
    yield Rate("texts", "", "", summary.failed, summary.texts)
    yield Rate("calls", "", "", summary.rejected + summary.failed_calls, summary.calls)
    for table in WORDS:
        for row in summary.table(table).rows if table not in ("texts", "calls") else ():
            total = summary.texts if table == "rules" else row.counts[0]
            found = row.counts[1] + row.counts[4] if table == "gadgets" else row.counts[1]
            yield Rate(table, row.key[0], "".join(row.key[1:]), found, total)


def reasons(summary: Summary, most: int) -> list[tuple[str, str, int]]:
    """Return the rules that are broken most often at one place, with a gadget and its argument, a tag or a role."""
    places: Counter[tuple[str, str]] = Counter()
    for row in summary.places.rows:
        code, gadget, argument, tag, role = row.key
        # the innermost is the most specific
        around = f"{gadget} {argument}".strip() or (f"<{tag}>" if tag else f"@{role}")
        places[code, around] += row.counts[0]
    return [(*key, found) for key, found in sorted(places.items(), key=lambda each: (-each[1], each[0]))[:most]]


def worst(summary: Summary, table: TableName, most: int) -> list[Rate]:
    """Return the rates of a table with the most findings."""
    found = [each for each in rates(summary) if each.table == table and each.found]
    return sorted(found, key=lambda each: (-each.found, each.key))[:most]


def _total(key: _Key, rates: Mapping[_Key, Rate]) -> int:
    """Return the total of a rate that a corpus lacks: a rule without findings has no row."""
    return rates["texts", "", ""].total if key[0] == "rules" else 0


DATE = "date"
NONE = "(none)"
MOST = 1000
"""The maximum number of groups, each with a summary in memory."""
_DATE = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?![0-9])")


class Grouping:
    """Maps a text to its group.

    `by` is the name of a column, or of a part `NAME=value` of the path; `date`, for a column with this name or the last
    date in the path; `folder`; or a regular expression for the path, whose first group it is. An invalid one raises
    `ValueError`.
    """

    def __init__(self, by: str) -> None:
        self.by = by
        self._in_path: re.Pattern[str] | None = None
        if "(" in by:
            try:
                self._in_path = re.compile(by)
            except re.error as error:
                raise ValueError(f"{by} is not a regular expression: {error}") from None
            if not self._in_path.groups:
                raise ValueError(f"{by} has no group; put what tells texts apart into (…)")
        elif by not in (DATE, "folder"):
            self._in_path = re.compile(rf"(?:^|[/\\]){re.escape(by)}=([^/\\#]+)")

    def of(self, name: str, values: Mapping[str, Any] | None = None) -> str:
        """Return the group of a text, given the name of its file and the columns of its row."""
        if values is not None and isinstance(found := values.get(self.by), str | int | float | bool):
            # a time begins with its date
            date = _DATE.match(str(found)) if self.by == DATE else None
            return short(date[0] if date else str(found)) or NONE
        if self.by == "folder":
            return short(re.split(r"[/\\](?=[^/\\]*$)", name)[0] if re.search(r"[/\\]", name) else ".")
        if self.by == DATE:
            dates: list[str] = _DATE.findall(name)
            return dates[-1] if dates else NONE
        found = self._in_path.search(name) if self._in_path else None
        return short(found[1] or "") or NONE if found else NONE


_COLUMNS = ("corpus", "by", "group", "table", "name", "argument", "count", "total", "rate", "low", "high")


def as_json(report: CorpusReport) -> str:
    found: dict[str, Any] = {
        "total": as_dict(report.total),
        "by": report.by,
        "groups": [{"name": name, "summary": as_dict(each)} for name, each in report.groups.items()],
    }
    if report.before is not None:
        found["before"] = [{"name": name, "summary": as_dict(each)} for name, each in report.before.items()]
        found["changes"] = [
            {
                **dict(zip(("table", "name", "argument"), each.now.key, strict=True)),
                "now": [each.now.found, each.now.total],
                "before": [each.before.found, each.before.total],
                "low": round(each.low, 6),
                "high": round(each.high, 6),
                "verdict": each.verdict,
            }
            for each in report.changes
        ]
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def as_csv(report: CorpusReport) -> str:
    """Return a row for each rate of each group."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(_rows(report))
    return out.getvalue()


def as_parquet(report: CorpusReport) -> bytes:
    """Return the rows of `as_csv`; raise `InputError` without pyarrow."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError("writing Parquet needs pyarrow: pip install 'llmblocks[arrow]'") from None
    types = [pa.string()] * 6 + [pa.int64()] * 2 + [pa.float64()] * 3
    columns = [*zip(*_rows(report), strict=True)]
    out = BytesIO()
    pq.write_table(pa.table([*map(pa.array, columns, types)], names=[*_COLUMNS]), out)
    return out.getvalue()


def _rows(report: CorpusReport) -> Iterator[tuple[Any, ...]]:
    for corpus, groups in (("now", report.groups), ("before", report.before or {})):
        for group, summary in groups.items():
            for rate in rates(summary):
                numbers = [round(each, 6) for each in (rate.rate, *rate.interval)]
                yield (corpus, report.by, group, *rate, *numbers)
