"""Conversion between transcripts and requests of Anthropic's Messages API."""

from llmblocks.stf.convert.anthropic.reading import from_anthropic
from llmblocks.stf.convert.anthropic.writing import to_anthropic

__all__ = ["from_anthropic", "to_anthropic"]
