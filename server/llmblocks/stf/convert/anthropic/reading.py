"""Conversion from Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from llmblocks.stf.convert.converted import Converted, Losses, below
from llmblocks.stf.convert.request import as_json, bare, given_messages, is_plain, keep, lose_others, text_or_none
from llmblocks.stf.convert.resources import base64_of
from llmblocks.stf.values.messages import EmbedPart, Json, Message, Part, TextPart, ToolCall, Transcript

_OURS_IN_PARTS = ("type", "text", "url", "data", "mime", "name", "format", "file_id")
_OURS_IN_CALLS = ("arguments", "call_id")
_OF_RESULTS = ("is_error", "cache_control", "toolset_name")
# The order of the blocks in a message, for reading and writing.
_RANKS = {"tool_result": 0, "thinking": 1, "redacted_thinking": 1, "tool_use": 3}
_PARTS = 2
_PLACES = ("results", "reasoning", "content", "calls")


def from_anthropic(request: Mapping[str, Json] | Iterable[Mapping[str, Json]] | object) -> Converted[Transcript]:
    """Convert a request with `messages` and optionally `system` to a transcript.

    Each result in a message becomes a message, and so does the rest of that message. Lost: blocks of other types, the
    keys of a request except `messages` and `system`, the keys of a message except `id`, `role` and `content`, and any
    order of blocks but results, reasoning, content, calls. Dropping a key with the value null is not a loss.

    Args:
        request: A request, a list of messages, or one message, such as an answer; SDK objects are read as their
            `model_dump()`.

    Raises:
        TypeError: The argument has another type.
        ValueError: A message has no role.
    """
    losses = Losses()
    given = given_messages(request, "from_anthropic")
    messages = _system(given.others.get("system"), losses)
    lose_others(
        given.others, ("system",), "a transcript has messages only: this key of the request is left out", "", losses
    )
    for index, value in enumerate(given.messages):
        if is_plain(value):
            messages.append(Message(value["role"], value["content"]))
        else:
            messages += _AnthropicReader(given.path(index), losses).message(value)
    return losses.converted(Transcript(messages))


def _system(system: Any, losses: Losses) -> list[Message]:
    if isinstance(system, str):
        return [Message("system", system)]
    if not isinstance(system, list):
        if system is not None:
            losses.add("system", "a system prompt is text or a list of blocks: it is left out")
        return []
    parts = [_part(block, f"system[{index}]", losses) for index, block in enumerate(system)]
    return [Message("system", bare([part])) for part in parts if part is not None]


class _AnthropicReader:
    """Sorts the blocks of one message."""

    def __init__(self, path: str, losses: Losses) -> None:
        self.path = path
        self.losses = losses
        self.results: list[Message] = []
        self.reasoning: list[Part] = []
        self.parts: list[Part] = []
        self.calls: list[ToolCall] = []

    def message(self, value: dict[str, Any]) -> list[Message]:
        losses, role, id_ = self.losses, value["role"], value.get("id")
        known = ("role", "content", "id") if isinstance(id_, str) else ("role", "content")
        known = (*known, "type") if value.get("type") == "message" else known
        lose_others(value, known, "a message of a transcript has no such key: it is left out", self.path, losses)
        message = Message(role, id=id_ if isinstance(id_, str) else None)
        content, at = value.get("content"), below(self.path, "content")
        if isinstance(content, str):
            message.content = content
            return [message]
        if not isinstance(content, list):
            losses.add(at, "a content is text or a list: it is empty text")
            return [message]
        furthest = 0
        for index, block in enumerate(content):
            rank = self._block(block, f"{at}[{index}]")
            if rank is not None and rank < furthest:
                before = " and ".join(_PLACES[rank + 1 : furthest + 1])
                losses.add(f"{at}[{index}]", f"{_PLACES[rank]} come before {before}: this block moves there")
            furthest = furthest if rank is None else max(furthest, rank)
        if self.results and not (self.parts or self.calls or self.reasoning):
            if message.id is not None:
                losses.add(below(self.path, "id"), "each result becomes a message: their common id is left out")
            if role != "user":
                losses.add(below(self.path, "role"), f"results are messages of the tool, not of {role!r}")
            return self.results
        message.content = bare(self.parts) if self.calls or self.reasoning or not self.parts else self.parts
        message.reasoning = self.reasoning or None
        message.tool_calls = self.calls or None
        return [*self.results, message]

    def _block(self, block: Any, path: str) -> int | None:
        """Read a block and return its rank; None if it is dropped."""
        kind = block.get("type") if isinstance(block, dict) else None
        losses = self.losses
        if kind == "tool_result":
            self.results.append(_result(block, path, losses))
        elif kind == "tool_use" and isinstance(block.get("name"), str):
            self.calls.append(_call(block, path, losses))
        elif kind == "thinking" and isinstance(block.get("thinking"), str):
            more = keep({}, block, ("type", "thinking"), (*_OURS_IN_PARTS, "redacted_thinking"), path, losses)
            self.reasoning.append(TextPart(block["thinking"], more))
        elif kind == "redacted_thinking" and isinstance(block.get("data"), str):
            more = {"redacted_thinking": block["data"]}
            keep(more, block, ("type", "data"), (*_OURS_IN_PARTS, "signature"), path, losses)
            self.reasoning.append(TextPart("", more))
        elif (part := _part(block, path, losses)) is not None:
            self.parts.append(part)
        else:
            return None
        return _RANKS.get(str(kind), _PARTS)


def _call(block: dict[str, Any], path: str, losses: Losses) -> ToolCall:
    given = block.get("input", {})
    if not isinstance(given, dict):
        losses.add(f"{path}.input", "the input of a tool is an object: this value is written as JSON")
    id_ = text_or_none(block, "id", path, losses)
    more = keep({}, block, ("type", "id", "name", "input"), _OURS_IN_CALLS, path, losses)
    return ToolCall(block["name"], as_json(given), id_, more=more)


def _result(block: dict[str, Any], path: str, losses: Losses) -> Message:
    message = Message("tool", call_id=text_or_none(block, "tool_use_id", path, losses))
    content = block.get("content")
    if isinstance(content, list):
        parts = [_part(part, f"{path}.content[{index}]", losses) for index, part in enumerate(content)]
        message.content = [part for part in parts if part is not None]
    elif isinstance(content, str):
        message.content = content
    elif content is not None:
        losses.add(f"{path}.content", "a content is text or a list: it is left out")
    known = ("type", "tool_use_id", "content", *_OF_RESULTS)
    lose_others(block, known, "tool messages have no {}: it is left out", path, losses)
    message.more = {key: item for key, item in block.items() if key in _OF_RESULTS and item is not None} or None
    return message


def _part(block: Any, path: str, losses: Losses) -> Part | None:
    kind = block.get("type") if isinstance(block, dict) else None
    if kind == "text" and isinstance(block.get("text"), str):
        return TextPart(block["text"], keep({}, block, ("type", "text"), ("url", "data", "mime"), path, losses))
    source = block.get("source") if kind in ("image", "document") else None
    read = _source(source, kind == "image") if isinstance(source, dict) else None
    if read is None or not isinstance(source, dict):
        such = "" if source is None else " with such a source"
        losses.add(path, f"a transcript has no parts of the type {kind!r}{such}: it is left out")
        return None
    part, held = read
    lose_others(source, ("type", *held), "this source has no {}: it is left out", f"{path}.source", losses)
    if kind == "document" and isinstance(block.get("title"), str):
        part.more["name"] = block["title"]
    known = ("type", "source", "title") if "name" in part.more else ("type", "source")
    keep(part.more, block, known, _OURS_IN_PARTS, path, losses)
    return part


def _source(source: dict[str, Any], is_image: bool) -> tuple[EmbedPart, tuple[str, ...]] | None:
    """Return the part of a source, and the keys that it uses; None for an unsupported source."""
    part = EmbedPart("image" if is_image else "file")
    kind, data = source.get("type"), source.get("data")
    mime, url, file_id = source.get("media_type"), source.get("url"), source.get("file_id")
    if kind == "base64" and isinstance(data, str) and isinstance(mime, str):
        part.data, part.mime = data, mime
        return part, ("data", "media_type")
    if kind == "text" and isinstance(data, str) and mime == "text/plain":
        part.data, part.mime = base64_of(data), "text/plain"
        return part, ("data", "media_type")
    if kind == "url" and isinstance(url, str):
        part.url = url
        return part, ("url",)
    if kind == "file" and isinstance(file_id, str):
        part.more["file_id"] = file_id
        return part, ("file_id",)
    return None
