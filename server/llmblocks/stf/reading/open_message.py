"""The message under construction, with its calls and resources."""

from __future__ import annotations

from typing import Any, cast

from llmblocks.stf.reading.commands import WaitingCommand
from llmblocks.stf.syntax.arguments import Finds, LinePlace
from llmblocks.stf.syntax.dialect import EmbedType
from llmblocks.stf.values.arguments import call_arguments
from llmblocks.stf.values.messages import EmbedPart, Message, Part, TextPart, ToolCall


class OpenMessage:
    """A message whose content and calls are incomplete.

    `has_line` is whether the text since the last break has a line, so that the next line needs a newline.
    """

    __slots__ = ("calls", "has_line", "message", "parts", "pieces")

    def __init__(self, message: Message) -> None:
        self.message = message
        self.pieces: list[str] = []
        self.has_line = False
        self.parts: list[Part] | None = None
        self.calls: list[ToolCall] = []

    def embed(self, part: EmbedPart) -> None:
        """Append a resource to the content; text after it is a new part."""
        if self.parts is None:
            self.parts = []
        self._end_text(self.parts)
        self.parts.append(part)
        self.has_line = False

    def _end_text(self, parts: list[Part]) -> None:
        # A blank line next to an embed is layout, not a part.
        if text := "".join(self.pieces):
            parts.append(TextPart(text))
        self.pieces = []

    def set_extra(self, value: Any) -> None:
        """Merge `extra` if both are objects, otherwise replace it."""
        message = self.message
        if isinstance(message.extra, dict) and isinstance(value, dict):
            value = {**message.extra, **value}
        message.extra = value
        message.more = {"extra": None} if value is None else None

    def close(self) -> Message:
        """Return the complete message."""
        message = self.message
        if self.parts is None:
            message.content = "".join(self.pieces)
        else:
            self._end_text(self.parts)
            message.content = self.parts
        if self.calls:
            message.tool_calls = self.calls
        return message


def tool_call(waiting: WaitingCommand, text: str, place: LinePlace, report: Finds) -> ToolCall:
    """Return the call of `@call` and its data line, and report a line that is not an object."""
    given = waiting.given
    return ToolCall(given.get("name", ""), call_arguments(text, place, report), given.get("id"), given.get("call_id"))


def embed_part(waiting: WaitingCommand, text: str) -> EmbedPart:
    """Return the part of `@embed` and its data line; an unknown type becomes `file`."""
    given = waiting.given
    more: dict[str, Any] = {
        item.key: item.value for item in waiting.arguments.items if item.key not in ("type", "mime", "data", "url")
    }
    for key in ("name", "format", "file_id"):
        if key in more and key not in given:
            del more[key]
    kind = cast("EmbedType", given.get("type", "file"))
    return EmbedPart(kind, text, given.get("mime"), given.get("data"), more)
