"""The requests of an agent: the messages that llmist logs, and the results of calls in them."""

from llmblocks.lazy import lazily

# Loaded on first access: an editor uses none of this.
__getattr__, __dir__ = lazily(__name__, __spec__)
