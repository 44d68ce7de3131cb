"""Conversion from and to OpenAI's chat completions. The accepted keys are those of the types of OpenAI's SDK."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from llmblocks.stf.convert.losses import CallIds, Converted, Given, Losses, Shape, as_json, bare, given_messages
from llmblocks.stf.convert.resources import Source, resource, split_data_url
from llmblocks.stf.values.messages import EmbedPart, Json, Message, Part, TextPart, ToolCall, Transcript, content_text
from llmblocks.stf.values.shape import check_transcript

ROLES: Final = ("system", "developer", "user", "assistant", "tool", "function")
_CALL_ID = ".{1,40}"
_LONGEST_NAME = 64
_SOURCES: dict[str, tuple[Source, ...]] = {"image": ("data", "url"), "audio": ("data",), "file": ("data", "file_id")}
_AUDIO_FORMATS = {"audio/wav": "wav", "audio/mpeg": "mp3"}
# Keys of a transcript, which mean something else there than in a request.
_OURS = ("id", "call_id", "reasoning", "extra", "name", "refusal", "tool_calls", "tool_call_id")
_OURS_IN_PARTS = (*Given.in_parts, "detail")
_OURS_IN_CALLS = ("name", "arguments", "call_id", "id")

_MESSAGE: dict[str, Shape] = {"audio": {"id": str}, "function_call": {"arguments": str, "name": str}}
"""The keys of messages of the assistant without a field in `Message`."""
_PART: dict[str, Shape] = {"prompt_cache_breakpoint": {"mode": "explicit", "ttl?": ("30m", "12h")}}
_IMAGE: dict[str, Shape] = {**_PART, "detail": ("auto", "low", "high", "original")}


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
    listed, others = given_messages(messages, "from_openai")
    others.lose("a transcript has messages only: this key of the request is left out")
    return others.losses.converted(Transcript([_read_message(value, losses) for value, losses in listed]))


def _read_message(value: dict[str, Any], losses: Losses) -> Message:
    if value.get("content", "") is None:
        losses.add("content is never null: it becomes empty text", "content")
    given, refusals = Given(value, losses), list[Part]()

    def read_part(part: Given, kind: str | None) -> Part | None:
        if kind == "refusal" and (refusal := part.take("refusal")) is not None:
            refusals.append(TextPart(refusal, part.keep(_OURS_IN_PARTS)))
            return None
        read = _read_part(part, kind)
        if read is not None and refusals:
            part.losses.add("a refusal comes after the content: this part moves before it")
        return read

    message = Message(given.take("role"), given.parts("content", read_part))
    message.name, message.call_id, message.refusal = map(given.take, ("name", "tool_call_id", "refusal"))
    if refusals:
        first: list[Part] = [TextPart(message.refusal)] if isinstance(message.refusal, str) else []
        message.refusal = bare(first + refusals)
    if (calls := given.take("tool_calls", list)) is not None:
        read = [_read_call(call, losses.at("tool_calls", index)) for index, call in enumerate(calls)]
        message.tool_calls = [call for call in read if call is not None]
    message.more = given.keep(_OURS) or None
    return message


def _read_part(given: Given, kind: str | None) -> Part | None:
    if kind == "text" and (text := given.take("text")) is not None:
        return TextPart(text, given.keep(Given.in_texts))
    found = given.rest.pop(str(kind), None)
    if kind == "image_url" and isinstance(found, str):
        found = {"url": found}
    inner = Given(found, given.losses.at(str(kind)))
    read, names = None, {"detail": "detail"}
    if kind == "image_url" and (url := inner.take("url")) is not None:
        read = EmbedPart("image", url)
    elif kind == "input_audio" and (data := inner.take("data")) is not None:
        read, names = EmbedPart("audio", data=data), {"format": "format"}
    elif kind == "file" and isinstance(found, dict):
        read, names = EmbedPart("file"), {"filename": "name", "file_id": "file_id"}
        if (data := inner.take("file_data")) is not None:
            # The service requires a data URL, but many write bare base64.
            mime, read.data = split_data_url(data) or (None, data)
            read.mime = mime or None
    if read is None:
        given.losses.add(f"a transcript has no parts of the type {kind!r}: it is left out")
        return None
    read.more = {ours: text for theirs, ours in names.items() if (text := inner.take(theirs)) is not None}
    given.keep(_OURS_IN_PARTS, inner.keep(_OURS_IN_PARTS, read.more))
    return read


def _read_call(call: Any, losses: Losses) -> ToolCall | None:
    given = Given(call, losses)
    function = Given(given.rest.pop("function", None), losses.at("function"))
    name = function.take("name")
    if name is None:
        losses.add("only function calls are supported: it is left out")
        return None
    arguments = function.rest.pop("arguments", "")
    if not isinstance(arguments, str):
        function.losses.add("arguments are the text of an object: this value is written as JSON", "arguments")
        arguments = as_json(arguments)
    function.lose("a call has no {!r} in its function: it is left out")
    if given.rest.pop("type", "function") != "function":
        losses.add("this is a function call: the type is left out", "type")
    return ToolCall(name, arguments, given.take("id"), more=given.keep(_OURS_IN_CALLS))


def to_openai(transcript: Transcript) -> Converted[list[dict[str, Json]]]:
    """Return the `messages` of a chat completion request, without anything that the service rejects.

    Lost: `id`, `extra`, `reasoning`, metadata, `call_id` except on tool messages, unknown keys, other roles (they
    become `user`), resources outside user messages, recordings and files without data; each is in `lost`.

    Raises:
        TypeError: The argument has another type.
        ValueError: A field has the wrong type; the message names the field.
    """
    check_transcript(transcript, "to_openai")
    losses = Losses()
    if transcript.has_metadata:
        losses.add("chat messages have no metadata: it is left out", "metadata")
    if not transcript.messages:
        losses.add("a request needs a message: the service refuses this one", "messages")
    ids = CallIds(transcript, _CALL_ID)
    every = [(message, losses.at("messages", index)) for index, message in enumerate(transcript.messages)]
    return losses.converted([at.in_characters(_message(message, ids, at)) for message, at in every])


def _message(message: Message, ids: CallIds, losses: Losses) -> dict[str, Json]:
    role, answered = message.role, None
    if role == "assistant":
        ids.turn()
    elif role == "tool" and (answered := ids.result(message, losses)) is None:
        losses.add("no call waits for this result: it becomes a user message", "role")
        role = "user"
    if role not in ROLES or (role == "function" and not message.name):
        losses.add(f"chat messages have no role {role!r}, or only with a name: it is 'user'", "role")
        role = "user"
    out: dict[str, Json] = {"role": role, "content": _content(message, role, losses.at("content"))}
    if message.name is not None and role == "tool":
        losses.add("tool messages have no name: it is left out", "name")
    elif message.name is not None:
        written = re.sub(r"[\s<|\\/>]", "_", message.name)[:_LONGEST_NAME]
        out |= {"name": written} if written else {}
        if written != message.name or not written:
            losses.add(f"the service does not accept this name: it is {written or 'left out'!r}", "name")
    if answered is not None:
        out["tool_call_id"] = answered
    elif message.call_id is not None:
        losses.add("only tool messages answer a call: it is left out", "call_id")
    if role == "assistant":
        out |= _answer(message, ids, losses)
    else:
        losses.lose_fields(message, ("refusal", "tool_calls"), "only assistant messages have {}: it is left out")
    losses.lose_fields(message, ("id", "reasoning", "extra"), "chat messages have no {}: it is left out")
    accepted = _MESSAGE if role == "assistant" else {}
    return out | losses.carried(message.more or {}, accepted, f"a message of the role {role!r}")


def _answer(message: Message, ids: CallIds, losses: Losses) -> dict[str, Json]:
    out: dict[str, Json] = {}
    if message.refusal is not None:
        out["refusal"] = content_text(message.refusal)
        if not isinstance(message.refusal, str):
            losses.add("a refusal is text: its parts are put together, and resources left out", "refusal")
    if message.tool_calls == []:
        losses.add("the service refuses an empty list of calls: it is left out", "tool_calls")
    for index, call in enumerate(message.tool_calls or ()):
        at = losses.at("tool_calls", index)
        written = {"id": ids.call(call, at), "type": "function"}
        function = {"name": at.tool_name(call.name, _LONGEST_NAME), "arguments": call.arguments}
        out.setdefault("tool_calls", []).append(written | {"function": function} | at.carried(call.more, {}, "a call"))
    return out


def _content(message: Message, role: str, losses: Losses) -> Json:
    if isinstance(message.content, str):
        return message.content
    parts = [_part(part, role, losses.at(index)) for index, part in enumerate(message.content)]
    written = [part for part in parts if part is not None]
    if role == "function":
        if any(set(part) - {"type", "text"} for part in written) or len(written) > 1:
            losses.add("the content of a function message is text: its parts are put together")
        return "".join(part["text"] for part in written)
    # The service rejects an empty list.
    return written or ""


def _part(part: Part, role: str, losses: Losses) -> dict[str, Json] | None:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text, **losses.carried(part.more, _PART, "a part")}
    if role != "user":
        losses.add("only user messages hold resources: it is left out")
        return None
    return _embed(part, losses)


def _embed(part: EmbedPart, losses: Losses) -> dict[str, Json] | None:
    found = resource(part, losses, _SOURCES[part.type], ("http://", "https://"))
    if found is None:
        return None
    more, url = found.more, f"data:{found.mime};base64,{found.value}"
    if part.type == "image":
        more = losses.carried(more, _IMAGE, "an image")
        detail = {"detail": more.pop("detail")} if "detail" in more else {}
        url = found.value if found.source == "url" else url
        return {"type": "image_url", "image_url": {"url": url, **detail}, **more}
    if part.type == "file":
        name = {"filename": more.pop("name")} if "name" in more else {}
        file = {"file_id": found.value} if found.source == "file_id" else {"file_data": url}
        return {"type": "file", "file": file | name, **losses.carried(more, _PART, "a file")}
    wanted, of_type = more.pop("format", None), _AUDIO_FORMATS.get(found.mime)
    kind = wanted if wanted in ("wav", "mp3") else of_type
    if kind is None:
        losses.add(f"recordings are wav or mp3: one of the type {found.mime!r} is left out")
        return None
    if wanted not in (None, kind):
        losses.add(f"the format is {kind!r} in the request", "format")
    if part.mime is not None and of_type != kind:
        losses.add(f"the format is {kind!r} in the request: the type is left out", "mime")
    audio = {"data": found.value, "format": kind}
    return {"type": "input_audio", "input_audio": audio, **losses.carried(more, _PART, "a recording")}
