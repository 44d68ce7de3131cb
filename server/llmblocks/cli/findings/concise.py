"""Findings as lines of text: `path:line:col: severity code message`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from llmblocks.cli.colours import console, is_coloured
from llmblocks.core.visible import visible
from llmblocks.facts.severity import Severity

if TYPE_CHECKING:
    from llmblocks.cli.findings.reported import Reported

# and what turns the direction of the text around it
STYLES = dict(zip(Severity, ("bold red", "bold yellow", "bold blue", "bold"), strict=True))


def write(reported: Iterable[Reported], out: TextIO) -> None:
    """Write findings, a line each; in colour on a terminal."""
    if is_coloured(out):
        _write_coloured(reported, out)
        return
    for each in reported:
        out.write(f"{text_line(each)}\n")


def text_line(reported: Reported) -> str:
    """Return `path:line:col: severity code message`, always on one line."""
    return f"{_where(reported)}: {reported.severity.name.lower()} {reported.code} {visible(str(reported.message))}"


def _where(reported: Reported) -> str:
    return f"{visible(reported.path)}:{reported.span.line}:{reported.span.column}"


def _write_coloured(reported: Iterable[Reported], out: TextIO) -> None:
    from rich.text import Text

    shown = console(out, highlight=False, soft_wrap=True)
    for each in reported:
        line = Text.assemble(
            (_where(each), "cyan"),
            ": ",
            (f"{each.severity.name.lower()} {each.code}", STYLES[each.severity]),
            " ",
            visible(str(each.message)),
        )
        shown.print(line)
