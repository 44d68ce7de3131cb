"""The kinds of contents of blocks."""

from __future__ import annotations

from typing import Literal, NamedTuple

from llmblocks.contract.markup import code

_MOST = 20
_WORDS = {
    "text": "any text",
    "json": "JSON",
    "json5": "JSON5",
    "number": "a number",
    "gadget": "gadget calls",
    "stf": "a chat",
}
ContentName = Literal["text", "json", "json5", "number", "gadget", "stf"]


class ContentKind(NamedTuple):
    """What a content is. Blanks around a value do not count.

    Shape: `kind` may be the id of a language, whose rules then hold in the block. `schema` is a JSON Schema, as JSON,
           for a value of JSON or a number. `values` are the texts that are allowed; empty, all are.
    """

    kind: ContentName = "text"
    schema: str = ""
    values: tuple[str, ...] = ()

    @property
    def says(self) -> str:
        """What a content is, in Markdown."""
        if self.values:
            more = ", …" if len(self.values) > _MOST else ""
            return f"one of {', '.join(map(code, self.values[:_MOST]))}{more}"
        return _WORDS[self.kind]
