"""Tokens from the chunks of a model's output."""

from __future__ import annotations

from llmblocks.core.scan import Scanner, Token


class Stream:
    """Feeds a scanner chunk by chunk.

    Shape:  `feed` and `close` return the tokens that the new text completed; a token whose kind `merges` may come in
            several parts.
    Errors: `ValueError` on use after `close`.
    """

    __slots__ = ("_closed", "_held", "_scanner", "_state")

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._state = scanner.initial
        self._held = ""
        self._closed = False

    def feed(self, chunk: str) -> list[Token]:
        """Read the next part of the text."""
        if self._closed:
            raise ValueError("feed after close: create a new Stream for a new text")
        return self._take(self._held + chunk if self._held else chunk, final=False)

    def close(self) -> list[Token]:
        """End the text, and return the tokens of the text held back."""
        if self._closed:
            raise ValueError("close after close: create a new Stream for a new text")
        self._closed = True
        return self._take(self._held, final=True)

    def _take(self, text: str, *, final: bool) -> list[Token]:
        tokens: list[Token] = []
        at, size = 0, len(text)
        while at < size:
            scanned = self._scanner.scan(text, at, size, self._state, final)
            if scanned.end == at:
                break
            tokens += scanned.tokens
            at, self._state = scanned.end, scanned.state
        self._held = text[at:]
        return tokens
