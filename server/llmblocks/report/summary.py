"""Summaries of texts, and their merge: associative, commutative, with `NOTHING` as its neutral element; their rates.

The size of a summary is bounded. Rows are dropped by the hash of their key, so that the remaining rows are exact: they
were never dropped, in whichever order summaries were merged.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from hashlib import blake2b
from math import sqrt
from typing import Any, Final, NamedTuple

from llmblocks.core.lines import visible

LONGEST: Final = 60
"""The maximum length of a part of a key, in bytes of JSON."""
MOST_NAME: Final = 72
"""The maximum length of a text's name in a table, in bytes. Examples have longer names, because people open them."""
MOST_EXAMPLE_NAME: Final = 120
MOST_EXCERPT: Final = 64
_MOST_REASON = 220
_EXAMPLES = 56
_EXAMPLES_OF_A_RULE = 5
_BYTES_OF_A_NUMBER = 17
_BYTES_OF_A_ROW = 14


class Columns(NamedTuple):
    keys: tuple[str, ...]
    counts: tuple[str, ...]
    budget: int
    """Bytes of JSON."""
    seen: bool = False
    """Whether rows have their first and last name."""

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.keys, *self.counts, *(("first", "last") if self.seen else ()))


TABLES: Final[Mapping[str, Columns]] = {
    "rules": Columns(("code",), ("findings", "texts"), 22_500, seen=True),
    "gadgets": Columns(("gadget",), ("calls", "rejected", "repaired", "findings", "failed"), 7_000),
    "arguments": Columns(("gadget", "argument"), ("given", "findings"), 9_500),
    "places": Columns(("code", "gadget", "argument", "tag", "role"), ("findings",), 9_000),
    "tags": Columns(("tag",), ("blocks", "findings"), 2_500),
    "roles": Columns(("role",), ("messages", "findings"), 800),
}
"""All tables of a summary. `places` counts broken rules by place."""


class Row(NamedTuple):
    """A row of a table."""

    key: tuple[str, ...]
    counts: tuple[int, ...]
    first: str = ""
    """The first name of a text, in the order of names; empty if not kept."""
    last: str = ""


class Table(NamedTuple):
    """Rows in the order of their keys."""

    rows: tuple[Row, ...] = ()
    cut: str = ""
    """Rows from this digest on had no room; empty if all had."""


NO_ROWS: Final = Table()


class Example(NamedTuple):
    """A finding in a text."""

    code: str
    """Empty for a text that could not be read."""
    name: str
    line: int
    """Counts from 1, like `column`."""
    column: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The contents and the findings of some texts."""

    texts: int = 0
    failed: int = 0
    """The number of texts with an error."""
    unread: int = 0
    """The number of unreadable texts, which are not among the `texts`."""
    copies: int = 0
    """The number of repeated texts, which are not among the `texts`."""
    characters: int = 0
    calls: int = 0
    rejected: int = 0
    """The number of rejected calls, including those that the results of a session show."""
    repaired: int = 0
    """The number of rejected calls that safe fixes repair."""
    failed_calls: int = 0
    """The number of failed calls, according to the results of sessions."""
    unanswered: int = 0
    """The number of calls without a result in the next request."""
    repeated: int = 0
    """The number of unchanged retries of failed calls."""
    accepted: int = 0
    severities: tuple[int, ...] = (0, 0, 0, 0)
    """The numbers of findings, the worst severity first."""
    sizes: tuple[tuple[int, int], ...] = ()
    """Pairs of exponents and numbers of texts: up to 2**n characters, and more than half of that."""
    first: str = ""
    """The first name of a text, in the order of names."""
    last: str = ""
    """The last name of a text."""
    rules: Table = NO_ROWS
    gadgets: Table = NO_ROWS
    arguments: Table = NO_ROWS
    places: Table = NO_ROWS
    tags: Table = NO_ROWS
    roles: Table = NO_ROWS
    examples: tuple[Example, ...] = ()

    def table(self, name: str) -> Table:
        """Return one of `TABLES`."""
        found: Table = getattr(self, name)
        return found


NOTHING: Final = Summary()
"""The summary of no text."""
COUNTS: Final = tuple([each.name for each in fields(Summary) if each.type == "int"])


def unread(name: str, reason: str) -> Summary:
    """Return the summary of a text that cannot be read."""
    return Summary(unread=1, examples=(example("", name, 0, 0, reason),))


def example(code: str, name: str, line: int, column: int, excerpt: str) -> Example:
    """Return an example of bounded size."""
    most = MOST_EXCERPT if code else _MOST_REASON
    return Example(code, short(name, MOST_EXAMPLE_NAME), line, column, short(excerpt, most))


def merge(a: Summary, b: Summary) -> Summary:
    """Return the summary of the texts of both."""
    return merged((a, b))


def merged(summaries: Iterable[Summary]) -> Summary:
    """Return the summary of the texts of all of them. Faster than merging one by one."""
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
    """Return the smaller of two texts, ignoring empty ones."""
    return min(one, other) if one and other else one or other


def _sum(one: Row, other: Row) -> Row:
    counts = tuple([a + b for a, b in zip(one.counts, other.counts, strict=True)])
    return Row(one.key, counts, earlier(one.first, other.first), max(one.last, other.last))


def bounded(name: str, rows: Iterable[Row], cut: str = "") -> Table:
    """Return a table of the rows that have room: those with the smallest digests.

    The digest of the first row without room is kept. Later rows may have been dropped before, so that their counts are
    incomplete: they are dropped from then on.
    """
    columns, left = TABLES[name], [*rows]
    room = columns.budget
    most = _fixed(columns) + len(columns.keys) * LONGEST
    if not cut and (len(left) * most <= room or sum([_cost(row, columns) for row in left]) <= room):
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


def _fixed(columns: Columns) -> int:
    """Return the length of the longest row in bytes, without its key."""
    texts = len(columns.keys) + 2 * columns.seen
    return len(columns.counts) * _BYTES_OF_A_NUMBER + 3 * texts + 2 * columns.seen * MOST_NAME + _BYTES_OF_A_ROW


def _sample(examples: set[Example]) -> tuple[Example, ...]:
    """Return a few examples of each rule, by their digests; with many rules, fewer of each.

    The order is by the rank within the rule, then by digest. An example that is among the first of all is also among
    the first of any part, so it is never lost.
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


_is_plain = re.compile(r"[ !#-\[\]-~]*").fullmatch
"""Whether JSON writes a text unchanged, a byte for each character, as it does nearly all names."""


def digest(parts: Iterable[str]) -> str:
    """Return a 64-bit number as text that sorts like the number."""
    return blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


# a corpus has few different names
@lru_cache(maxsize=4096)
def short(text: str, most: int = LONGEST) -> str:
    """Return a text of at most `most` bytes in JSON.

    Different texts stay different: a long one gets a part of its digest.
    """
    shown = text if _is_plain(text) else visible(text.encode("utf-8", "replace").decode())
    if size(shown) <= most:
        return shown
    room = (most - 14) // 2
    left, right = shown[:room], shown[-room:]
    while size(left) > room:
        left = left[:-1]
    while size(right) > room:
        right = right[1:]
    return f"{left}…{digest((shown,))[:8]}…{right}"


def size(text: str) -> int:
    """Return the length of a text in JSON in bytes, without its quotes."""
    return len(text) if _is_plain(text) else len(json.dumps(text, ensure_ascii=False).encode()) - 2


_Z = 1.959963984540054
"""For intervals of 95 %."""


def wilson(count: int, total: int) -> tuple[float, float]:
    """Return the interval of 95 % around the rate `count` / `total`, from 0 to 1; all of it if `total` is 0.

    Source: Wilson (1927).
    """
    if not total:
        return 0.0, 1.0
    rate, square = count / total, _Z * _Z
    middle = (rate + square / (2 * total)) / (1 + square / total)
    half = _Z * sqrt(rate * (1 - rate) / total + square / (4 * total * total)) / (1 + square / total)
    return max(0.0, middle - half), min(1.0, middle + half)


def difference(count: int, total: int, count_before: int, total_before: int) -> tuple[float, float]:
    """Return the interval of 95 % around the first rate minus the second, from -1 to 1.

    Source: Newcombe (1998).
    """
    if not (total and total_before):
        return -1.0, 1.0
    now, before = count / total, count_before / total_before
    (low, high), (low_before, high_before) = wilson(count, total), wilson(count_before, total_before)
    below = sqrt((now - low) ** 2 + (high_before - before) ** 2)
    above = sqrt((high - now) ** 2 + (before - low_before) ** 2)
    return now - before - below, now - before + above
