"""Conversion between transcripts and the messages of OpenAI's chat completions."""

from llmblocks.stf.convert.openai.reading import from_openai
from llmblocks.stf.convert.openai.writing import to_openai

__all__ = ["from_openai", "to_openai"]
