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
"""The kinds that are no alternatives: any text is text, and a language reports mistakes in any text."""


class ContentKind(NamedTuple):
    """The kind of a content. Blanks around a value do not count.

    Shape: `kind` may be the id of a language, whose rules then hold in the block. `schema` is a JSON Schema, as JSON,
           for a value. `values` are the allowed texts; empty, all are. `others` are alternatives to `kind`.
    """

    kind: ContentName = "text"
    schema: str = ""
    values: tuple[str, ...] = ()
    others: tuple[ContentName, ...] = ()

    @property
    def kinds(self) -> tuple[ContentName, ...]:
        """The kind and its alternatives."""
        return (self.kind, *self.others)

    @property
    def says(self) -> str:
        """What a content is, in Markdown."""
        if self.values:
            more = ", …" if len(self.values) > _MOST else ""
            return f"one of {', '.join(map(code, self.values[:_MOST]))}{more}"
        return " or ".join([_WORDS[each] for each in self.kinds])
