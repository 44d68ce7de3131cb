"""Findings as a Code Quality report of GitLab."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import TextIO

from llmblocks.cli.report.listing import write_array
from llmblocks.cli.report.reported import Reported
from llmblocks.core.severity import Severity

_SEVERITIES = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFORMATION: "info",
    Severity.HINT: "info",
}


def write(reported: Iterable[Reported], out: TextIO) -> None:
    """Write the array that GitLab reads as the artifact `codequality`."""
    write_array(_entries(reported), out)
    out.write("\n")


def _entries(reported: Iterable[Reported]) -> Iterable[dict[str, object]]:
    path, seen = "", Counter[str]()
    for each in reported:
        if each.path != path:
            path, seen = each.path, Counter()
        # without the line, so that a finding stays the same when text comes in above it
        told = "\0".join((each.path, each.code, each.message))
        number = seen[told]
        seen[told] += 1
        yield {
            "description": f"{each.code} {each.message}",
            "check_name": each.code,
            "fingerprint": sha256(f"{told}\0{number}".encode("utf-8", "backslashreplace")).hexdigest(),
            "severity": _SEVERITIES[each.severity],
            "location": {
                "path": each.path,
                "positions": {
                    "begin": {"line": each.span.line, "column": each.span.column},
                    "end": {"line": each.span.end_line, "column": each.span.end_column},
                },
            },
        }
