"""The commands of Simple Text Format: one table for each dialect."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Mode = Literal["message", "line", "block", "end", "flush"]
EmbedType = Literal["audio", "file", "image"]
EMBED_TYPES: tuple[EmbedType, ...] = ("audio", "file", "image")


class Command(NamedTuple):
    """One spelling of a command.

    Source: simple-text-format, "Command"; `meta`, `extra` and `flush` are llm-msg-io's.
    """

    name: str
    """The name in the text."""
    canonical: str
    """The name that it is an alias of (`ai` -> `assistant`)."""
    mode: Mode
    """Its continuation: a new message, one data line, data lines until `end`, or nothing."""
    role: str | None = None
    """The role of the message that it starts; None if the arguments give it."""
    arguments: tuple[str, ...] = ()
    """The keys that it reads."""
    detail: str = ""
    """A sentence for users."""

    @property
    def begins_message(self) -> bool:
        return self.mode == "message" or self.canonical == "raw"


_MESSAGE = ("name", "id", "call_id")


def _role(name: str, role: str) -> Command:
    return Command(name, role, "message", role, _MESSAGE, f"Starts a new message with the role `{role}`.")


_ANY = Command(
    "message",
    "message",
    "message",
    None,
    ("role", *_MESSAGE),
    "Starts a new message; its role defaults to that of the previous message.",
)
_SHARED = (
    _ANY,
    _ANY._replace(name="msg"),
    _role("user", "user"),
    _role("assistant", "assistant"),
    _role("ai", "assistant"),
    _role("system", "system"),
    _role("sys", "system"),
    _role("developer", "developer"),
    _role("dev", "developer"),
    _role("tool", "tool"),
    Command("raw", "raw", "block", detail="Adds the message in the data lines until `end`, in JSON5."),
    Command("end", "end", "end", detail="Ends a block command."),
)
_AT_ONLY = (
    Command(
        "call",
        "call",
        "line",
        None,
        ("name", "id", "call_id"),
        "Adds a tool call to the current message; the next data line is a JSON5 object with its arguments.",
    ),
    Command(
        "embed",
        "embed",
        "line",
        None,
        ("type", "mime"),
        "Adds a resource to the content of the current message; the next data line is its path or URL.",
    ),
)
_SEMICOLON_ONLY = (
    Command("meta", "meta", "block", detail="Sets the metadata of the transcript from JSON5, merging objects."),
    Command("extra", "extra", "block", detail="Sets `extra` of the current message from JSON5, merging objects."),
    Command("flush", "flush", "flush", detail="Ends the current message."),
)


def _table(*groups: tuple[Command, ...]) -> Mapping[str, Command]:
    return MappingProxyType({command.name: command for group in groups for command in group})


AT_COMMANDS = _table(_SHARED, _AT_ONLY)
SEMICOLON_COMMANDS = _table(_SHARED, _SEMICOLON_ONLY)

ARGUMENTS: Mapping[str, str] = MappingProxyType(
    {
        "role": "The role of the message, such as `user`.",
        "name": "The name of the author of the message, or of the tool that is called.",
        "id": "The id of the message or of the call, for references to it.",
        "call_id": "The id of the call that the message answers; of a call, its id at the model's provider.",
        "type": "The kind of the resource: `image`, `audio` or `file`.",
        "mime": "The media type of the resource, such as `image/png`.",
    }
)
"""A sentence about each argument of a command."""
