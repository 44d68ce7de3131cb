"""Where gadget calls stand: in their own document, or in the messages of one of STF's dialects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tools.generate.editors.shared import DIALECTS, Dialect
from tools.generate.syntaxes.rule import Rule, include


class Host(NamedTuple):
    """The effect of the text around a gadget call."""

    key: str  # the suffix of rule names
    stop: str | None  # a line that begins like this is the host's, not a value's
    end: str | None  # a line that begins like this ends the call, and the message around it
    inside: tuple[Rule, ...]  # the host's rules for lines in the middle of a call


def either(names: Iterable[str]) -> str:
    """Return a pattern for any one of some names."""
    return f"(?:{'|'.join(names)})(?![A-Za-z0-9])"


def of(dialect: Dialect) -> Host:
    """Return the host that a dialect is to the gadget calls in its messages."""
    return Host(
        key=f"-{dialect.key}",
        stop=dialect.header,
        end=rf"{dialect.header}[ \t]*{either((*dialect.messages, 'raw', *dialect.flush))}",
        inside=(include(f"source.stf#{dialect.key}-lines"),),
    )


HOSTS = (Host("", None, None, ()), *map(of, DIALECTS))
