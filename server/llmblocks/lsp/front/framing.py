"""Splits a byte stream into message bodies, even if it is carelessly framed."""

from __future__ import annotations

import re
from typing import NamedTuple

from llmblocks.lsp.wire.limits import MAX_HEADER_BYTES, MAX_MESSAGE_BYTES

_MAX_SKIPPED_BYTES = 16 * MAX_MESSAGE_BYTES
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"^[ \t]*content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_NEXT = re.compile(rb"content-length[ \t]*:", re.IGNORECASE)
_NAME_BYTES = 32


class LostBytes(NamedTuple):
    """Bytes that are not a message, and the reason."""

    reason: str
    sample: bytes


class Framer:
    """Reads messages with a header, from standard input and TCP: pygls loses carelessly framed ones.

    Header names in any case, missing or extra spaces, bare newlines, other headers and stray lines before a header are
    accepted. After a header without a usable length, the stream is searched for the next `Content-Length`. A body
    beyond the limit is skipped.
    """

    __slots__ = ("_body", "_buffer", "_lost", "_skipping")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._body = -1
        self._skipping = 0
        self._lost = False

    def feed(self, data: bytes) -> list[bytes | LostBytes]:
        """Read bytes, and return the complete messages. Never raises."""
        self._buffer += data
        found: list[bytes | LostBytes] = []
        while (each := self._next()) is not None:
            found.append(each)
        return found

    @property
    def unfinished(self) -> int:
        """The number of bytes held of an incomplete message."""
        return len(self._buffer)

    def _next(self) -> bytes | LostBytes | None:
        """Return the next message, or invalid bytes; None if it is incomplete."""
        if self._skipping:
            self._skipping -= len(self._take(self._skipping))
        if self._skipping or (self._lost and not self._resynchronise()):
            return None
        buffer = self._buffer
        if self._body < 0:
            if buffer.startswith((b"\r", b"\n")):
                self._take(len(buffer) - len(buffer.lstrip(b"\r\n")))
            end = _HEADER_END.search(buffer, 0, MAX_HEADER_BYTES)
            if end is None:
                if len(buffer) < MAX_HEADER_BYTES:
                    return None
                return self._give_up("no end of the header", MAX_HEADER_BYTES // 2)
            lengths = _LENGTH.findall(buffer, 0, end.start())
            length = int(lengths[-1]) if lengths else _MAX_SKIPPED_BYTES + 1
            if length > _MAX_SKIPPED_BYTES:
                return self._give_up("no usable Content-Length in the header", end.start())
            header = self._take(end.end())
            if length > MAX_MESSAGE_BYTES:
                self._skipping = length
                return LostBytes(f"the message has {length} bytes, more than {MAX_MESSAGE_BYTES}", header[:80])
            self._body = length
        if len(buffer) < self._body:
            return None
        body, self._body = self._take(self._body), -1
        return body

    def _take(self, size: int) -> bytes:
        taken = bytes(memoryview(self._buffer)[:size])
        del self._buffer[:size]
        return taken

    def _give_up(self, reason: str, size: int) -> LostBytes:
        self._lost = True
        return LostBytes(reason, self._take(size)[:80])

    def _resynchronise(self) -> bool:
        """Skip to the next header with a length; return whether there is one."""
        place = _NEXT.search(self._buffer)
        # otherwise, keep a possible beginning of the name
        self._take(max(0, len(self._buffer) - _NAME_BYTES) if place is None else place.start())
        self._lost = place is None
        return not self._lost
