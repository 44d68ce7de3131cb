"""Transcripts as messages of OpenAI's chat completions, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llmblocks.stf.convert.converted import Converted, Losses, data_url, is_fetchable, rest
from llmblocks.stf.values.messages import (
    Content,
    EmbedPart,
    Json,
    Message,
    Part,
    TextPart,
    ToolCall,
    Transcript,
    content_text,
)

_ROLES = ("system", "developer", "user", "assistant", "tool", "function")


def to_openai(transcript: Transcript) -> Converted[list[dict[str, Json]]]:
    """The `messages` of a chat completion request.

    Lost: `id`, `extra`, `reasoning`, metadata, `call_id` but on tool messages, other roles (they become `user`),
          recordings and files without data; each is in `lost`. Keys that have no field of their own go along as is.
    """
    losses = Losses()
    if transcript.has_metadata:
        losses.add("metadata", "chat messages have no metadata: it is left out")
    messages = [_message(message, f"messages[{index}]", losses) for index, message in enumerate(transcript.messages)]
    return losses.converted(messages)


def from_openai(messages: Sequence[Mapping[str, Json]]) -> Converted[Transcript]:
    """The transcript of the `messages` of a chat completion request, or of the messages of its answers.

    Lost: parts and calls of types that are not ours, and a content of null, which becomes empty text.
    Errors: `ValueError` for what is no message: no object, no role.
    """
    losses = Losses()
    read = [_read_message(message, f"messages[{index}]", losses) for index, message in enumerate(messages)]
    return losses.converted(Transcript(read))


# To OpenAI


def _message(message: Message, path: str, losses: Losses) -> dict[str, Json]:
    role, name = message.role, message.name
    if role not in _ROLES:
        losses.add(f"{path}.role", f"chat messages have no role {role!r}: it is 'user'")
        role = "user"
    out: dict[str, Json] = {"role": role, "content": _content(message.content, f"{path}.content", losses)}
    if name is not None:
        if role == "tool":
            losses.add(f"{path}.name", "tool messages have no name: it is left out")
        else:
            out["name"] = name
    if message.call_id is not None:
        if role == "tool":
            out["tool_call_id"] = message.call_id
        else:
            losses.add(f"{path}.call_id", "only tool messages answer a call: it is left out")
    if message.refusal is not None:
        out["refusal"] = content_text(message.refusal)
        if not isinstance(message.refusal, str):
            losses.add(f"{path}.refusal", "a refusal is text: its parts are put together, and resources left out")
    if message.tool_calls is not None:
        out["tool_calls"] = [
            _call(call, f"{path}.tool_calls[{index}]", losses) for index, call in enumerate(message.tool_calls)
        ]
    for key, value in (("id", message.id), ("reasoning", message.reasoning), ("extra", message.extra)):
        if value is not None:
            losses.add(f"{path}.{key}", f"chat messages have no {key}: it is left out")
    for key, value in (message.more or {}).items():
        if key == "extra":
            losses.add(f"{path}.extra", "chat messages have no extra: it is left out")
        else:
            out.setdefault(key, value)
    return out


def _content(content: Content, path: str, losses: Losses) -> Json:
    if isinstance(content, str):
        return content
    parts = [_part(part, f"{path}[{index}]", losses) for index, part in enumerate(content)]
    return [part for part in parts if part is not None]


def _part(part: Part, path: str, losses: Losses) -> dict[str, Json] | None:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text, **part.more}
    more = dict(part.more)
    if part.type == "image":
        url = part.url
        if url is None and part.data is not None:
            url = data_url(part.mime or "image/png", part.data)
        elif part.data is not None:
            losses.add(f"{path}.data", "an image has a URL or data: the data is left out")
        elif part.mime is not None:
            losses.add(f"{path}.mime", "an image that has a URL has no type: it is left out")
        if url is None:
            losses.add(path, "an image needs a URL or data: it is left out")
            return None
        if not is_fetchable(url):
            losses.add(f"{path}.url", f"{url!r} is no URL that could be fetched: it is kept as it is")
        detail = {"detail": more.pop("detail")} if "detail" in more else {}
        return {"type": "image_url", "image_url": {"url": url, **detail}, **more}
    if part.url is not None:
        losses.add(f"{path}.url", f"{'a recording' if part.type == 'audio' else 'a file'} has no URL: it is left out")
    if part.mime is not None:
        losses.add(f"{path}.mime", "it has no type: it is left out")
    if part.type == "audio":
        if part.data is None:
            losses.add(path, "a recording needs data: it is left out")
            return None
        kind = more.pop("format", None) or (part.mime or "audio/wav").rpartition("/")[2]
        return {"type": "input_audio", "input_audio": {"data": part.data, "format": kind}, **more}
    file: dict[str, Json] = {}
    for ours, theirs in (("file_id", "file_id"), ("name", "filename")):
        if ours in more:
            file[theirs] = more.pop(ours)
    if part.data is not None:
        file["file_data"] = part.data
    if "file_id" not in file and "file_data" not in file:
        losses.add(path, "a file needs data or a file_id: it is left out")
        return None
    return {"type": "file", "file": file, **more}


def _call(call: ToolCall, path: str, losses: Losses) -> dict[str, Json]:
    if call.id is not None and call.call_id is not None and call.id != call.call_id:
        losses.add(f"{path}.call_id", "a call has one id: this one is left out")
    given = call.id if call.id is not None else call.call_id
    out: dict[str, Json] = {} if given is None else {"id": given}
    if given is None:
        losses.add(path, "a call needs an id: the service will refuse it")
    function = {"name": call.name, "arguments": call.arguments}
    return {**out, "type": "function", "function": function, **rest(call.more, "type", "function")}


# From OpenAI


def _read_message(value: Any, path: str, losses: Losses) -> Message:
    if not isinstance(value, Mapping) or not isinstance(value.get("role"), str):
        raise ValueError(f"{path} is no message: it must be an object with a role")
    content = value.get("content")
    if content is None and "content" in value:
        losses.add(f"{path}.content", "there is no content of null: it is empty text")
    message = Message(value["role"], _read_content(content, f"{path}.content", losses))
    known = ["role", "content"]
    for theirs, ours in (("name", "name"), ("tool_call_id", "call_id"), ("refusal", "refusal")):
        if isinstance(value.get(theirs), str):
            setattr(message, ours, value[theirs])
            known.append(theirs)
    calls = value.get("tool_calls")
    if isinstance(calls, list):
        known.append("tool_calls")
        read = [_read_call(call, f"{path}.tool_calls[{index}]", losses) for index, call in enumerate(calls)]
        message.tool_calls = [call for call in read if call is not None]
    # Null says nothing here, and ours have no null in those places.
    more = {key: item for key, item in value.items() if key not in known}
    for key in ("name", "tool_call_id", "refusal", "tool_calls"):
        if more.get(key, "") is None:
            del more[key]
    for key in ("id", "call_id", "reasoning", "extra", "name", "refusal", "tool_calls"):
        if key in more:
            losses.add(f"{path}.{key}", "this key means something else here: it is left out")
            del more[key]
    message.more = more or None
    return message


def _read_content(content: Any, path: str, losses: Losses) -> Content:
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        losses.add(path, "a content is text or a list: it is left out")
        return ""
    parts = [_read_part(part, f"{path}[{index}]", losses) for index, part in enumerate(content)]
    return [part for part in parts if part is not None]


def _read_part(part: Any, path: str, losses: Losses) -> Part | None:
    kind = part.get("type") if isinstance(part, Mapping) else None
    if kind == "text" and isinstance(part.get("text"), str):
        return TextPart(part["text"], rest(part, "type", "text"))
    inner = part.get(kind) if isinstance(kind, str) else None
    if isinstance(inner, Mapping):
        more = rest(part, "type", str(kind))
        if kind == "image_url" and isinstance(inner.get("url"), str):
            return EmbedPart("image", inner["url"], more={**rest(inner, "url"), **more})
        if kind == "input_audio" and isinstance(inner.get("data"), str):
            return EmbedPart("audio", data=inner["data"], more={**rest(inner, "data"), **more})
        if kind == "file":
            named = {"name": inner["filename"]} if "filename" in inner else {}
            data = inner.get("file_data")
            return EmbedPart("file", data=data, more={**named, **rest(inner, "filename", "file_data"), **more})
    losses.add(path, f"there are no parts of the type {kind!r}: it is left out")
    return None


def _read_call(call: Any, path: str, losses: Losses) -> ToolCall | None:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        losses.add(path, "only calls of functions are calls: it is left out")
        return None
    arguments = function.get("arguments")
    return ToolCall(
        function["name"],
        arguments if isinstance(arguments, str) else "",
        call.get("id"),
        more=rest(call, "type", "function", "id"),
    )
