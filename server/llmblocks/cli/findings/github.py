"""Findings as workflow commands of GitHub Actions, which annotate the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from llmblocks.cli.findings.reported import Reported
from llmblocks.cli.repository import paths_from_root
from llmblocks.core.visible import visible
from llmblocks.facts.severity import Severity
from llmblocks.settings.rule_names import NAMES

_LEVELS = dict(zip(Severity, ("error", "warning", "notice", "notice"), strict=True))


def write(reported: Iterable[Reported], out: TextIO) -> None:
    """Write a command for each finding."""
    path_from_root = paths_from_root()
    for each in reported:
        span = each.span
        properties = {
            "file": path_from_root(each.path),
            "line": span.line,
            "col": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
            "title": f"{each.code} {NAMES.get(each.code, '')}".strip() or "not checked",
        }
        listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
        # the log is shown in a terminal
        text = "\n".join(map(visible, (each.message.headline, *each.message.rest)))
        out.write(f"::{_LEVELS[each.severity]} {listed}::{_text(text)}\n")


def _text(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _text(value).replace(":", "%3A").replace(",", "%2C")
