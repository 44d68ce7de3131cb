"""The messages of a request, while its text arrives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from llmblocks.core.chunks import ScannedChunks
from llmblocks.request import scanner
from llmblocks.request.scanner import MEDIA_LINE, RESULT_LINE, RequestScanner, Role


@dataclass(frozen=True, slots=True)
class Media:
    """A picture or a sound that a call returned."""

    id: str
    kind: str
    path: str | None = None
    """The path of the file it was saved to, or None."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a request."""

    role: Role | None
    """Empty for text before the first header."""
    text: str
    """Without the lines around it; for the result of a call, the gadget's output without the lines about `media`."""
    result_of: str | None = None
    """The id of the call whose result this is."""
    media: tuple[Media, ...] = ()


@dataclass(slots=True)
class MessageStarted:
    """A message begins."""

    role: Role


@dataclass(slots=True)
class Text:
    """A piece of the text of the model, which may contain calls."""

    text: str


@dataclass(slots=True)
class MessageEnded:
    """The message is complete."""

    message: Message


Event: TypeAlias = MessageStarted | Text | MessageEnded
"""An event of a `RequestStream`."""


class RequestStream:
    """Reads the requests that llmist writes: `=== ROLE ===`, the text, and an empty line for each message.

    `feed` takes chunks of any size, `close` ends the text; both return events. Never raises for any text.

    Raises:
        ValueError: `feed` is called after `close`.

    Source: `formatLlmRequest` and `addGadgetCallResult` of llmist 18, which escape nothing.
    """

    def __init__(self) -> None:
        self._chunks = ScannedChunks(RequestScanner())
        self._role: Role | None = None
        self._parts: list[str] = []
        self._is_closed = False

    @property
    def held(self) -> str:
        """The text held back: the beginning of a line that may be a header."""
        return self._chunks.held

    @property
    def held_size(self) -> int:
        """The length of the text held back."""
        return len(self.held)

    def feed(self, text: str) -> list[Event]:
        """Read a chunk, and return the events that it completes."""
        if self._is_closed:
            raise ValueError("the stream is closed: use a new RequestStream for another text")
        return self._read(text)

    def close(self) -> list[Event]:
        """End the text, and return the rest of the events."""
        if self._is_closed:
            return []
        self._is_closed = True
        return [*self._read("", final=True), *self._ended(1)]

    def _read(self, chunk: str, *, final: bool = False) -> list[Event]:
        events: list[Event] = []
        for kind, text in self._chunks.take(chunk, final):
            if kind is scanner.ROLE:
                events += self._ended(2)
                self._role = scanner.ROLES[text]
                events.append(MessageStarted(self._role))
            elif kind not in (scanner.SIGN, scanner.LINE_END):
                self._parts.append(text)
                events += [Text(text)] if kind is scanner.TEXT else []
        return events

    def _ended(self, line_ends: int) -> list[Event]:
        """Return the end of the open message, without this many line ends after it."""
        text = "".join(self._parts)
        self._parts.clear()
        if self._role is None and not text:
            return []
        for _ in range(line_ends):
            if text.endswith("\n"):
                text = text[:-1].removesuffix("\r")
        found = RESULT_LINE.match(text) if self._role == "user" else None
        if found is None:
            return [MessageEnded(Message(self._role, text))]
        begin, end, media = found.end(), len(text), list[Media]()
        while (at := text.rfind("\n", begin - 1, end)) >= 0 and (line := MEDIA_LINE.fullmatch(text, at + 1, end)):
            media.insert(0, Media(*line.groups()))
            end = at
        return [MessageEnded(Message(self._role, text[begin:end], found["id"], tuple(media)))]


def read_messages(text: str) -> list[Message]:
    """Return the messages of a whole request."""
    stream = RequestStream()
    return [event.message for event in (*stream.feed(text), *stream.close()) if isinstance(event, MessageEnded)]
