"""The settings of chats, and the formats in a message if its role decides."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Final, Literal, Protocol

from llmblocks.core.scan import Kind
from llmblocks.stf import kinds
from llmblocks.stf.scanner import StfScanner
from llmblocks.stf.syntax.dialect import AT_COMMANDS


class StfSettings(Protocol):
    """The settings of chats."""

    @property
    def dialect(self) -> Literal["@", ";", "auto"]: ...
    @property
    def default_role(self) -> str: ...
    @property
    def gadget_roles(self) -> tuple[str, ...]: ...
    @property
    def block_roles(self) -> tuple[str, ...]: ...


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


def formats_in(role: str, settings: StfSettings) -> frozenset[str]:
    """Return the names of the formats in a message of a role; an empty role stands for text without one."""
    allowed = ((_CALLS, settings.gadget_roles), (_BLOCKS, settings.block_roles))
    return frozenset([name for name, roles in allowed if "*" in roles or role in map(_role, roles)])


def _role(name: str) -> str:
    """Return the role of an alias such as `ai`."""
    return (AT_COMMANDS[name].role if name in AT_COMMANDS else None) or name


class RoleScanner(StfScanner):
    """Gives the text of each message a kind by the role of the message."""

    free: ClassVar = frozenset((kinds.TEXT, kinds.TEXT_OF_CALLS, kinds.TEXT_OF_BLOCKS))
    only: ClassVar = MappingProxyType(
        {kinds.TEXT_OF_CALLS: frozenset((_CALLS,)), kinds.TEXT_OF_BLOCKS: frozenset((_BLOCKS,))}
    )

    __slots__ = ("_settings",)

    def __init__(self, settings: StfSettings) -> None:
        self._settings = settings
        super().__init__(settings.dialect, has_default=bool(settings.default_role))

    def kind_of(self, role: str) -> Kind:
        """See `StfScanner`."""
        return _KINDS[formats_in(role or self._settings.default_role, self._settings)]
