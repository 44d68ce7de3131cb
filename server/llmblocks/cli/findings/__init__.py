"""The output formats of `llmblocks check`, loaded on demand."""
