"""The messages of a request, while its text arrives."""

from __future__ import annotations

from llmblocks.request.reading.events import Event, Media, Message, MessageEnded, MessageStarted, Text
from llmblocks.request.syntax.messages import HEADER, MEDIA_LINE, RESULT_LINE, Role, may_become_header, role_of


class RequestStream:
    """Reads the requests that llmist writes: `=== ROLE ===`, the text, and an empty line for each message.

    Shape: `feed` takes chunks of any size, `close` ends the text; both return events.
    Errors: none for any text; `ValueError` for `feed` after `close`.
    Source: `formatLlmRequest` and `addGadgetCallResult` of llmist 18, which escape nothing.
    """

    def __init__(self) -> None:
        self.held = ""
        self._role: Role | None = None
        self._parts: list[str] = []
        self._begins = True
        self._is_closed = False

    @property
    def held_size(self) -> int:
        """The length of the text held back: the beginning of a line that may be a header."""
        return len(self.held)

    def feed(self, text: str) -> list[Event]:
        """Read a chunk, and return the events that it completes."""
        if self._is_closed:
            raise ValueError("the stream is closed: use a new RequestStream for another text")
        return self._read(text, False)

    def close(self) -> list[Event]:
        """End the text, and return the rest of the events."""
        if self._is_closed:
            return []
        found = self._read("", True)
        self._is_closed = True
        return [*found, *self._ended(True)]

    def _read(self, text: str, final: bool) -> list[Event]:
        text, self.held = self.held + text, ""
        events: list[Event] = []
        at = taken = 0
        while at < len(text):
            newline = text.find("\n", at) + 1
            if self._begins:
                found = HEADER.match(text, at) if text.startswith("=== ", at) else None
                if not newline and not final and may_become_header(text[at : at + 32]) and len(text) - at < 32:
                    self.held = text[at:]
                    break
                if found is not None:
                    events += self._took(text[taken:at])
                    events += self._ended(False)
                    self._role = role_of(found["role"])
                    events.append(MessageStarted(self._role))
                    at = taken = found.end()
                    continue
            # lines that cannot be headers are passed over together
            ahead = text.find("\n===", at) + 1
            if ahead:
                at, self._begins = ahead, True
                continue
            last = text.rfind("\n", at) + 1
            self._begins = last == len(text)
            if last > at and not self._begins:
                at, self._begins = last, True
                continue
            at = len(text)
        return [*events, *self._took(text[taken:at])]

    def _took(self, text: str) -> list[Event]:
        if not text:
            return []
        self._parts.append(text)
        return [Text(text)] if self._role == "assistant" else []

    def _ended(self, is_last: bool) -> list[Event]:
        text = "".join(self._parts)
        self._parts.clear()
        if self._role is None and not text:
            return []
        for _ in range(1 if is_last else 2):
            if text.endswith("\n"):
                text = text[:-1].removesuffix("\r")
        return [MessageEnded(_message(self._role, text))]


def _message(role: Role | None, text: str) -> Message:
    found = RESULT_LINE.match(text) if role == "user" else None
    if found is None:
        return Message(role, text)
    begin, end, media = found.end(), len(text), list[Media]()
    while (newline := text.rfind("\n", begin - 1, end)) >= 0:
        line = MEDIA_LINE.fullmatch(text, newline + 1, end)
        if line is None:
            break
        media.insert(0, Media(line["id"], line["kind"], line["path"]))
        end = newline
    return Message(role, text[begin:end], found["id"], tuple(media))


def read_messages(text: str) -> list[Message]:
    """The messages of a whole request."""
    stream = RequestStream()
    return [event.message for event in (*stream.feed(text), *stream.close()) if isinstance(event, MessageEnded)]
