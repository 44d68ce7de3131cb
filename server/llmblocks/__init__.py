"""Incremental, streaming parsers for three LLM text formats, and a language server built on them."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from llmblocks.formats import open_document, parse

__version__ = "0.1.0"

__all__ = ["open_document", "parse"]


def __getattr__(name: str) -> Any:
    # the formats are loaded when first used: a server answers its client before that
    if name in __all__:
        from llmblocks import formats

        return getattr(formats, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
