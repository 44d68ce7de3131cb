"""Summaries as Arrow tables."""

from __future__ import annotations

import pytest

from llmblocks.report import NOTHING, from_arrow, merged, summarise, to_arrow

pa = pytest.importorskip("pyarrow")
GAP = "!!!GADGET_START:Read\n!!!ARG:paths/0\na\n!!!ARG:paths/2\nb\n!!!GADGET_END\n"


def test_summaries_come_back_from_a_table() -> None:
    some = [summarise(f"{n}.stf", f"@user\n<think>{n}\n@ai\n{GAP}") for n in range(3)]
    found = to_arrow([*some, NOTHING])
    assert found.num_rows == 4
    assert found["texts"].to_pylist() == [1, 1, 1, 0]
    assert from_arrow(found) == (*some, NOTHING)
    assert merged(from_arrow(found)) == merged(some)


def test_rows_of_a_table_are_structs_with_names() -> None:
    (rows,) = to_arrow([summarise("a.gadget", GAP)])["gadgets"].to_pylist()
    counts = {"calls": 1, "rejected": 1, "repaired": 0, "findings": 1, "failed": 0}
    assert rows["rows"] == [{"gadget": "Read", **counts}]


def test_a_table_of_something_else_is_refused() -> None:
    with pytest.raises(ValueError, match="not a table of summaries"):
        from_arrow(pa.table({"a": [1]}))
