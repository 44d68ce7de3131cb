"""Where gadget calls stand: in their own document, or in the messages of one of STF's dialects."""

from __future__ import annotations

from typing import NamedTuple

from tools.generate.syntaxes.rule import Rule, include


class Host(NamedTuple):
    """The effect of the text around a gadget call."""

    key: str  # the suffix of rule names
    stop: str | None  # a line that begins like this is the host's, not a value's
    end: str | None  # a line that begins like this ends the call, and the message around it
    inside: tuple[Rule, ...]  # the host's rules for lines in the middle of a call


class Dialect(NamedTuple):
    """One dialect of STF, as its grammar needs it."""

    key: str
    header: str
    messages: str  # commands that begin a message
    blocks: str  # commands whose data lines, up to `end`, are JSON5
    lines: str  # commands whose next data line is theirs
    flush: str  # commands that end a message
    keys: str  # argument keys

    @property
    def ahead(self) -> str:
        """A line that begins like this begins a message, whatever was open."""
        return rf"{self.header}[ \t]*{either(self.messages + ' raw')}"

    @property
    def known(self) -> str:
        """All commands."""
        return " ".join((self.messages, self.blocks, self.lines, self.flush, "end"))


_MESSAGES = "message msg user assistant ai system sys developer dev tool"
AT = Dialect("at", "@", _MESSAGES, "raw", "call embed", "", "[a-z][a-z0-9_]+")
SEMICOLON = Dialect("semicolon", ";", _MESSAGES, "raw meta extra", "", "flush", "[A-Za-z][A-Za-z0-9_]*")
DIALECTS = (AT, SEMICOLON)


def either(names: str) -> str:
    """Return a pattern for any one of some blank-separated names."""
    return f"(?:{'|'.join(names.split())})(?![A-Za-z0-9])"


def of(dialect: Dialect) -> Host:
    """Return the host that a dialect is to the gadget calls in its messages."""
    header = dialect.header
    return Host(
        key=f"-{dialect.key}",
        stop=header,
        end=rf"{header}[ \t]*{either(f'{dialect.messages} raw {dialect.flush}')}",
        inside=(include(f"source.stf#{dialect.key}-lines"),),
    )


ALONE = Host("", None, None, ())
HOSTS = (ALONE, of(AT), of(SEMICOLON))
