"""What the content of a block is, as settings declare it, with all that follows."""

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
        """What is wrong with a content, places counted from its start. Their data lack the tag."""
        from llmblocks.contents.judging import problems

        return problems(self, text)

    def explained(self, text: str, at: int) -> str | None:
        """What is at a place of a content, in Markdown."""
        from llmblocks.contents.answers import explained

        return explained(self, text, at)

    def suggested(self, before: str, after: str) -> Iterator[Suggestion]:
        """What can be written between all content in front of a place and the rest of its line."""
        from llmblocks.contents.answers import suggested

        return suggested(self, before, after)
