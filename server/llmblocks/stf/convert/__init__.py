"""Conversions of transcripts to and from OpenAI, Anthropic, JSON and NDJSON."""
