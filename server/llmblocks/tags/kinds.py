"""The kinds of tokens in custom blocks."""

from __future__ import annotations

from typing import Final

from llmblocks.core.scan import Kind

TEXT = Kind("text", merges=True)  # visible text: everything outside of blocks, including stray and misspelt tags
OPENING = Kind("opening-bracket")  # the `<` of a registered tag
NAME = Kind("tag-name")
GAP = Kind("gap", merges=True)  # text between attributes: white space, and characters that the runtime skips
ATTRIBUTE = Kind("attribute", merges=True)
EQUALS = Kind("equals")
QUOTE = Kind("quote")
VALUE = Kind("attribute-value", merges=True)  # the value of an attribute, without its quotes
OPENED = Kind("opened")  # the `>` of an opening tag
SELF_CLOSED = Kind("self-closed")  # the `/>` of a block without content
CONTENT = Kind("content", merges=True)
CLOSING = Kind("closing-bracket")  # the `</` of the tag that closes the open block
CLOSED = Kind("closed")  # the `>` of a closing tag
BRACKETS: Final = frozenset((OPENING, OPENED, SELF_CLOSED, CLOSING, CLOSED))
