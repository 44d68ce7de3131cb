"""The message that is being read."""

from __future__ import annotations

from typing import Any

from llmblocks.stf.values.messages import EmbedPart, Message, Part, TextPart, ToolCall


class OpenMessage:
    """A message whose content and calls are incomplete.

    Shape: `has_line` tells whether the text since the last break has a line, so that the next one needs a newline.
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
        # A blank line beside an embed is layout, not a part.
        if text := "".join(self.pieces):
            parts.append(TextPart(text))
        self.pieces = []

    def set_extra(self, value: Any) -> None:
        """Merge `extra` if both are objects, else replace it."""
        message = self.message
        if isinstance(message.extra, dict) and isinstance(value, dict):
            value = {**message.extra, **value}
        message.extra = value
        message.more = {"extra": None} if value is None else None

    def close(self) -> Message:
        """The complete message."""
        message = self.message
        if self.parts is None:
            message.content = "".join(self.pieces)
        else:
            self._end_text(self.parts)
            message.content = self.parts
        if self.calls:
            message.tool_calls = self.calls
        return message
