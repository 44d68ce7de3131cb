"""Conversion between summaries and JSON, or Arrow tables: `pip install 'llmblocks[arrow]'`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from llmblocks.facts.severity import Severity
from llmblocks.report.summary import COUNTS, TABLES, Columns, Example, Row, Summary, Table

if TYPE_CHECKING:
    import pyarrow as pa


T = TypeVar("T", str, int)


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
    """Return a summary as JSON values."""
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
    """Read a summary from JSON values.

    Raises:
        ValueError, LookupError, TypeError, AttributeError: It is not a summary.
    """
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


def columns_of(columns: Columns) -> tuple[str, ...]:
    """Return the names of the columns of a table."""
    return (*columns.keys, *columns.counts, *(("first", "last") if columns.seen else ()))


def _table_as_dict(table: Table, columns: Columns) -> dict[str, Any]:
    rows = [[*row.key, *row.counts, *((row.first, row.last) if columns.seen else ())] for row in table.rows]
    return {"columns": columns_of(columns), "rows": rows, "cut": table.cut}


def _table(found: Mapping[str, Any], columns: Columns) -> Table:
    if [*found["columns"]] != [*columns_of(columns)]:
        raise ValueError(f"not a summary: columns {found['columns']}; expected {', '.join(columns_of(columns))}")
    return Table(tuple([_row(row, columns) for row in found["rows"]]), _of(str, found["cut"]))


def _row(values: list[Any], columns: Columns) -> Row:
    keys, counts = len(columns.keys), len(columns.keys) + len(columns.counts)
    if len(values) != len(columns_of(columns)):
        raise ValueError(f"not a summary: a row of {len(values)} values; expected {len(columns_of(columns))}")
    key = tuple([_of(str, each) for each in values[:keys]])
    return Row(
        key, tuple([_of(int, each) for each in values[keys:counts]]), *[_of(str, each) for each in values[counts:]]
    )


def _example(found: Mapping[str, Any]) -> Example:
    code, name, excerpt = (_of(str, found[each]) for each in ("code", "name", "excerpt"))
    return Example(code, name, _of(int, found["line"]), _of(int, found["column"]), excerpt)


def _of(kind: type[T], value: Any) -> T:
    if type(value) is not kind:
        raise ValueError(f"not a summary: {value!r} is not a {'text' if kind is str else 'whole number'}")
    return value


def schema() -> pa.Schema:
    """Return the columns of summaries as Arrow types. A row of a table is a struct."""
    import pyarrow as pa

    number, text = pa.int64(), pa.string()
    kinds = {str: text, int: number}
    example = pa.struct([(name, number if name in ("line", "column") else text) for name in Example._fields])
    return pa.schema(
        [
            *[(name, number) for name in COUNTS],
            ("severities", pa.struct([(each.name.lower(), kinds[int]) for each in Severity])),
            ("sizes", pa.list_(pa.list_(number))),
            ("first", text),
            ("last", text),
            *[
                (name, pa.struct([("rows", pa.list_(pa.struct(_fields(columns)))), ("cut", text)]))
                for name, columns in TABLES.items()
            ],
            ("examples", pa.list_(example)),
        ]
    )


def to_arrow(summaries: Iterable[Summary]) -> pa.Table:
    """Convert summaries to a table with a row for each.

    Raises:
        ImportError: pyarrow is not installed.
    """
    import pyarrow as pa

    return pa.Table.from_pylist([_as_row(each) for each in summaries], schema=schema())


def from_arrow(table: pa.Table) -> tuple[Summary, ...]:
    """Read the summaries of a table.

    Raises:
        ValueError: `to_arrow` did not make the table.
    """
    try:
        return tuple([_from_row(each) for each in table.to_pylist()])
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"not a table of summaries: {type(error).__name__}: {error}") from None


def _fields(columns: Columns) -> list[tuple[str, Any]]:
    import pyarrow as pa

    return [(name, pa.int64() if name in columns.counts else pa.string()) for name in columns_of(columns)]


def _as_row(summary: Summary) -> dict[str, Any]:
    found = as_dict(summary)
    for name, columns in TABLES.items():
        rows = [dict(zip(columns_of(columns), row, strict=True)) for row in found[name]["rows"]]
        found[name] = {"rows": rows, "cut": found[name]["cut"]}
    return found


def _from_row(row: dict[str, Any]) -> Summary:
    for name, columns in TABLES.items():
        names = columns_of(columns)
        rows = [[each[column] for column in names] for each in row[name]["rows"]]
        row[name] = {"columns": names, "rows": rows, "cut": row[name]["cut"]}
    return from_dict(row)
