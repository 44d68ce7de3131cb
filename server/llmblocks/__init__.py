"""Incremental, streaming parsers for three LLM text formats, and a language server built on them."""
