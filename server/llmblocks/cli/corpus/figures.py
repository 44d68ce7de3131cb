"""The rates of a report: of each group, and compared with another corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

from llmblocks.report.intervals import difference, wilson
from llmblocks.report.summary import Summary, merged

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
    """A rate."""

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
        """The rate; 0 if the total is 0."""
        return self.found / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The interval around the rate: see `wilson`."""
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
    """The figures of a corpus."""

    by: str
    groups: Mapping[str, Summary]
    """By the values of `by`."""
    before: Mapping[str, Summary] | None = None
    """The figures of an earlier corpus."""

    @property
    def total(self) -> Summary:
        """The summary of all texts."""
        return merged(self.groups.values())

    @property
    def changes(self) -> list[RateChange]:
        """Return the changes since the earlier corpus, the worst first."""
        if self.before is None:
            return []
        now = {each.key: each for each in rates(self.total)}
        before = {each.key: each for each in rates(merged(self.before.values()))}
        return sorted(_changes(now, before), key=lambda each: (-each.low, each.high, each.now.key))

    @property
    def told(self) -> list[RateChange]:
        """Return the significant changes, and the totals."""
        return [each for each in self.changes if each.verdict or each.now.table in ("texts", "calls")]


def rates(summary: Summary) -> Iterator[Rate]:
    """Yield all rates of a corpus."""
    yield Rate("texts", "", "", summary.failed, summary.texts)
    yield Rate("calls", "", "", summary.rejected + summary.failed_calls, summary.calls)
    for table in WORDS:
        for row in summary.table(table).rows if table not in ("texts", "calls") else ():
            total = summary.texts if table == "rules" else row.counts[0]
            found = row.counts[1] + row.counts[4] if table == "gadgets" else row.counts[1]
            yield Rate(table, row.key[0], "".join(row.key[1:]), found, total)


class Reason(NamedTuple):
    """A rule that is broken at a kind of place."""

    code: str
    place: str
    """A gadget and its argument, a tag, or a role."""
    found: int


def reasons(summary: Summary, most: int) -> list[Reason]:
    """Return the most frequent findings, with their places."""
    places: Counter[tuple[str, str]] = Counter()
    for row in summary.places.rows:
        code, gadget, argument, tag, role = row.key
        # the innermost is the most specific
        around = f"{gadget} {argument}".strip() or (f"<{tag}>" if tag else f"@{role}")
        places[code, around] += row.counts[0]
    return [Reason(*key, found) for key, found in sorted(places.items(), key=lambda each: (-each[1], each[0]))[:most]]


def worst(summary: Summary, table: TableName, most: int) -> list[Rate]:
    """Return the rates of a table with the most findings."""
    found = [each for each in rates(summary) if each.table == table and each.found]
    return sorted(found, key=lambda each: (-each.found, each.key))[:most]


def _changes(now: Mapping[_Key, Rate], before: Mapping[_Key, Rate]) -> Iterator[RateChange]:
    for key in {**now, **before}:
        one = now.get(key) or before[key]._replace(found=0, total=_total(key, now))
        other = before.get(key) or now[key]._replace(found=0, total=_total(key, before))
        if one.total and other.total and (one.found or other.found):
            counts = min(one.found, one.total), one.total, min(other.found, other.total), other.total
            yield RateChange(one, other, *difference(*counts))


def _total(key: _Key, rates: Mapping[_Key, Rate]) -> int:
    """Return the total of a rate that a corpus lacks: a rule without findings has no row."""
    return rates["texts", "", ""].total if key[0] == "rules" else 0
