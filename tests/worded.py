"""The words of the runtime in a message."""

from __future__ import annotations

from llmblocks.facts.message import FindingMessage


def has_words(message: FindingMessage, words: str) -> bool:
    """Return whether the headline or the note begins with these words."""
    return message.headline.startswith(words) or message.note.startswith(words)
