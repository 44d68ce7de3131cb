"""The settings that the editor's part of this format reads."""

from __future__ import annotations

from typing import Protocol

from llmblocks.contract.arguments import Schemas


class CompletionSettings(Protocol):
    """The settings of completions. Shape: `template` is the name of one of the package, or one as JSON."""

    @property
    def template(self) -> str: ...
    @property
    def gadgets(self) -> Schemas: ...
