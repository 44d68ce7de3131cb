"""Tokens of Simple Text Format if the role of a message decides which formats it can contain."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Final, Literal

from llmblocks.core.scan import Kind, Scanned, Token
from llmblocks.stf import kinds
from llmblocks.stf.context import MESSAGE, StfState
from llmblocks.stf.scanner import StfScanner
from llmblocks.stf.syntax.arguments import parse_arguments
from llmblocks.stf.syntax.commands import AT_COMMANDS
from llmblocks.stf.syntax.dialect import AT, DIALECTS
from llmblocks.stf.syntax.roles import BLOCKS, CALLS, Holders

_KINDS: Final[Mapping[frozenset[str], Kind]] = MappingProxyType(
    {
        frozenset((CALLS, BLOCKS)): kinds.TEXT,
        frozenset((CALLS,)): kinds.TEXT_OF_CALLS,
        frozenset((BLOCKS,)): kinds.TEXT_OF_BLOCKS,
        frozenset(): kinds.PLAIN_TEXT,
    }
)
_NAMED = {kind.name: kind for kind in _KINDS.values()}
_PENDING = "="
_LONGEST = 4096
"""The maximum length of arguments that are searched for a role."""


class RoleScanner(StfScanner):
    """Gives the text of each message a kind by the role of the message."""

    free: ClassVar = frozenset((kinds.TEXT, kinds.TEXT_OF_CALLS, kinds.TEXT_OF_BLOCKS))
    only: ClassVar = MappingProxyType(
        {kinds.TEXT_OF_CALLS: frozenset((CALLS,)), kinds.TEXT_OF_BLOCKS: frozenset((BLOCKS,))}
    )

    __slots__ = ("_default", "_holders")

    def __init__(self, dialect: Literal["@", ";", "auto"], default_role: str, holders: Holders) -> None:
        super().__init__(dialect, has_default=bool(default_role))
        self._holders = holders
        self._default = self._of(default_role)
        self.initial = self.initial._replace(holds=self._default)

    def scan(self, text: str, start: int, stop: int, state: StfState, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        return self._held(text, start, super().scan(text, start, stop, state, final), state)

    def inside(self, text: str, start: int, at: int, stop: int, state: StfState) -> StfState:
        """See `Outer.inside`."""
        found = self.scan_up_to(text, start, at, stop, state)
        inside: StfState = self._held(text, start, found, state).state
        return inside

    def _held(self, text: str, start: int, found: Scanned, before: StfState) -> Scanned:
        """Return the tokens of a scan, with the kinds of text set by role."""
        holds, given = before.holds, before.given
        header = before.dialect
        tokens: list[Token] = []
        at = start
        for token in found.tokens:
            kind, width = token
            if kind is kinds.HEADER:
                header = text[at]
            elif kind is kinds.MESSAGE_NAME:
                holds, given = self._named(text[at : at + width], holds, before)
            elif kind is kinds.RAW_NAME or kind is kinds.FLUSH_NAME:
                holds = self._default
            elif given:
                if kind is kinds.ARGUMENTS:
                    given = (given + text[at : at + width])[: _LONGEST + 1]
                elif kind is kinds.LINE_END:
                    holds, given = self._given(given, header, holds), ""
            if kind is kinds.TEXT:
                token = _NAMED[holds].of[width]
            tokens.append(token)
            at += width
        return found._replace(tokens=tokens, state=found.state._replace(holds=holds, given=given))

    def _named(self, name: str, holds: str, before: StfState) -> tuple[str, str]:
        role = AT_COMMANDS[name].role
        if role is not None:
            return self._of(role), ""
        # a message without a role inherits that of the message before it
        inherits = (before.around or before.context) == MESSAGE
        return holds if inherits else self._default, _PENDING

    def _given(self, given: str, header: str, holds: str) -> str:
        if len(given) > _LONGEST:
            return holds
        read = parse_arguments(given, 1, len(given), DIALECTS.get(header, AT)).get("role")
        return self._of(read.value) if read is not None and isinstance(read.value, str) else holds

    def _of(self, role: str) -> str:
        return _KINDS[self._holders.formats(role)].name
