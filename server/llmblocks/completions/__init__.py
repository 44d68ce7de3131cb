"""Raw completions of chat models: streaming, values, and the response templates that describe them.

`from llmblocks.completions import CompletionStream, Template, shipped`; see docs/formats/completions.md.
"""

from llmblocks.lazy import lazily

# Loaded on first access: a starting command line needs none of this.
__getattr__, __dir__ = lazily(__name__, __spec__)
