"""Messages from plain JSON, with errors in llm-msg-io's wording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from llmblocks.json5.reader import ValuePlace
from llmblocks.stf.syntax.dialect import EMBED_TYPES
from llmblocks.stf.values.messages import Content, EmbedPart, Message, Part, TextPart, ToolCall, Transcript

JsonPath = tuple[str | int, ...]
_MISSING = object()


class Misfit(NamedTuple):
    """A mistake in a value: its path and the requirement."""

    path: JsonPath
    message: str


@dataclass(eq=False, repr=False)
class ShapeError(ValueError):
    """Plain JSON of the wrong shape. `misfits` lists all reasons."""

    misfits: tuple[Misfit, ...]

    def __str__(self) -> str:
        return "; ".join(misfit.message for misfit in self.misfits)


def message_from_dict(value: object) -> Message:
    """Read a message from plain JSON, as written by `Message.as_dict`.

    Raises:
        ShapeError: It names every wrong key.
    """
    shape = _Shape()
    message = shape.message(value, ())
    if shape.misfits:
        raise ShapeError(tuple(shape.misfits))
    return message


def transcript_from_dict(value: object) -> Transcript:
    """Read a transcript from plain JSON: an object with `messages`, or just the list of messages.

    Raises:
        ShapeError: It names every wrong key.
    """
    if isinstance(value, Mapping):
        has_metadata, metadata = "metadata" in value, value.get("metadata")
        listed = value.get("messages", _MISSING)
    else:
        has_metadata, metadata, listed = False, None, value
    path: JsonPath = ("messages",) if isinstance(value, Mapping) else ()
    shape = _Shape()
    for key in value if isinstance(value, Mapping) else ():
        if key not in ("messages", "metadata"):
            message = f"unknown key {key!r}: a transcript has messages and metadata"
            shape.misfits.append(Misfit((key,), message))
    if not isinstance(listed, list):
        shape.wrong(path, "an array", listed)
        listed = []
    messages = [shape.message(item, (*path, index)) for index, item in enumerate(listed)]
    if shape.misfits:
        raise ShapeError(tuple(shape.misfits))
    return Transcript(messages, metadata, null_metadata=has_metadata and metadata is None)


class PathPlaces:
    """The places of the parts of a value, by their paths."""

    def __init__(self, root: ValuePlace) -> None:
        self._root = root
        self._members: dict[int, dict[str | int, ValuePlace]] = {}

    def of(self, path: JsonPath) -> tuple[int, int]:
        """Return the place of the value at a path; if it is missing, the opening of its container."""
        node = self._root
        for key in path:
            members = self._members.get(node.start)
            if members is None:
                members = self._members[node.start] = {name: child for name, _, _, child in node.items}
            if key not in members:
                return node.start, min(node.start + 1, node.end)
            node = members[key]
        return node.start, node.end


def what(value: object) -> str:
    """Return the kind of a value in llm-msg-io's words; for a value that is not JSON, its type."""
    if value is _MISSING:
        return "missing"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, list):
        return "an array"
    return "an object" if isinstance(value, Mapping) else f"of type {type(value).__name__}"


class _Shape:
    """Builds values and collects misfits."""

    def __init__(self) -> None:
        self.misfits: list[Misfit] = []

    def wrong(self, path: JsonPath, must: str, value: object) -> None:
        name = ""
        for key in path:
            name += f"[{key}]" if isinstance(key, int) else f".{key}" if name else key
        self.misfits.append(Misfit(path, f"{name} must be {must} (was {what(value)})".lstrip()))

    def string(
        self, value: Mapping[str, Any], key: str, path: JsonPath, or_absent: str = " or undefined"
    ) -> str | None:
        """Read a string that may be absent."""
        held = value.get(key, _MISSING)
        if isinstance(held, str):
            return held
        if held is not _MISSING:
            self.wrong((*path, key), f"a string{or_absent}", held)
        return None

    def required(self, value: Mapping[str, Any], key: str, path: JsonPath) -> str:
        held = value.get(key, _MISSING)
        if isinstance(held, str):
            return held
        self.wrong((*path, key), "a string", held)
        return ""

    def message(self, value: object, path: JsonPath) -> Message:
        if not isinstance(value, Mapping):
            self.wrong(path, "an object", value)
            return Message("")
        content = value.get("content", _MISSING)
        message = Message(
            role=self.required(value, "role", path),
            content="" if content is _MISSING else self.content(content, (*path, "content")),
            id=self.string(value, "id", path),
            name=self.string(value, "name", path),
            call_id=self.string(value, "call_id", path),
            extra=value.get("extra"),
        )
        more = {k: v for k, v in value.items() if k not in MESSAGE_KEYS}
        if content is _MISSING:
            self.wrong((*path, "content"), "a string or an array", content)
        if "extra" in value and value["extra"] is None:
            more["extra"] = None
        message.more = more or None
        if "reasoning" in value:
            message.reasoning = self.content(value["reasoning"], (*path, "reasoning"))
        if "refusal" in value:
            message.refusal = self.content(value["refusal"], (*path, "refusal"))
        if "tool_calls" in value:
            message.tool_calls = self.calls(value["tool_calls"], (*path, "tool_calls"))
        return message

    def content(self, value: object, path: JsonPath) -> Content:
        if isinstance(value, str):
            return value
        if not isinstance(value, list):
            # The first words are llm-msg-io's, although they make no sense for an object.
            must = "a string or an array" if isinstance(value, Mapping) else "a string or an object"
            self.wrong(path, must, value)
            return ""
        return [self.part(part, (*path, index)) for index, part in enumerate(value)]

    def part(self, value: object, path: JsonPath) -> Part:
        if not isinstance(value, Mapping):
            self.wrong(path, "an object", value)
            return TextPart("")
        kind = value.get("type", _MISSING)
        if kind == "text":
            more = {k: v for k, v in value.items() if k not in ("type", "text")}
            return TextPart(self.required(value, "text", path), more)
        if kind not in EMBED_TYPES:
            self.wrong((*path, "type"), '"text", "audio", "file" or "image"', kind)
            if isinstance(kind, str):
                misfit = self.misfits.pop()
                self.misfits.append(misfit._replace(message=misfit.message.replace("was a string", f'was "{kind}"')))
            return TextPart("")
        for key in ("name", "format", "file_id"):
            self.string(value, key, path, "")
        part = EmbedPart(
            type=kind,
            url=self.string(value, "url", path, ""),
            data=self.string(value, "data", path, ""),
            more={k: v for k, v in value.items() if k not in _EMBED_KEYS},
        )
        # llm-msg-io has no `mime`, so it accepts any value there.
        if isinstance(part.more.get("mime"), str):
            part.mime = part.more.pop("mime")
        return part

    def calls(self, value: object, path: JsonPath) -> list[ToolCall]:
        if not isinstance(value, list):
            self.wrong(path, "an array", value)
            return []
        return [self.call(call, (*path, index)) for index, call in enumerate(value)]

    def call(self, value: object, path: JsonPath) -> ToolCall:
        if not isinstance(value, Mapping):
            self.wrong(path, "an object", value)
            return ToolCall("", "")
        return ToolCall(
            name=self.required(value, "name", path),
            arguments=self.required(value, "arguments", path),
            id=self.string(value, "id", path, ""),
            call_id=self.string(value, "call_id", path, ""),
            more={k: v for k, v in value.items() if k not in _CALL_KEYS},
        )


MESSAGE_KEYS = frozenset(("role", "content", "id", "name", "call_id", "reasoning", "refusal", "tool_calls", "extra"))
_EMBED_KEYS = frozenset(("type", "url", "data"))
_CALL_KEYS = frozenset(("name", "arguments", "id", "call_id"))
