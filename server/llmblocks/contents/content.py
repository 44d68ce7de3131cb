"""The declared content of a block, with its problems, hovers and completions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from llmblocks.contract.markup import code

if TYPE_CHECKING:
    from llmblocks.contract.caret import Suggestion
    from llmblocks.facts.problem import Problem

_MOST = 20
_WORDS = {
    "text": "any text",
    "json": "JSON",
    "json5": "JSON5",
    "number": "a number",
    "gadget": "gadget calls",
    "stf": "a chat",
    "qwen-xml": "a call as Qwen 3 Coder writes it",
}
ContentName = Literal["text", "json", "json5", "number", "gadget", "stf", "qwen-xml"]
CONTENT_NAMES: Final = get_args(ContentName)
QWEN_XML: Final = "qwen-xml"
ALONE: Final = ("text", "gadget", "stf")
"""The kinds without alternatives: any text is text, and a language accepts any text."""


class Content(NamedTuple):
    """The declared content of a block. White space around a value is ignored."""

    kind: ContentName = "text"
    """May be the id of a language, whose rules then apply in the block."""
    schema: str = ""
    """A JSON Schema for a value, as JSON."""
    values: tuple[str, ...] = ()
    """The allowed texts; empty if all are."""
    others: tuple[ContentName, ...] = ()
    """Alternatives to `kind`."""

    @property
    def kinds(self) -> tuple[ContentName, ...]:
        return (self.kind, *self.others)

    @property
    def says(self) -> str:
        """Describe the content, in Markdown."""
        if self.values:
            more = ", …" if len(self.values) > _MOST else ""
            return f"one of {', '.join(map(code, self.values[:_MOST]))}{more}"
        return " or ".join([_WORDS[each] for each in self.kinds])

    def problems(self, text: str) -> Sequence[Problem]:
        """Return the problems of a content. Places count from its start; their data lack the tag."""
        from llmblocks.contents.judging import problems

        return problems(self, text)

    def explained(self, text: str, at: int) -> str | None:
        """Explain a place of a content, in Markdown."""
        from llmblocks.contents.judging import explained

        return explained(self, text, at)

    def suggested(self, before: str, after: str) -> Iterator[Suggestion]:
        """Yield the suggestions between the content before a place and the rest of its line."""
        from llmblocks.contents.judging import suggested

        return suggested(self, before, after)
