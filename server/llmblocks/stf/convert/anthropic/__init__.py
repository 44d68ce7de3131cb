"""Conversion between transcripts and requests of Anthropic's Messages API."""
