"""The settings that the editor's part of this format reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from llmblocks.gadget.syntax.markers import Markers

if TYPE_CHECKING:
    from llmblocks.gadget.schemas.gadgets import Gadgets


class GadgetSettings(Protocol):
    """The settings of gadget calls."""

    @property
    def markers(self) -> Markers: ...
    @property
    def gadgets(self) -> Gadgets: ...
