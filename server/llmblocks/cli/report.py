"""Findings as text, as JSON, and as annotations of a build server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TextIO

from llmblocks.core.finding import Finding, Severity
from llmblocks.core.lines import Lines

FORMATS = ("text", "json", "github")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.INFORMATION: "bold blue",
    Severity.HINT: "bold",
}
_GITHUB_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}


class Reported(NamedTuple):
    """A finding in a file. Shape: `lines` are those of the file's text."""

    path: str
    language_id: str
    finding: Finding
    lines: Lines


def reporter(name: str, out: TextIO) -> Callable[[Iterable[Reported]], None]:
    """A writer of findings in one of `FORMATS`: file by file, JSON at the end."""
    if name == "json":
        return lambda reported: write_json(reported, out)
    if name == "github":
        return lambda reported: _write_each(reported, out, github_line)
    if out.isatty():
        return lambda reported: _write_coloured(reported, out)
    return lambda reported: _write_each(reported, out, text_line)


def text_line(reported: Reported) -> str:
    """`path:line:col: severity code message`, always on one line."""
    finding = reported.finding
    return f"{_where(reported)}: {finding.severity.name.lower()} {finding.code} {visible(finding.message)}"


def github_line(reported: Reported) -> str:
    """A workflow command, which annotates the line in a pull request."""
    from llmblocks.rules.names import NAMES

    path, _, finding, lines = reported
    line, column = lines.of(finding.start)
    end_line, end_column = lines.of(finding.end)
    properties = {
        "file": path,
        "line": line,
        "col": column,
        "endLine": end_line,
        "endColumn": end_column,
        "title": f"{finding.code} {NAMES.get(finding.code, '')}".strip(),
    }
    told = ",".join(f"{name}={_github_property(str(value))}" for name, value in properties.items())
    return f"::{_GITHUB_LEVELS[finding.severity]} {told}::{_github_text(finding.message)}"


def write_json(reported: Iterable[Reported], out: TextIO) -> None:
    """One array of all findings. Lines and columns count from 1; an end is after the last character.

    Shape: ASCII, which is valid JSON in any encoding of the output.
    """
    import json

    json.dump([_as_json(each) for each in reported], out, indent=2)
    out.write("\n")


def visible(text: str) -> str:
    """A text with escaped control characters: none may move the cursor or begin a line."""
    return _CONTROL.sub(
        lambda found: f"\\x{ord(found[0]):02x}" if found[0] < "\u0100" else f"\\u{ord(found[0]):04x}", text
    )


def _as_json(reported: Reported) -> dict[str, Any]:
    from llmblocks.rules.as_json import finding_as_json

    path, language_id, finding, lines = reported
    return {"path": path, "language": language_id, **finding_as_json(finding, lines)}


def _where(reported: Reported) -> str:
    line, column = reported.lines.of(reported.finding.start)
    return f"{visible(reported.path)}:{line}:{column}"


def _write_each(reported: Iterable[Reported], out: TextIO, line: Callable[[Reported], str]) -> None:
    for each in reported:
        out.write(f"{line(each)}\n")


def _write_coloured(reported: Iterable[Reported], out: TextIO) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=out, highlight=False, soft_wrap=True)
    for each in reported:
        finding = each.finding
        severity = finding.severity.name.lower()
        told = Text.assemble(
            (_where(each), "cyan"),
            ": ",
            (f"{severity} {finding.code}", _STYLES[finding.severity]),
            " ",
            visible(finding.message),
        )
        console.print(told)


def _github_text(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(value: str) -> str:
    return _github_text(value).replace(":", "%3A").replace(",", "%2C")
