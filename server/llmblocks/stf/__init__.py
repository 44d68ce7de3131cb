"""Simple Text Format in both dialects: decode, encode, stream, convert.

`from llmblocks.stf import decode, encode, StfStream, Transcript, Message`; see docs/formats/stf.md.
"""

from llmblocks.lazy import lazily

# Loaded on first access: a server needs none of this to answer its client.
__getattr__, __dir__ = lazily(__name__, __spec__)
