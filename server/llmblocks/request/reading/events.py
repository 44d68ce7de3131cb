"""The values in a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from llmblocks.request.syntax.messages import Role


@dataclass(frozen=True, slots=True)
class Media:
    """A picture or a sound that a call returned. Shape: `path` is that of the file it was saved to; None for none."""

    id: str
    kind: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a request.

    Shape: `text` is without the lines around it; for the result of a call, whose id is `result_of`, it is what the
           gadget returned, without the lines about `media`. Text in front of the first header has no role.
    """

    role: Role | None
    text: str
    result_of: str | None = None
    media: tuple[Media, ...] = ()


@dataclass(slots=True)
class MessageStarted:
    """A message begins."""

    role: Role


@dataclass(slots=True)
class Text:
    """A piece of the text of the model, in which calls are."""

    text: str


@dataclass(slots=True)
class MessageEnded:
    """The message is complete."""

    message: Message


Event: TypeAlias = MessageStarted | Text | MessageEnded
"""An event of a `RequestStream`."""
