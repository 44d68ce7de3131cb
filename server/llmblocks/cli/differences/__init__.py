"""Differences in the meaning of two texts or two sessions."""
