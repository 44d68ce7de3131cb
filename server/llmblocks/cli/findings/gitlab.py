"""Findings as a Code Quality report of GitLab."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import TextIO

from llmblocks.cli.findings.listing import write_array
from llmblocks.cli.findings.reported import Reported
from llmblocks.cli.repository import paths_from_root
from llmblocks.facts.severity import Severity

_SEVERITIES = dict(zip(Severity, ("major", "minor", "info", "info"), strict=True))


def write(reported: Iterable[Reported], out: TextIO) -> None:
    """Write the array that GitLab reads as the artifact `codequality`."""
    write_array(_entries(reported), out)
    out.write("\n")


def _entries(reported: Iterable[Reported]) -> Iterable[dict[str, object]]:
    last, seen = "", Counter[str]()
    path_from_root = paths_from_root()
    for each in reported:
        if each.path != last:
            last, seen = each.path, Counter()
        path = path_from_root(each.path)
        # without the line, so that a finding stays the same when text is added above it
        identity = "\0".join((path, each.code, str(each.message)))
        number = seen[identity]
        seen[identity] += 1
        yield {
            "description": f"{each.code} {each.message}".strip(),
            "check_name": each.code or "not-checked",
            "fingerprint": sha256(f"{identity}\0{number}".encode("utf-8", "backslashreplace")).hexdigest(),
            "severity": _SEVERITIES[each.severity],
            "location": {
                "path": path,
                "positions": {
                    "begin": {"line": each.span.line, "column": each.span.column},
                    "end": {"line": each.span.end_line, "column": each.span.end_column},
                },
            },
        }
