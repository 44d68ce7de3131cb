"""Conversion between summaries and JSON, or Arrow tables: `pip install 'llmblocks[arrow]'`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from llmblocks.facts.severity import Severity
from llmblocks.report.summary import COUNTS, TABLES, Columns, Example, Row, Summary, Table

if TYPE_CHECKING:
    import pyarrow as pa

_EXAMPLE: Final = {"line": int, "column": int}
"""The columns of examples that are not text."""


def to_json(summary: Summary) -> str:
    """Write a summary as one line of JSON. Each row of a table is a list, in the order of its `columns`."""
    return json.dumps(as_dict(summary), ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> Summary:
    """Read a summary that `to_json` wrote.

    Raises:
        ValueError: It is anything else.
    """
    try:
        return from_dict(json.loads(text))
    except (KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise ValueError(f"not a summary: {type(error).__name__}: {error}") from None


def as_dict(summary: Summary) -> dict[str, Any]:
    return {
        **{name: getattr(summary, name) for name in COUNTS},
        "severities": {each.name.lower(): number for each, number in zip(Severity, summary.severities, strict=True)},
        "sizes": [[*each] for each in summary.sizes],
        "first": summary.first,
        "last": summary.last,
        **{name: _table_as_dict(summary.table(name), columns) for name, columns in TABLES.items()},
        "examples": [each._asdict() for each in summary.examples],
    }


def from_dict(found: Mapping[str, Any]) -> Summary:
    """Read a summary from JSON values; raise `ValueError`, `LookupError`, `TypeError`, `AttributeError` for others."""
    counts: dict[str, Any] = {name: _of(int, found[name]) for name in COUNTS}
    tables: dict[str, Any] = {name: _table(found[name], columns) for name, columns in TABLES.items()}
    return Summary(
        **counts,
        severities=tuple([_of(int, found["severities"][each.name.lower()]) for each in Severity]),
        sizes=tuple([(_of(int, exponent), _of(int, number)) for exponent, number in found["sizes"]]),
        first=_of(str, found["first"]),
        last=_of(str, found["last"]),
        examples=tuple([_example(each) for each in found["examples"]]),
        **tables,
    )


def _table_as_dict(table: Table, columns: Columns) -> dict[str, Any]:
    rows = [[*row.key, *row.counts, *((row.first, row.last) if columns.seen else ())] for row in table.rows]
    return {"columns": columns.names, "rows": rows, "cut": table.cut}


def _table(found: Mapping[str, Any], columns: Columns) -> Table:
    names = columns.names
    if [*found["columns"]] != [*names]:
        raise ValueError(f"not a summary: columns {found['columns']}; expected {', '.join(names)}")
    keys, counts = len(columns.keys), len(columns.keys) + len(columns.counts)
    rows = []
    for row in found["rows"]:
        if len(row) != len(names):
            raise ValueError(f"not a summary: a row of {len(row)} values; expected {len(names)}")
        values = [_of(int if name in columns.counts else str, each) for name, each in zip(names, row, strict=True)]
        rows.append(Row((*values[:keys],), (*values[keys:counts],), *values[counts:]))
    return Table((*rows,), _of(str, found["cut"]))


def _example(found: Mapping[str, Any]) -> Example:
    return Example(*[_of(_EXAMPLE.get(name, str), found[name]) for name in Example._fields])


def _of(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise ValueError(f"not a summary: {value!r} is not a {'text' if kind is str else 'whole number'}")
    return value


def schema() -> pa.Schema:
    """Return the columns of summaries as Arrow types. A row of a table is a struct."""
    import pyarrow as pa

    number, text = pa.int64(), pa.string()
    example = pa.struct([(name, number if name in _EXAMPLE else text) for name in Example._fields])
    tables = []
    for name, columns in TABLES.items():
        row = pa.struct([(each, number if each in columns.counts else text) for each in columns.names])
        tables.append((name, pa.struct([("rows", pa.list_(row)), ("cut", text)])))
    return pa.schema(
        [
            *[(name, number) for name in COUNTS],
            ("severities", pa.struct([(each.name.lower(), number) for each in Severity])),
            ("sizes", pa.list_(pa.list_(number))),
            ("first", text),
            ("last", text),
            *tables,
            ("examples", pa.list_(example)),
        ]
    )


def to_arrow(summaries: Iterable[Summary]) -> pa.Table:
    """Convert summaries to a table with a row for each.

    Raises:
        ImportError: pyarrow is not installed.
    """
    import pyarrow as pa

    found = [*map(as_dict, summaries)]
    for row in found:
        for name, columns in TABLES.items():
            row[name]["rows"] = [dict(zip(columns.names, each, strict=True)) for each in row[name]["rows"]]
    return pa.Table.from_pylist(found, schema=schema())


def from_arrow(table: pa.Table) -> tuple[Summary, ...]:
    """Read the summaries of a table.

    Raises:
        ValueError: `to_arrow` did not make the table.
    """
    found = table.to_pylist()
    try:
        for row in found:
            for name, columns in TABLES.items():
                rows = [[each[column] for column in columns.names] for each in row[name]["rows"]]
                row[name] |= {"columns": columns.names, "rows": rows}
        return tuple(map(from_dict, found))
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"not a table of summaries: {type(error).__name__}: {error}") from None
