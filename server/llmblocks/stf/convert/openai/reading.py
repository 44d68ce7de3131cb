"""Conversion from OpenAI's chat completions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from llmblocks.stf.convert.converted import Converted, Losses, below
from llmblocks.stf.convert.request import as_json, bare, given_messages, is_plain, keep, lose_others, text_or_none
from llmblocks.stf.convert.resources import split_data_url
from llmblocks.stf.values.messages import Content, EmbedPart, Json, Message, Part, TextPart, ToolCall, Transcript

_OURS = ("id", "call_id", "reasoning", "extra", "name", "refusal", "tool_calls", "tool_call_id", "role", "content")
_OURS_IN_PARTS = ("type", "text", "url", "data", "mime", "name", "format", "file_id", "detail")
_OURS_IN_CALLS = ("name", "arguments", "call_id", "id", "type", "function")


def from_openai(messages: Iterable[Mapping[str, Json]] | Mapping[str, Json] | object) -> Converted[Transcript]:
    """Convert the messages of a chat completion request, or of its answers, to a transcript.

    Lost: parts and calls of other types, the keys of a request except `messages`, and null content, which becomes empty
    text. Dropping a key with the value null is not a loss.

    Args:
        messages: A list of messages, a request with `messages`, or one message; SDK objects are read as their
            `model_dump()`.

    Raises:
        TypeError: The argument has another type.
        ValueError: A message has no role.
    """
    losses = Losses()
    given = given_messages(messages, "from_openai")
    lose_others(given.others, (), "a transcript has messages only: this key of the request is left out", "", losses)
    read = [
        Message(value["role"], value["content"]) if is_plain(value) else _message(value, given.path(index), losses)
        for index, value in enumerate(given.messages)
    ]
    return losses.converted(Transcript(read))


def _message(value: dict[str, Any], path: str, losses: Losses) -> Message:
    content = value.get("content")
    if content is None and "content" in value:
        losses.add(below(path, "content"), "content is never null: it becomes empty text")
    message = Message(value["role"])
    refusals: list[Part] = []
    message.content = _content(content, below(path, "content"), refusals, losses)
    known = ["role", "content"]
    for theirs, ours in (("name", "name"), ("tool_call_id", "call_id"), ("refusal", "refusal")):
        if isinstance(value.get(theirs), str):
            setattr(message, ours, value[theirs])
            known.append(theirs)
    if refusals:
        if isinstance(message.refusal, str):
            refusals.insert(0, TextPart(message.refusal))
        message.refusal = bare(refusals)
    calls = value.get("tool_calls")
    if isinstance(calls, list):
        known.append("tool_calls")
        read = [_call(call, below(path, f"tool_calls[{index}]"), losses) for index, call in enumerate(calls)]
        message.tool_calls = [call for call in read if call is not None]
    message.more = keep({}, value, known, _OURS, path, losses) or None
    return message


def _content(content: Any, path: str, refusals: list[Part], losses: Losses) -> Content:
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        losses.add(path, "a content is text or a list: it is left out")
        return ""
    parts: list[Part] = []
    for index, part in enumerate(content):
        at = f"{path}[{index}]"
        if isinstance(part, dict) and part.get("type") == "refusal" and isinstance(part.get("refusal"), str):
            refusals.append(TextPart(part["refusal"], keep({}, part, ("type", "refusal"), _OURS_IN_PARTS, at, losses)))
            continue
        read = _part(part, at, losses)
        if read is not None:
            if refusals:
                losses.add(at, "a refusal comes after the content: this part moves before it")
            parts.append(read)
    return parts


def _part(part: Any, path: str, losses: Losses) -> Part | None:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind == "text" and isinstance(part.get("text"), str):
        return TextPart(part["text"], keep({}, part, ("type", "text"), ("url", "data", "mime"), path, losses))
    inner = part.get(kind) if isinstance(kind, str) else None
    if kind == "image_url" and isinstance(inner, str):
        inner = {"url": inner}
    read: EmbedPart | None = None
    if isinstance(inner, dict):
        more: dict[str, Json] = {}
        known: tuple[str, ...] = ()
        if kind == "image_url" and isinstance(inner.get("url"), str):
            read, known = EmbedPart("image", inner["url"]), ("url", "detail")
            more = _texts(inner, {"detail": "detail"}, f"{path}.{kind}", losses)
        elif kind == "input_audio" and isinstance(inner.get("data"), str):
            read, known = EmbedPart("audio", data=inner["data"]), ("data", "format")
            more = _texts(inner, {"format": "format"}, f"{path}.{kind}", losses)
        elif kind == "file":
            read, known = EmbedPart("file"), ("file_data", "filename", "file_id")
            more = _texts(inner, {"filename": "name", "file_id": "file_id"}, f"{path}.{kind}", losses)
            _file_data(inner.get("file_data"), read, f"{path}.file.file_data", losses)
        if read is not None:
            keep(more, inner, known, _OURS_IN_PARTS, f"{path}.{kind}", losses)
            read.more = keep(more, part, ("type", str(kind)), _OURS_IN_PARTS, path, losses)
            return read
    losses.add(path, f"a transcript has no parts of the type {kind!r}: it is left out")
    return None


def _texts(inner: dict[str, Any], names: dict[str, str], path: str, losses: Losses) -> dict[str, Json]:
    """Return the text keys of a part, under the names of `EmbedPart`."""
    out: dict[str, Json] = {}
    for theirs, ours in names.items():
        value = inner.get(theirs)
        if isinstance(value, str):
            out[ours] = value
        elif value is not None:
            losses.add(f"{path}.{theirs}", f"a {theirs} is text: it is left out")
    return out


def _file_data(value: Any, part: EmbedPart, path: str, losses: Losses) -> None:
    if isinstance(value, str):
        # The service requires a data URL, but many write bare base64.
        split = split_data_url(value)
        part.data = value if split is None else split[1]
        part.mime = None if split is None else split[0] or None
    elif value is not None:
        losses.add(path, "the data of a file is text: it is left out")


def _call(call: Any, path: str, losses: Losses) -> ToolCall | None:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        losses.add(path, "only function calls are supported: it is left out")
        return None
    arguments = function.get("arguments")
    if arguments is not None and not isinstance(arguments, str):
        losses.add(f"{path}.function.arguments", "arguments are the text of an object: this value is written as JSON")
        arguments = as_json(arguments)
    why = "a call has no {!r} in its function: it is left out"
    lose_others(function, ("name", "arguments"), why, f"{path}.function", losses)
    id_ = text_or_none(call, "id", path, losses)
    if call.get("type", "function") != "function":
        losses.add(f"{path}.type", "this is a function call: the type is left out")
    more = keep({}, call, ("type", "function", "id"), _OURS_IN_CALLS, path, losses)
    return ToolCall(function["name"], arguments or "", id_, more=more)
