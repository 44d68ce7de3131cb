"""The settings that the editor's part of this format reads."""

from __future__ import annotations

from typing import Literal, Protocol


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
