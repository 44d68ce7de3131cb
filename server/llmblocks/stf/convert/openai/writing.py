"""Conversion to OpenAI's chat completions."""

from __future__ import annotations

import re

from llmblocks.stf.convert.calls import CallIds, tool_name
from llmblocks.stf.convert.characters import in_characters, is_ascii
from llmblocks.stf.convert.converted import Converted, Losses
from llmblocks.stf.convert.openai import accepted
from llmblocks.stf.convert.resources import data_url, resource
from llmblocks.stf.convert.shapes import carried
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
from llmblocks.stf.values.valid import check_transcript

_SPEAKERS = ("user", "assistant", "system", "developer")


def to_openai(transcript: Transcript) -> Converted[list[dict[str, Json]]]:
    """Return the `messages` of a chat completion request, without anything that the service rejects.

    Lost: `id`, `extra`, `reasoning`, metadata, `call_id` except on tool messages, unknown keys, other roles (they
    become `user`), resources outside user messages, recordings and files without data; each is in `lost`.

    Raises:
        TypeError: The argument has another type.
        ValueError: A field has the wrong type; the message names the field.
    """
    plain = check_transcript(transcript, "to_openai")
    losses = Losses()
    if transcript.has_metadata:
        losses.add("metadata", "chat messages have no metadata: it is left out")
    if not transcript.messages:
        losses.add("messages", "a request needs a message: the service refuses this one")
    ids = CallIds(transcript, accepted.CALL_ID)
    messages = []
    for index, message in enumerate(transcript.messages):
        if message.role in _SPEAKERS and plain[index] and is_ascii(message.content):
            if message.role == "assistant":
                ids.turn()
            messages.append({"role": message.role, "content": message.content})
            continue
        path = f"messages[{index}]"
        messages.append(in_characters(_message(message, path, ids, losses), path, losses))
    return losses.converted(messages)


def _message(message: Message, path: str, ids: CallIds, losses: Losses) -> dict[str, Json]:
    role, answered = message.role, None
    if role == "assistant":
        ids.turn()
    elif role == "tool" and (answered := ids.result(message, path, losses)) is None:
        losses.add(f"{path}.role", "no call waits for this result: it becomes a user message")
        role = "user"
    if role not in accepted.ROLES:
        losses.add(f"{path}.role", f"chat messages have no role {role!r}: it is 'user'")
        role = "user"
    elif role == "function" and not message.name:
        losses.add(f"{path}.role", "a function message needs a name: it becomes a user message")
        role = "user"
    out: dict[str, Json] = {"role": role, "content": _content(message.content, role, f"{path}.content", losses)}
    if message.name is not None:
        _name(message.name, role, out, f"{path}.name", losses)
    if answered is not None:
        out["tool_call_id"] = answered
    elif message.call_id is not None:
        losses.add(f"{path}.call_id", "only tool messages answer a call: it is left out")
    _answer(message, role, out, path, ids, losses)
    for key, value in (("id", message.id), ("reasoning", message.reasoning), ("extra", message.extra)):
        if value is not None:
            losses.add(f"{path}.{key}", f"chat messages have no {key}: it is left out")
    more = message.more or {}
    if "extra" in more:
        losses.add(f"{path}.extra", "chat messages have no extra: it is left out")
        more = {key: value for key, value in more.items() if key != "extra"}
    return {**out, **carried(more, accepted.MESSAGE.get(role, {}), f"a message of the role {role!r}", path, losses)}


def _name(name: str, role: str, out: dict[str, Json], path: str, losses: Losses) -> None:
    if role == "tool":
        losses.add(path, "tool messages have no name: it is left out")
        return
    written = re.sub(r"[\s<|\\/>]", "_", name)[: accepted.LONGEST_NAME]
    if written:
        out["name"] = written
    if out.get("name") != name:
        losses.add(path, f"the service does not accept this name: it is {out.get('name', 'left out')!r}")


def _answer(message: Message, role: str, out: dict[str, Json], path: str, ids: CallIds, losses: Losses) -> None:
    """Write the fields of assistant messages: refusals and calls."""
    if role != "assistant":
        if message.refusal is not None:
            losses.add(f"{path}.refusal", "only assistant messages refuse: it is left out")
        if message.tool_calls is not None:
            losses.add(f"{path}.tool_calls", "only assistant messages call tools: they are left out")
        return
    if message.refusal is not None:
        out["refusal"] = content_text(message.refusal)
        if not isinstance(message.refusal, str):
            losses.add(f"{path}.refusal", "a refusal is text: its parts are put together, and resources left out")
    if message.tool_calls:
        out["tool_calls"] = [
            _call(call, f"{path}.tool_calls[{index}]", ids, losses) for index, call in enumerate(message.tool_calls)
        ]
    elif message.tool_calls is not None:
        losses.add(f"{path}.tool_calls", "the service refuses an empty list of calls: it is left out")


def _content(content: Content, role: str, path: str, losses: Losses) -> Json:
    if isinstance(content, str):
        return content
    kinds = accepted.EMBEDS.get(role, ())
    parts = [_part(part, kinds, f"{path}[{index}]", losses) for index, part in enumerate(content)]
    written = [part for part in parts if part is not None]
    if role == "function":
        if any(set(part) - {"type", "text"} for part in written) or len(written) > 1:
            losses.add(path, "the content of a function message is text: its parts are put together")
        return "".join(part["text"] for part in written)
    # The service rejects an empty list.
    return written or ""


def _part(part: Part, kinds: tuple[str, ...], path: str, losses: Losses) -> dict[str, Json] | None:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text, **carried(part.more, accepted.TEXT, "a part", path, losses)}
    if part.type not in kinds:
        losses.add(path, "only user messages hold resources: it is left out")
        return None
    return _WRITE[part.type](part, path, losses)


def _image(part: EmbedPart, path: str, losses: Losses) -> dict[str, Json] | None:
    found = resource(part, path, losses, ("data", "url"), ("http://", "https://"))
    if found is None:
        return None
    url = found.value if found.source == "url" else data_url(found.mime, found.value)
    more = carried(_without(part.more, "file_id"), accepted.IMAGE, "an image", path, losses)
    detail = {"detail": more.pop("detail")} if "detail" in more else {}
    return {"type": "image_url", "image_url": {"url": url, **detail}, **more}


def _audio(part: EmbedPart, path: str, losses: Losses) -> dict[str, Json] | None:
    found = resource(part, path, losses, ("data",), ())
    if found is None:
        return None
    wanted = part.more.get("format")
    kind = wanted if wanted in ("wav", "mp3") else accepted.AUDIO_FORMATS.get(found.mime)
    if kind is None:
        losses.add(path, f"recordings are wav or mp3: one of the type {found.mime!r} is left out")
        return None
    if wanted is not None and wanted != kind:
        losses.add(f"{path}.format", f"the format is {kind!r} in the request")
    if part.mime is not None and accepted.AUDIO_FORMATS.get(found.mime) != kind:
        losses.add(f"{path}.mime", f"the format is {kind!r} in the request: the type is left out")
    more = carried(_without(part.more, "file_id", "format"), accepted.AUDIO, "a recording", path, losses)
    return {"type": "input_audio", "input_audio": {"data": found.value, "format": kind}, **more}


def _file(part: EmbedPart, path: str, losses: Losses) -> dict[str, Json] | None:
    found = resource(part, path, losses, ("data", "file_id"), ())
    if found is None:
        return None
    file = {"file_id": found.value} if found.source == "file_id" else {"file_data": data_url(found.mime, found.value)}
    name = part.more.get("name")
    if isinstance(name, str):
        file["filename"] = name
    known = ("file_id", "name") if isinstance(name, str) else ("file_id",)
    return {"type": "file", "file": file, **carried(_without(part.more, *known), accepted.FILE, "a file", path, losses)}


_WRITE = {"image": _image, "audio": _audio, "file": _file}


def _without(more: dict[str, Json], *known: str) -> dict[str, Json]:
    """Return the remaining keys; a key that is not text has another meaning."""
    return {key: item for key, item in more.items() if key not in known or not isinstance(item, str)}


def _call(call: ToolCall, path: str, ids: CallIds, losses: Losses) -> dict[str, Json]:
    written = ids.call(call, path, losses)
    name = tool_name(call.name, accepted.LONGEST_NAME, f"{path}.name", losses)
    return {
        "id": written,
        "type": "function",
        "function": {"name": name, "arguments": call.arguments},
        **carried(call.more, accepted.CALL, "a call", path, losses),
    }
