"""Findings as JSON: an array, or an object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from llmblocks.cli.findings.reported import Remedy, Reported
from llmblocks.settings.rule_names import NAMES, page_of


def write_json(reported: Iterable[Reported], out: TextIO) -> None:
    """Write one array of all findings, as from `llmblocks.findings_as_json`, with the page of each rule and the fix."""
    write_array((as_json(each) for each in reported), out)
    out.write("\n")


def write_jsonl(reported: Iterable[Reported], out: TextIO) -> None:
    """Write an object a line, as soon as it is found."""
    for each in reported:
        out.write(f"{json.dumps(as_json(each))}\n")


def write_array(values: Iterable[Any], out: TextIO, margin: str = "") -> None:
    """Write a JSON array value by value, indented like `json.dump`, each line after a `margin`.

    The output is ASCII, which is valid JSON in any encoding.
    """
    between = "["
    for value in values:
        lines = json.dumps(value, indent=2).replace("\n", f"\n{margin}  ")
        out.write(f"{between}\n{margin}  {lines}")
        between = ","
    out.write("[]" if between == "[" else f"\n{margin}]")


def as_json(reported: Reported) -> dict[str, Any]:
    """Return a finding as plain JSON values."""
    related: list[dict[str, Any]] = []
    for place in reported.related:
        path = {} if place.path is None else {"path": place.path}
        related.append({**path, **place.span.as_json(), "message": place.message})
    return {
        "path": reported.path,
        "language": reported.language_id,
        **reported.span.as_json(),
        "code": reported.code or None,
        "name": NAMES.get(reported.code),
        "severity": reported.severity.name.lower(),
        "message": str(reported.message),
        **reported.message._asdict(),
        "related": related,
        "url": page_of(reported.code) or None if reported.code else None,
        "fix": None if reported.remedy is None else _fix(reported.remedy),
    }


def _fix(remedy: Remedy) -> dict[str, Any]:
    edits = [{**span.as_json(), "text": text} for span, text in remedy.edits]
    return {"title": remedy.title, "safe": remedy.safe, "edits": edits}
