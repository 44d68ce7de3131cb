"""Grammars for constrained decoding: the texts that a model may write."""
