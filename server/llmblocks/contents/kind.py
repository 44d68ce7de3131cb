"""The kinds of contents of blocks."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

from llmblocks.contract.markup import code

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


class ContentKind(NamedTuple):
    """The kind of a content. White space around a value is ignored."""

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
        """The kind and its alternatives."""
        return (self.kind, *self.others)

    @property
    def says(self) -> str:
        """Describe the content, in Markdown."""
        if self.values:
            more = ", …" if len(self.values) > _MOST else ""
            return f"one of {', '.join(map(code, self.values[:_MOST]))}{more}"
        return " or ".join([_WORDS[each] for each in self.kinds])
