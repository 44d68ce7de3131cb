"""Custom blocks: registered XML-like tags inside free text."""

from llmblocks.lazy import lazily

# Loaded on first access: an editor uses none of this, a stream no pipeline. The models need pydantic and the adapter
# asyncio: each takes longer to import than all the rest.
__getattr__, __dir__ = lazily(__name__, __spec__)
