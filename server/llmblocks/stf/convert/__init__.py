"""Conversions of transcripts to and from OpenAI, Anthropic, JSON and NDJSON."""

from llmblocks.stf.convert.anthropic import from_anthropic, to_anthropic
from llmblocks.stf.convert.converted import Converted, Loss
from llmblocks.stf.convert.openai import from_openai, to_openai
from llmblocks.stf.convert.plain import from_json, from_ndjson, to_json, to_ndjson

__all__ = [
    "Converted",
    "Loss",
    "from_anthropic",
    "from_json",
    "from_ndjson",
    "from_openai",
    "to_anthropic",
    "to_json",
    "to_ndjson",
    "to_openai",
]
