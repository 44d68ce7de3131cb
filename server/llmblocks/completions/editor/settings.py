"""The settings that the editor's part of this format reads."""

from __future__ import annotations

from typing import Protocol

from llmblocks.contract.arguments import Schemas


class CompletionSettings(Protocol):
    """The settings of completions. `template` is the name of a template of the package, or a template as JSON."""

    @property
    def template(self) -> str: ...
    @property
    def gadgets(self) -> Schemas: ...
