"""A scanner that is fed chunk by chunk."""

from __future__ import annotations

from llmblocks.core.scan import Scanner, Token


class Stream:
    """`feed` gives the tokens that a chunk has completed, `close` those of what was held back."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._state = scanner.initial
        self._held = ""

    def feed(self, chunk: str, *, final: bool = False) -> list[Token]:
        text, tokens, at = self._held + chunk, list[Token](), 0
        while at < len(text):
            scanned = self._scanner.scan(text, at, len(text), self._state, final)
            if scanned.end == at:
                break
            tokens += scanned.tokens
            at, self._state = scanned.end, scanned.state
        self._held = text[at:]
        return tokens

    def close(self) -> list[Token]:
        return self.feed("", final=True)
