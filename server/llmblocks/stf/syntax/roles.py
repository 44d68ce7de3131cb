"""The formats in messages, by role."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from llmblocks.stf.syntax.commands import AT_COMMANDS

CALLS: Final = "gadget"
"""The name of the format of gadget calls."""
BLOCKS: Final = "tags"
"""The name of the format of custom blocks."""
EVERY_ROLE: Final = "*"


class Holders:
    """The roles whose messages can contain gadget calls, and those whose messages can contain custom blocks.

    `*` stands for all roles, and for text without a role; an alias such as `ai` for its role.
    """

    __slots__ = ("_roles",)

    def __init__(self, calls: Iterable[str], blocks: Iterable[str]) -> None:
        self._roles = {CALLS: {*map(_role, calls)}, BLOCKS: {*map(_role, blocks)}}

    @property
    def is_default(self) -> bool:
        """Whether all messages can contain all formats."""
        return all(EVERY_ROLE in roles for roles in self._roles.values())

    def formats(self, role: str) -> frozenset[str]:
        """Return the names of the formats in a message of a role; an empty role stands for text without one."""
        return frozenset([name for name, roles in self._roles.items() if role in roles or EVERY_ROLE in roles])


def _role(name: str) -> str:
    command = AT_COMMANDS.get(name)
    return command.role or name if command is not None else name
