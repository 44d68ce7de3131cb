"""The declared content of a block, with its problems, hovers and completions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from llmblocks.contents.kind import ContentKind

if TYPE_CHECKING:
    from llmblocks.contract.caret import Suggestion
    from llmblocks.facts.problem import Problem


class Content(ContentKind):
    """The declared content of a block: see `ContentKind`."""

    __slots__ = ()

    def problems(self, text: str) -> Sequence[Problem]:
        """Return the problems of a content. Places count from its start; their data lack the tag."""
        from llmblocks.contents.judging import problems

        return problems(self, text)

    def explained(self, text: str, at: int) -> str | None:
        """Explain a place of a content, in Markdown."""
        from llmblocks.contents.answers import explained

        return explained(self, text, at)

    def suggested(self, before: str, after: str) -> Iterator[Suggestion]:
        """Yield the suggestions between the content before a place and the rest of its line."""
        from llmblocks.contents.answers import suggested

        return suggested(self, before, after)
