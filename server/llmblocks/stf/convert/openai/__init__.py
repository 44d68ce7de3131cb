"""Conversion between transcripts and the messages of OpenAI's chat completions."""
