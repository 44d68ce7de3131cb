"""The formats in messages if roles decide: the tokens of text, by the role of its message."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final

from llmblocks.core.scan import Kind, Scanned, Token
from llmblocks.stf import kinds
from llmblocks.stf.scanner import MESSAGE, StfScanner, StfState
from llmblocks.stf.syntax.arguments import parse_arguments
from llmblocks.stf.syntax.dialect import AT, AT_COMMANDS, DIALECTS

if TYPE_CHECKING:
    from llmblocks.stf.editor.settings import StfSettings

_CALLS: Final = "gadget"
_BLOCKS: Final = "tags"
_KINDS: Final[Mapping[frozenset[str], Kind]] = MappingProxyType(
    {
        frozenset((_CALLS, _BLOCKS)): kinds.TEXT,
        frozenset((_CALLS,)): kinds.TEXT_OF_CALLS,
        frozenset((_BLOCKS,)): kinds.TEXT_OF_BLOCKS,
        frozenset(): kinds.PLAIN_TEXT,
    }
)
_NAMED = {kind.name: kind for kind in _KINDS.values()}
_PENDING = "="
_LONGEST = 4096
"""The maximum length of arguments that are searched for a role."""


def formats_in(role: str, settings: StfSettings) -> frozenset[str]:
    """Return the names of the formats in a message of a role; an empty role stands for text without one."""
    allowed = ((_CALLS, settings.gadget_roles), (_BLOCKS, settings.block_roles))
    return frozenset([name for name, roles in allowed if "*" in roles or role in map(_role, roles)])


def _role(name: str) -> str:
    """Return the role of an alias such as `ai`."""
    command = AT_COMMANDS.get(name)
    return command.role or name if command is not None else name


class RoleScanner(StfScanner):
    """Gives the text of each message a kind by the role of the message."""

    free: ClassVar = frozenset((kinds.TEXT, kinds.TEXT_OF_CALLS, kinds.TEXT_OF_BLOCKS))
    only: ClassVar = MappingProxyType(
        {kinds.TEXT_OF_CALLS: frozenset((_CALLS,)), kinds.TEXT_OF_BLOCKS: frozenset((_BLOCKS,))}
    )

    __slots__ = ("_default", "_settings")

    def __init__(self, settings: StfSettings) -> None:
        super().__init__(settings.dialect, has_default=bool(settings.default_role))
        self._settings = settings
        self._default = self._of(settings.default_role)
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
        holds, given, header = before.holds, before.given, before.dialect
        tokens: list[Token] = []
        at = start
        for token in found.tokens:
            kind, width = token
            if kind is kinds.HEADER:
                header = text[at]
            elif kind is kinds.MESSAGE_NAME:
                role = AT_COMMANDS[text[at : at + width]].role
                given = ""
                if role is not None:
                    holds = self._of(role)
                else:
                    # a message without a role inherits that of the message before it
                    holds = holds if (before.around or before.context) == MESSAGE else self._default
                    given = _PENDING
            elif kind is kinds.RAW_NAME or kind is kinds.FLUSH_NAME:
                holds = self._default
            elif given and kind is kinds.ARGUMENTS:
                given = (given + text[at : at + width])[: _LONGEST + 1]
            elif given and kind is kinds.LINE_END:
                holds, given = self._given(given, header, holds), ""
            if kind is kinds.TEXT:
                token = _NAMED[holds].of[width]
            tokens.append(token)
            at += width
        return found._replace(tokens=tokens, state=found.state._replace(holds=holds, given=given))

    def _given(self, given: str, header: str, holds: str) -> str:
        """Return the kind of text after a line that may name a role."""
        if len(given) > _LONGEST:
            return holds
        read = parse_arguments(given, len(_PENDING), len(given), DIALECTS.get(header, AT)).get("role")
        return self._of(read.value) if read is not None and isinstance(read.value, str) else holds

    def _of(self, role: str) -> str:
        return _KINDS[formats_in(role, self._settings)].name
