"""Conversion to Anthropic's Messages API."""

from __future__ import annotations

import json
import math
from typing import Any

from llmblocks.stf.convert.anthropic import accepted
from llmblocks.stf.convert.calls import CallIds, tool_name
from llmblocks.stf.convert.characters import in_characters, is_ascii
from llmblocks.stf.convert.converted import Converted, Losses
from llmblocks.stf.convert.resources import plain_text_of, resource
from llmblocks.stf.convert.shapes import carried
from llmblocks.stf.values.messages import Content, EmbedPart, Json, Message, TextPart, ToolCall, Transcript
from llmblocks.stf.values.valid import check_transcript

_SPEAKERS = ("user", "assistant")


def to_anthropic(transcript: Transcript) -> Converted[dict[str, Json]]:
    """Return the `system` and `messages` of a request, without anything that the service rejects.

    System messages at the beginning become `system`, tool messages become results, calls become `tool_use` blocks.
    Lost: `id`, `name`, `extra`, `refusal`, metadata, unknown keys, recordings, resources outside user and tool
    messages, other roles, the position of system messages between a call and its results, reasoning without a
    signature, blank text; each is in `lost`.

    Raises:
        TypeError: The argument has another type.
        ValueError: A field has the wrong type; the message names the field.
    """
    plain = check_transcript(transcript, "to_anthropic")
    losses = Losses()
    if transcript.has_metadata:
        losses.add("metadata", "the metadata of a request has another meaning: it is left out")
    system: list[list[Json]] = []
    messages: list[dict[str, Json]] = []
    results: list[Json] | None = None
    # System messages that wait for the results of a turn, which follow its calls directly, with their paths.
    waiting: list[tuple[str, dict[str, Json]]] = []
    ids = CallIds(transcript, accepted.CALL_ID)
    for index, message in enumerate(transcript.messages):
        role = message.role
        if role in _SPEAKERS and plain[index] and is_ascii(message.content) and message.content.strip():
            if role == "assistant":
                ids.turn()
            messages += _let_go(waiting)
            messages.append({"role": role, "content": message.content})
            results = None
            continue
        path = f"messages[{index}]"
        answered = ids.result(message, path, losses) if role == "tool" else None
        _lose_fields(message, path, losses)
        if role in ("system", "developer"):
            texts = in_characters(_system(message, path, losses), path, losses)
            if not messages:
                system.append(texts)
            elif texts:
                content = message.content if isinstance(message.content, str) else texts
                late: dict[str, Json] = {"role": "system", "content": in_characters(content, path, Losses())}
                if results is not None or _calls(messages[-1]):
                    waiting.append((path, late))
                else:
                    messages.append(late)
            else:
                losses.add(path, "a message needs content: it is left out")
        elif answered is not None:
            # The results of one turn belong in one message, even if dropped messages separate them.
            if results is None:
                results = []
                messages.append({"role": "user", "content": results})
            for moved in waiting:
                if moved[0]:
                    losses.add(
                        moved[0], "the results of a turn must directly follow its calls: this message moves after them"
                    )
            waiting = [("", late) for _, late in waiting]
            results.append(in_characters(_result(message, answered, path, losses), path, losses))
        else:
            if role == "assistant":
                ids.turn()
            content = in_characters(_content(message, path, ids, losses), path, losses)
            if role == "tool":
                losses.add(f"{path}.role", "no call waits for this result: it becomes a user message")
                role = "user"
            elif role not in ("user", "assistant"):
                losses.add(f"{path}.role", f"role {role!r} does not exist: replaced by 'user'")
                role = "user"
            if content:
                messages += _let_go(waiting)
                messages.append({"role": role, "content": content})
                results = None
            else:
                losses.add(path, "a message needs content: it is left out")
    messages += _let_go(waiting)
    if not messages:
        losses.add("messages", "a request needs a message: the service refuses this one")
    out: dict[str, Json] = {"messages": messages}
    texts = [block for blocks in system for block in blocks]
    if len(texts) == 1 and texts[0].keys() == {"type", "text"}:
        out["system"] = texts[0]["text"]
    elif texts:
        out["system"] = texts
    return losses.converted(out)


def _lose_fields(message: Message, path: str, losses: Losses) -> None:
    for key in ("id", "name", "refusal", "extra"):
        if getattr(message, key) is not None:
            losses.add(f"{path}.{key}", f"messages have no {key}: it is left out")
    if message.extra is None and "extra" in (message.more or {}):
        losses.add(f"{path}.extra", "messages have no extra: it is left out")
    if message.role != "tool":
        carried(message.more or {}, {}, "a message", path, losses)
        if message.call_id is not None:
            losses.add(f"{path}.call_id", "only tool messages answer a call: it is left out")
    if message.role != "assistant":
        if message.tool_calls:
            losses.add(f"{path}.tool_calls", "only assistant messages call tools: they are left out")
        if message.reasoning is not None:
            losses.add(f"{path}.reasoning", "only assistant messages have reasoning: it is left out")


def _let_go(waiting: list[tuple[str, dict[str, Json]]]) -> list[dict[str, Json]]:
    """Return the waiting messages, and clear the list."""
    found = [message for _, message in waiting]
    waiting.clear()
    return found


def _calls(message: dict[str, Json]) -> bool:
    """Return whether a message ends with calls, which wait for their results."""
    content = message["content"]
    return isinstance(content, list) and bool(content) and content[-1].get("type") == "tool_use"


def _system(message: Message, path: str, losses: Losses) -> list[Json]:
    if message.role == "developer":
        losses.add(f"{path}.role", "role 'developer' does not exist: replaced by 'system'")
    return _blocks(message.content, (), f"{path}.content", losses)


def _result(message: Message, call_id: str, path: str, losses: Losses) -> dict[str, Json]:
    content = message.content
    if not isinstance(content, str):
        # The service rejects an empty list.
        content = _blocks(content, accepted.EMBEDS["tool"], f"{path}.content", losses) or ""
    more = carried(message.more or {}, accepted.RESULT, "a result", path, losses)
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def _content(message: Message, path: str, ids: CallIds, losses: Losses) -> Json:
    is_assistant = message.role == "assistant"
    kinds = () if is_assistant else accepted.EMBEDS["user"]
    blocks = _blocks(message.content, kinds, f"{path}.content", losses)
    if not is_assistant:
        if message.role == "tool":
            carried(message.more or {}, {}, "a message", path, losses)
        return message.content if isinstance(message.content, str) and blocks else blocks
    before = _thinking(message.reasoning, f"{path}.reasoning", losses)
    calls = [
        _use(call, f"{path}.tool_calls[{index}]", ids, losses) for index, call in enumerate(message.tool_calls or [])
    ]
    if isinstance(message.content, str) and blocks and not before and not calls:
        return message.content
    return [*before, *blocks, *calls]


def _thinking(reasoning: Content | None, path: str, losses: Losses) -> list[Json]:
    if isinstance(reasoning, str):
        losses.add(path, "thinking needs a signature: reasoning without one is left out")
        return []
    blocks: list[Json] = []
    for index, part in enumerate(reasoning or []):
        at = f"{path}[{index}]"
        block, known = None, ""
        signature = part.more.get("signature")
        if isinstance(part, TextPart) and isinstance(signature, str) and signature:
            known = "signature"
            block = {"type": "thinking", "thinking": part.text, "signature": signature}
        elif isinstance(part, TextPart) and isinstance(part.more.get("redacted_thinking"), str):
            known = "redacted_thinking"
            block = {"type": "redacted_thinking", "data": part.more["redacted_thinking"]}
            if part.text:
                losses.add(f"{at}.text", "redacted thinking has no text: it is left out")
        if block is None:
            losses.add(at, "thinking needs a signature: reasoning without one is left out")
        else:
            blocks.append(block)
            rest = {key: item for key, item in part.more.items() if key != known}
            carried(rest, {}, "a block of thinking", at, losses)
    return blocks


def _blocks(content: Content, kinds: tuple[str, ...], path: str, losses: Losses) -> list[Json]:
    if isinstance(content, str):
        written = _text(TextPart(content), path, losses)
        return [] if written is None else [written]
    blocks = []
    for index, part in enumerate(content):
        at = f"{path}[{index}]"
        if isinstance(part, TextPart):
            block = _text(part, at, losses)
        elif part.type not in kinds:
            losses.add(at, f"these messages hold no {part.type}: it is left out")
            continue
        else:
            block = _embed(part, at, losses)
        if block is not None:
            blocks.append(block)
    return blocks


def _text(part: TextPart, path: str, losses: Losses) -> dict[str, Json] | None:
    # The service rejects blank text.
    if part.text.strip():
        return {"type": "text", "text": part.text, **carried(part.more, accepted.TEXT, "text", path, losses)}
    if part.text or part.more:
        losses.add(path, "the service refuses blank text: it is left out")
    return None


def _embed(part: EmbedPart, path: str, losses: Losses) -> dict[str, Json] | None:
    found = resource(part, path, losses, ("data", "file_id", "url"), ("https://",))
    if found is None:
        return None
    source: dict[str, Json] = {"type": "base64", "media_type": found.mime, "data": found.value}
    more = dict(part.more)
    if isinstance(more.get("file_id"), str):
        del more["file_id"]
    if found.source != "data":
        source = {"type": "file" if found.source == "file_id" else "url", found.source: found.value}
    elif part.type != "image" and found.mime != "application/pdf":
        text = plain_text_of(found.value)
        if text is None or not text.strip():
            losses.add(path, f"documents are PDF or text: one of the type {found.mime!r} is left out")
            return None
        if found.mime != "text/plain":
            losses.add(f"{path}.mime", f"the type is 'text/plain' in the request, not {found.mime!r}")
        source = {"type": "text", "media_type": "text/plain", "data": text}
    if part.type == "image":
        return {"type": "image", "source": source, **carried(more, accepted.IMAGE, "an image", path, losses)}
    if isinstance(more.get("name"), str):
        if "title" in more:
            losses.add(f"{path}.title", "a document has one title, its name: this one is left out")
        more["title"] = more.pop("name")
    return {"type": "document", "source": source, **carried(more, accepted.DOCUMENT, "a document", path, losses)}


def _use(call: ToolCall, path: str, ids: CallIds, losses: Losses) -> dict[str, Json]:
    return {
        "type": "tool_use",
        "id": ids.call(call, path, losses),
        "name": tool_name(call.name, accepted.LONGEST_NAME, f"{path}.name", losses),
        "input": _input(call.arguments, f"{path}.arguments", losses),
        **carried(call.more, accepted.CALL, "a use of a tool", path, losses),
    }


def _input(arguments: str, path: str, losses: Losses) -> Json:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            losses.add(path, "a key is given twice: the last one counts")
        return found

    try:
        given = json.loads(arguments, object_pairs_hook=once)
        if isinstance(given, dict):
            return _finite(given, path, losses)
    except (ValueError, RecursionError):
        pass
    if arguments:
        losses.add(path, "the input of a tool is an object: other arguments are left out")
    return {}


def _finite(value: Any, path: str, losses: Losses) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        losses.add(path, f"JSON has no {value}: it is null")
        return None
    if isinstance(value, dict):
        return {key: _finite(item, path, losses) for key, item in value.items()}
    return [_finite(item, path, losses) for item in value] if isinstance(value, list) else value
