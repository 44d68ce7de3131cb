"""Conversion between summaries and Arrow tables: `pip install 'llmblocks[arrow]'`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from llmblocks.facts.severity import Severity
from llmblocks.report.as_json import as_dict, columns_of, from_dict
from llmblocks.report.summary import COUNTS, TABLES, Columns, Example, Summary

if TYPE_CHECKING:
    import pyarrow as pa


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
