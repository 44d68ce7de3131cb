"""The output formats of `llmblocks check`, loaded on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, TextIO, cast

if TYPE_CHECKING:
    from llmblocks.cli.findings.reported import Reported

_OF_PEOPLE = ("full", "concise")
FORMATS = (*_OF_PEOPLE, "json", "jsonl", "sarif", "github", "gitlab", "junit")
Writer = Callable[["Iterable[Reported]", TextIO], None]


def writer(name: str) -> Writer:
    """Return the function that writes findings in one of `FORMATS`."""
    module = import_module(f"llmblocks.cli.findings.{'people' if name in _OF_PEOPLE else 'services'}")
    return cast(Writer, getattr(module, f"write_{name}"))
