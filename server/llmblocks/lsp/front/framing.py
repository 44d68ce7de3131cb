"""Split a byte stream into message bodies, even if it is carelessly framed."""

from __future__ import annotations

import re
from typing import NamedTuple

from llmblocks.lsp.wire.limits import MAX_HEADER_BYTES, MAX_MESSAGE_BYTES

_MAX_SKIPPED_BYTES = 16 * MAX_MESSAGE_BYTES
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"^[ \t]*content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_NEXT = re.compile(rb"content-length[ \t]*:", re.IGNORECASE)
_NAME_BYTES = 32
_USUAL_HEADER = re.compile(rb"Content-Length: (\d{1,8})\r\n\r\n")


class LostBytes(NamedTuple):
    """Bytes that are not a message, and the reason."""

    reason: str
    sample: bytes


class Framer:
    """Messages with a header of their own, on standard input and TCP: pygls loses what is framed carelessly.

    Header names in any case, no or more space, bare newlines, other headers and stray lines before a header are
    accepted. After a header that says no usable length, the stream is searched for the next `Content-Length`. A body
    beyond the limit is skipped.
    """

    __slots__ = ("_body", "_buffer", "_lost", "_skipping")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._body = -1
        self._skipping = 0
        self._lost = False

    def feed(self, data: bytes) -> list[bytes | LostBytes]:
        """Read bytes, and return the complete messages. Errors: none."""
        buffer = self._buffer
        if not buffer and self._body < 0 and not self._skipping and not self._lost:
            usual = _USUAL_HEADER.match(data)
            if usual is not None and len(data) - usual.end() == int(usual[1]):
                # a keystroke: one message, and all of it
                return [data[usual.end() :]]
        buffer += data
        found: list[bytes | LostBytes] = []
        while True:
            if self._body < 0 and not self._header(found):
                return found
            if len(buffer) < self._body:
                return found
            found.append(bytes(memoryview(buffer)[: self._body]))
            del buffer[: self._body]
            self._body = -1

    @property
    def unfinished(self) -> int:
        """The number of bytes held of an incomplete message."""
        return len(self._buffer)

    def _header(self, found: list[bytes | LostBytes]) -> bool:
        """Read a header block; returns whether a body follows."""
        buffer = self._buffer
        while True:
            if self._skipping:
                skipped = min(self._skipping, len(buffer))
                self._skipping -= skipped
                del buffer[:skipped]
                if self._skipping:
                    return False
            if self._lost and not self._resynchronise():
                return False
            if buffer.startswith((b"\r", b"\n")):
                del buffer[: len(buffer) - len(buffer.lstrip(b"\r\n"))]
            end = _HEADER_END.search(buffer, 0, MAX_HEADER_BYTES)
            if end is None:
                if len(buffer) < MAX_HEADER_BYTES:
                    return False
                self._give_up(found, "no end of the header", MAX_HEADER_BYTES // 2)
                continue
            lengths = _LENGTH.findall(buffer, 0, end.start())
            length = int(lengths[-1]) if lengths else -1
            if 0 <= length <= MAX_MESSAGE_BYTES:
                self._body = length
                del buffer[: end.end()]
                return True
            if MAX_MESSAGE_BYTES < length <= _MAX_SKIPPED_BYTES:
                reason = f"the message has {length} bytes, more than {MAX_MESSAGE_BYTES}"
                found.append(LostBytes(reason, bytes(buffer[:80])))
                self._skipping = length
                del buffer[: end.end()]
                continue
            self._give_up(found, "no usable Content-Length in the header", end.start())

    def _give_up(self, found: list[bytes | LostBytes], reason: str, size: int) -> None:
        found.append(LostBytes(reason, bytes(self._buffer[: min(size, 80)])))
        del self._buffer[:size]
        self._lost = True

    def _resynchronise(self) -> bool:
        """Skip to the next header with a length; returns whether there is one."""
        buffer = self._buffer
        place = _NEXT.search(buffer)
        if place is None:
            # keep what may be the beginning of the name
            del buffer[: max(0, len(buffer) - _NAME_BYTES)]
            return False
        del buffer[: place.start()]
        self._lost = False
        return True
