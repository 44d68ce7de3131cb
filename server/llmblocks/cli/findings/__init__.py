"""The output formats of `llmblocks check`, each in a module loaded on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, TextIO, cast

if TYPE_CHECKING:
    from llmblocks.cli.findings.reported import Reported

FORMATS = {
    "full": "full",
    "concise": "concise",
    "json": "listing",
    "jsonl": "listing",
    "sarif": "sarif",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
}
"""The modules of the formats. Each has a function `write` or `write_<format>`."""
Writer = Callable[["Iterable[Reported]", TextIO], None]


def writer(name: str) -> Writer:
    """Return the function that writes findings in one of `FORMATS`."""
    module = import_module(f"llmblocks.cli.findings.{FORMATS[name]}")
    return cast(Writer, getattr(module, f"write_{name}", None) or module.write)
