"""Incremental, streaming parsers for three LLM text formats, and a language server built on them."""

from llmblocks.formats import open_document, parse

__all__ = ["open_document", "parse"]
