"""Summaries of texts, and their merge: associative, commutative, with `NOTHING` as its neutral element.

A summary is small whatever it is of. What has no room is left out by the hash of its key, so that all that is left is
exact: it was left out nowhere, in whichever order summaries were merged.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from llmblocks.report.bounds import LONGEST, digest, short, size

MOST_NAME: Final = 72
"""The bytes of the name of a text in a table; that of an example has more: people open it."""
MOST_EXAMPLE_NAME: Final = 120
MOST_EXCERPT: Final = 64
_MOST_REASON = 220
_EXAMPLES = 56
_EXAMPLES_OF_A_RULE = 5
_BYTES_OF_A_NUMBER = 17
_BYTES_OF_A_ROW = 14


class Columns(NamedTuple):
    """The columns of a table. Shape: `budget` is in bytes of JSON; with `seen`, rows have their first and last name."""

    keys: tuple[str, ...]
    counts: tuple[str, ...]
    budget: int
    seen: bool = False


TABLES: Final[Mapping[str, Columns]] = {
    "rules": Columns(("code",), ("findings", "texts"), 22_500, seen=True),
    "gadgets": Columns(("gadget",), ("calls", "rejected", "repaired", "findings", "failed"), 7_000),
    "arguments": Columns(("gadget", "argument"), ("given", "findings"), 9_500),
    "places": Columns(("code", "gadget", "argument", "tag", "role"), ("findings",), 9_000),
    "tags": Columns(("tag",), ("blocks", "findings"), 2_500),
    "roles": Columns(("role",), ("messages", "findings"), 800),
}
"""All tables of a summary. `places` tells which rules are broken where."""


class Row(NamedTuple):
    """A row of a table. Shape: `first` and `last` are names of texts, in the order of names; empty where not kept."""

    key: tuple[str, ...]
    counts: tuple[int, ...]
    first: str = ""
    last: str = ""


class Table(NamedTuple):
    """Rows in the order of their keys. Shape: rows from the digest `cut` on had no room; empty if all had."""

    rows: tuple[Row, ...] = ()
    cut: str = ""


NO_ROWS: Final = Table()


class Example(NamedTuple):
    """A finding in a text. Shape: `line` and `column` count from 1; a text that could not be read has no code."""

    code: str
    name: str
    line: int
    column: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What is in some texts, and what is wrong with them.

    Shape: `failed` texts have an error. `unread` ones could not be read, `copies` repeat others; neither are among the
           `texts`. `repaired` are rejected calls that safe fixes mend. In sessions, results tell of `failed_calls`, and
           of others that were `rejected`; `unanswered` calls have no result in the next request, and `repeated` ones
           are made again as they failed before. `accepted` findings are in the baseline of their file. `severities` are
           numbers of findings, the worst first; `sizes` pairs exponents with numbers of texts: 2**n characters are at
           most twice as many. `first` and `last` are the names of texts, in the order of names.
    """

    texts: int = 0
    failed: int = 0
    unread: int = 0
    copies: int = 0
    characters: int = 0
    calls: int = 0
    rejected: int = 0
    repaired: int = 0
    failed_calls: int = 0
    unanswered: int = 0
    repeated: int = 0
    accepted: int = 0
    severities: tuple[int, ...] = (0, 0, 0, 0)
    sizes: tuple[tuple[int, int], ...] = ()
    first: str = ""
    last: str = ""
    rules: Table = NO_ROWS
    gadgets: Table = NO_ROWS
    arguments: Table = NO_ROWS
    places: Table = NO_ROWS
    tags: Table = NO_ROWS
    roles: Table = NO_ROWS
    examples: tuple[Example, ...] = ()

    def table(self, name: str) -> Table:
        """One of `TABLES`."""
        found: Table = getattr(self, name)
        return found


NOTHING: Final = Summary()
"""The summary of no text."""
COUNTS: Final = tuple([each.name for each in fields(Summary) if each.type == "int"])


def unread(name: str, reason: str) -> Summary:
    """The summary of a text that cannot be read."""
    return Summary(unread=1, examples=(example("", name, 0, 0, reason),))


def example(code: str, name: str, line: int, column: int, excerpt: str) -> Example:
    """An example of bounded size."""
    most = MOST_EXCERPT if code else _MOST_REASON
    return Example(code, short(name, MOST_EXAMPLE_NAME), line, column, short(excerpt, most))


def merge(a: Summary, b: Summary) -> Summary:
    """The summary of the texts of both."""
    return merged((a, b))


def merged(summaries: Iterable[Summary]) -> Summary:
    """The summary of the texts of all of them: the same as to merge one by one, and faster."""
    counts: dict[str, Any] = dict.fromkeys(COUNTS, 0)
    severities = [0, 0, 0, 0]
    sizes: Counter[int] = Counter()
    first, last = "", ""
    rows: dict[str, dict[tuple[str, ...], Row]] = {name: {} for name in TABLES}
    cuts: dict[str, str] = dict.fromkeys(TABLES, "")
    examples: set[Example] = set()
    for each in summaries:
        for count in COUNTS:
            counts[count] += getattr(each, count)
        severities = [one + other for one, other in zip(severities, each.severities, strict=True)]
        for exponent, number in each.sizes:
            sizes[exponent] += number
        first, last = earlier(first, each.first), max(last, each.last)
        for name, known in rows.items():
            table: Table = getattr(each, name)
            if table is NO_ROWS:
                continue
            cuts[name] = earlier(cuts[name], table.cut)
            for row in table.rows:
                before = known.get(row.key)
                known[row.key] = row if before is None else _sum(before, row)
        examples.update(each.examples)
    tables: dict[str, Any] = {name: bounded(name, found.values(), cuts[name]) for name, found in rows.items()}
    return Summary(
        **counts,
        severities=(*severities,),
        sizes=(*sorted(sizes.items()),),
        first=first,
        last=last,
        examples=_sample(examples),
        **tables,
    )


def earlier(one: str, other: str) -> str:
    """The smaller of two texts that are not empty."""
    return min(one, other) if one and other else one or other


def _sum(one: Row, other: Row) -> Row:
    counts = tuple([a + b for a, b in zip(one.counts, other.counts, strict=True)])
    return Row(one.key, counts, earlier(one.first, other.first), max(one.last, other.last))


def bounded(name: str, rows: Iterable[Row], cut: str = "") -> Table:
    """A table of the rows that have room: those with the smallest digests.

    The digest of the first row without room is kept. What comes after it may have been left out before, so that its
    counts are not whole: it is left out from then on.
    """
    columns, left = TABLES[name], [*rows]
    room = columns.budget
    if not cut and (len(left) * _most(columns) <= room or sum([_cost(row, columns) for row in left]) <= room):
        return Table((*sorted(left),))
    digests = sorted([(digest(row.key), row) for row in left])
    kept: list[Row] = []
    for found, row in digests:
        room -= _cost(row, columns)
        if (cut and found >= cut) or room < 0:
            cut = earlier(cut, found)
            break
        kept.append(row)
    return Table((*sorted(kept),), cut)


def _cost(row: Row, columns: Columns) -> int:
    return _fixed(columns) + sum([size(part) for part in row.key])


def _most(columns: Columns) -> int:
    """The bytes of the longest row."""
    return _fixed(columns) + len(columns.keys) * LONGEST


def _fixed(columns: Columns) -> int:
    texts = len(columns.keys) + 2 * columns.seen
    return len(columns.counts) * _BYTES_OF_A_NUMBER + 3 * texts + 2 * columns.seen * MOST_NAME + _BYTES_OF_A_ROW


def _sample(examples: set[Example]) -> tuple[Example, ...]:
    """A few examples of each rule, by their digests; of many rules fewer of each.

    The order is by the rank within the rule, then by digest. An example that is among the first of all is so among any
    part of them, too, so that it is still there.
    """
    by_rule: defaultdict[str, list[tuple[str, Example]]] = defaultdict(list)
    for each in examples:
        by_rule[each.code].append((digest(map(str, each)), each))
    ranked = [
        (rank, found, each)
        for of_rule in by_rule.values()
        for rank, (found, each) in enumerate(sorted(of_rule)[:_EXAMPLES_OF_A_RULE])
    ]
    return (*sorted([each for _, _, each in sorted(ranked)[:_EXAMPLES]]),)
