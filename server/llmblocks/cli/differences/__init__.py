"""Differences of meaning: what two texts or two sessions have that the other has not."""
