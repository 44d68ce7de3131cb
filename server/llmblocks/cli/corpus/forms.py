"""A report for programs: JSON, CSV and Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import BytesIO, StringIO
from typing import Any

from llmblocks.cli.corpus.figures import CorpusReport, Rate, RateChange, rates
from llmblocks.cli.source import InputError
from llmblocks.report.as_json import as_dict

_COLUMNS = ("corpus", "by", "group", "table", "name", "argument", "count", "total", "rate", "low", "high")


def as_json(report: CorpusReport) -> str:
    """Return all summaries and changes."""
    found: dict[str, Any] = {
        "total": as_dict(report.total),
        "by": report.by,
        "groups": [{"name": name, "summary": as_dict(each)} for name, each in report.groups.items()],
    }
    if report.before is not None:
        found["before"] = [{"name": name, "summary": as_dict(each)} for name, each in report.before.items()]
        found["changes"] = [_change(each) for each in report.changes]
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
                yield (corpus, report.by, group, *rate, *_numbers(rate))


def _numbers(rate: Rate) -> tuple[float, float, float]:
    low, high = rate.interval
    return round(rate.rate, 6), round(low, 6), round(high, 6)


def _change(change: RateChange) -> dict[str, Any]:
    return {
        **dict(zip(("table", "name", "argument"), change.now.key, strict=True)),
        "now": [change.now.found, change.now.total],
        "before": [change.before.found, change.before.total],
        "low": round(change.low, 6),
        "high": round(change.high, 6),
        "verdict": change.verdict,
    }
