"""Transcripts as requests of Anthropic's Messages API, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from llmblocks.stf.convert.converted import Converted, Losses, is_fetchable, rest, split_data_url
from llmblocks.stf.values.messages import Content, EmbedPart, Json, Message, Part, TextPart, ToolCall, Transcript

_MIME = {"image": "image/png", "file": "application/pdf"}
_EMBEDS = {"image": "image", "file": "document"}


def to_anthropic(transcript: Transcript) -> Converted[dict[str, Json]]:
    """The `system` and `messages` of a request: tool messages become results, calls become uses of tools.

    Lost: `id`, `name`, `extra`, `refusal`, metadata, keys that have no field, recordings, roles that are not theirs,
          the place of system messages that are not at the beginning, reasoning without a signature; each is in `lost`.
    """
    losses = Losses()
    if transcript.has_metadata:
        losses.add("metadata", "the metadata of a request is another thing: it is left out")
    system: list[Json] = []
    messages: list[dict[str, Json]] = []
    results: list[Json] | None = None
    for index, message in enumerate(transcript.messages):
        path = f"messages[{index}]"
        _tell_fields(message, path, losses)
        if message.role in ("system", "developer"):
            system.append(_system(message, path, bool(messages), losses))
        elif message.role == "tool":
            # The results of one turn belong into one message.
            if results is None:
                results = []
                messages.append({"role": "user", "content": results})
            results.append(_result(message, path, losses))
            continue
        else:
            role = message.role
            if role not in ("user", "assistant"):
                losses.add(f"{path}.role", f"there is no role {role!r}: it is 'user'")
                role = "user"
            messages.append({"role": role, "content": _content(message, path, losses)})
        results = None
    out: dict[str, Json] = {"messages": messages}
    if len(system) == 1 and isinstance(system[0], str):
        out["system"] = system[0]
    elif system:
        out["system"] = [block for item in system for block in _blocks_of(item)]
    return losses.converted(out)


def from_anthropic(request: Mapping[str, Json]) -> Converted[Transcript]:
    """The transcript of a request, or of anything that has `messages` and perhaps `system`.

    Lost: blocks of types that are not ours, and the keys of messages other than `role` and `content` that mean
          something else here; the order of text and calls within a message: calls come last.
    Errors: `ValueError` for what is no request: no list of messages, a message without a role.
    """
    losses = Losses()
    listed = request.get("messages")
    if not isinstance(listed, list):
        raise ValueError("this is no request: it must be an object with a list of messages")
    messages: list[Message] = []
    system = request.get("system")
    if isinstance(system, str):
        messages.append(Message("system", system))
    elif isinstance(system, list):
        for index, block in enumerate(system):
            part = _read_block(block, f"system[{index}]", losses)
            if part is not None:
                bare = isinstance(part, TextPart) and not part.more
                messages.append(Message("system", part.text if bare and isinstance(part, TextPart) else [part]))
    for index, value in enumerate(listed):
        messages += _read_message(value, f"messages[{index}]", losses)
    return losses.converted(Transcript(messages))


# To Anthropic


def _tell_fields(message: Message, path: str, losses: Losses) -> None:
    for key in ("id", "name", "refusal", "extra"):
        if getattr(message, key) is not None:
            losses.add(f"{path}.{key}", f"messages have no {key}: it is left out")
    for key in message.more or ():
        losses.add(f"{path}.{key}", f"messages have no {key}: it is left out")
    if message.call_id is not None and message.role != "tool":
        losses.add(f"{path}.call_id", "only tool messages answer a call: it is left out")
    if message.role != "assistant":
        if message.tool_calls:
            losses.add(f"{path}.tool_calls", "only assistant messages call tools: they are left out")
        if message.reasoning is not None:
            losses.add(f"{path}.reasoning", "only assistant messages have reasoning: it is left out")


def _system(message: Message, path: str, late: bool, losses: Losses) -> Json:
    if message.role == "developer":
        losses.add(f"{path}.role", "there is no role 'developer': it is part of the system prompt")
    if late:
        losses.add(path, "the system prompt comes first: this message moves there")
    return message.content if isinstance(message.content, str) else _parts(message.content, f"{path}.content", losses)


def _blocks_of(content: Json) -> list[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _content(message: Message, path: str, losses: Losses) -> Json:
    blocks: list[Json] = []
    if message.role == "assistant":
        blocks += _thinking(message.reasoning, f"{path}.reasoning", losses)
    calls = message.tool_calls or [] if message.role == "assistant" else []
    if isinstance(message.content, str):
        if not blocks and not calls:
            return message.content
        if message.content:
            blocks.append({"type": "text", "text": message.content})
    else:
        blocks += _parts(message.content, f"{path}.content", losses)
    blocks += [_use(call, f"{path}.tool_calls[{index}]", losses) for index, call in enumerate(calls)]
    return blocks


def _thinking(reasoning: Content | None, path: str, losses: Losses) -> list[Json]:
    if reasoning is None:
        return []
    blocks: list[Json] = []
    for part in [TextPart(reasoning)] if isinstance(reasoning, str) else reasoning:
        if isinstance(part, TextPart) and "signature" in part.more:
            blocks.append({"type": "thinking", "thinking": part.text, **part.more})
        elif isinstance(part, TextPart) and "redacted_thinking" in part.more:
            blocks.append({"type": "redacted_thinking", "data": part.more["redacted_thinking"]})
        else:
            losses.add(path, "thinking needs a signature: reasoning without one is left out")
    return blocks


def _parts(parts: list[Part], path: str, losses: Losses) -> list[Json]:
    blocks = [_block(part, f"{path}[{index}]", losses) for index, part in enumerate(parts)]
    return [block for block in blocks if block is not None]


def _block(part: Part, path: str, losses: Losses) -> dict[str, Json] | None:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text, **part.more}
    if part.type == "audio":
        losses.add(path, "there are no recordings: it is left out")
        return None
    more = dict(part.more)
    if part.type == "file" and "name" in more:
        more["title"] = more.pop("name")
    inline = (part.mime or _MIME[part.type], part.data) if part.data is not None else split_data_url(part.url or "")
    if inline is not None:
        source = {"type": "base64", "media_type": inline[0], "data": inline[1]}
        if part.data is not None and part.url is not None:
            losses.add(f"{path}.url", "a source has data or a URL: the URL is left out")
    elif "file_id" in more:
        source = {"type": "file", "file_id": more.pop("file_id")}
    elif part.url is not None:
        source = {"type": "url", "url": part.url}
        if not is_fetchable(part.url):
            losses.add(f"{path}.url", f"{part.url!r} is no URL that could be fetched: it is kept as it is")
        if part.mime is not None:
            losses.add(f"{path}.mime", "a source that is a URL has no type: it is left out")
    else:
        losses.add(path, "it has no data, no URL and no file_id: it is left out")
        return None
    return {"type": _EMBEDS[part.type], "source": source, **more}


def _use(call: ToolCall, path: str, losses: Losses) -> dict[str, Json]:
    try:
        given = json.loads(call.arguments)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        losses.add(f"{path}.arguments", "the input of a tool is an object: arguments that are none are left out")
        given = {}
    name = call.id if call.id is not None else call.call_id
    if name is None:
        losses.add(path, "a call needs an id: the service will refuse it")
    elif call.call_id not in (None, name):
        losses.add(f"{path}.call_id", "a call has one id: this one is left out")
    return {
        "type": "tool_use",
        **({} if name is None else {"id": name}),
        "name": call.name,
        "input": given,
        **call.more,
    }


def _result(message: Message, path: str, losses: Losses) -> dict[str, Json]:
    if message.call_id is None:
        losses.add(path, "a result needs the id of its call: the service will refuse it")
    content = message.content
    value = content if isinstance(content, str) else _parts(content, f"{path}.content", losses)
    return {"type": "tool_result", "tool_use_id": message.call_id or "", "content": value}


# From Anthropic


def _read_message(value: Any, path: str, losses: Losses) -> list[Message]:
    if not isinstance(value, Mapping) or not isinstance(value.get("role"), str):
        raise ValueError(f"{path} is no message: it must be an object with a role")
    for key in value:
        if key not in ("role", "content"):
            losses.add(f"{path}.{key}", "messages have a role and a content: it is left out")
    content = value.get("content")
    if isinstance(content, str):
        return [Message(value["role"], content)]
    if not isinstance(content, list):
        losses.add(f"{path}.content", "a content is text or a list: it is empty text")
        return [Message(value["role"])]
    results: list[Message] = []
    parts: list[Part] = []
    reasoning: list[Part] = []
    calls: list[ToolCall] = []
    for index, block in enumerate(content):
        at = f"{path}.content[{index}]"
        kind = block.get("type") if isinstance(block, Mapping) else None
        if kind == "tool_result":
            results.append(_read_result(block, at, losses))
        elif kind == "tool_use":
            arguments = json.dumps(block.get("input", {}), ensure_ascii=False, separators=(",", ":"))
            more = rest(block, "type", "id", "name", "input")
            calls.append(ToolCall(str(block.get("name", "")), arguments, block.get("id"), more=more))
        elif kind == "thinking":
            reasoning.append(TextPart(str(block.get("thinking", "")), rest(block, "type", "thinking")))
        elif kind == "redacted_thinking":
            reasoning.append(TextPart("", {"redacted_thinking": block.get("data")}))
        elif (part := _read_block(block, at, losses)) is not None:
            if calls:
                losses.add(at, "calls come after the content: it moves before them")
            parts.append(part)
    if results and not parts and not calls and not reasoning:
        return results
    plain = not parts or (len(parts) == 1 and (calls or reasoning) and isinstance(parts[0], TextPart))
    one = parts[0] if parts else None
    text = one.text if isinstance(one, TextPart) and not one.more else None
    message = Message(value["role"], (text or "") if plain and (text is not None or not parts) else parts)
    message.reasoning = reasoning or None
    message.tool_calls = calls or None
    return [*results, message]


def _read_result(block: Mapping[str, Any], path: str, losses: Losses) -> Message:
    content = block.get("content", "")
    message = Message("tool", call_id=block.get("tool_use_id"))
    if isinstance(content, list):
        parts = [_read_block(part, f"{path}.content[{index}]", losses) for index, part in enumerate(content)]
        message.content = [part for part in parts if part is not None]
    elif isinstance(content, str):
        message.content = content
    for key in rest(block, "type", "tool_use_id", "content"):
        losses.add(f"{path}.{key}", f"tool messages have no {key}: it is left out")
    return message


def _read_block(block: Any, path: str, losses: Losses) -> Part | None:
    kind = block.get("type") if isinstance(block, Mapping) else None
    if kind == "text" and isinstance(block.get("text"), str):
        return TextPart(block["text"], rest(block, "type", "text"))
    source = block.get("source") if kind in ("image", "document") else None
    if isinstance(source, Mapping):
        more = rest(block, "type", "source")
        if kind == "document" and "title" in more:
            more["name"] = more.pop("title")
        ours = "image" if kind == "image" else "file"
        if source.get("type") == "base64":
            return EmbedPart(ours, mime=source.get("media_type"), data=source.get("data"), more=more)  # type: ignore[arg-type]
        if source.get("type") == "url":
            return EmbedPart(ours, source.get("url"), more=more)  # type: ignore[arg-type]
        if source.get("type") == "file":
            return EmbedPart(ours, more={**more, "file_id": source.get("file_id")})  # type: ignore[arg-type]
    losses.add(path, f"there are no parts of the type {kind!r}: it is left out")
    return None
