"""The signs of comments that silence findings."""

from __future__ import annotations

from typing import Final

SIGN: Final = "llmblocks:"
"""The beginning of each comment that silences findings."""
SIGNS: Final = ("lmblock", "gnor", "LMBLOCK")
"""A section without any of these has no such comment, nor one that resembles it."""
