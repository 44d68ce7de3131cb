"""Incremental, streaming parsers for three LLM text formats, and a language server built on them."""

from typing import TYPE_CHECKING

from llmblocks.lazy import lazily

if TYPE_CHECKING:
    from llmblocks.languages.registry import open_document, parse

__version__ = "0.1.0"

__all__ = ["open_document", "parse"]


# Loaded when first asked for: a server answers its client before it needs any of this.
__getattr__, __dir__ = lazily(
    __name__, {"languages.registry": ("open_document", "parse")}, packages=("compose", "gadget", "stf", "tags")
)
