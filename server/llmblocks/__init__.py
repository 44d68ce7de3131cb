"""Incremental, streaming parsers for three LLM text formats, with a language server and a command line."""

from llmblocks.lazy import lazily

__version__ = "0.1.0"

# Loaded on first access: a server answers its client before it needs any of this.
__getattr__, __dir__ = lazily(__name__, __spec__)
