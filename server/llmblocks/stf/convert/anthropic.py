"""Conversion from and to Anthropic's Messages API. The accepted keys are those of the types of Anthropic's SDK."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from llmblocks.stf.convert.calls import CallIds, tool_name
from llmblocks.stf.convert.converted import Converted, Losses
from llmblocks.stf.convert.request import Given, as_json, bare, given_messages
from llmblocks.stf.convert.resources import resource
from llmblocks.stf.convert.shapes import Shape, carried
from llmblocks.stf.values.messages import Content, EmbedPart, Json, Message, Part, TextPart, ToolCall, Transcript
from llmblocks.stf.values.shape import check_transcript

_CALL_ID = "[a-zA-Z0-9_-]+"
_LONGEST_NAME = 128
# Keys of a transcript, which mean something else there than in a request.
_OURS_IN_TEXTS = ("url", "data", "mime")
_OURS_IN_PARTS = ("type", "text", *_OURS_IN_TEXTS, "name", "format", "file_id")
_OURS_IN_CALLS = ("arguments", "call_id", "id")
# The order of the blocks in a message, for reading and writing.
_RANKS = {"tool_result": 0, "thinking": 1, "redacted_thinking": 1, "tool_use": 3}
_PARTS = 2
_PLACES = ("results", "reasoning", "content", "calls")

_TEXT_OR_NULL: Shape = (str, type(None))
_DOCUMENT: dict[str, Shape] = {"cited_text": str, "document_index": int, "document_title": _TEXT_OR_NULL}
_CITATION: Shape = (
    {"type": "char_location", **_DOCUMENT, "start_char_index": int, "end_char_index": int},
    {"type": "page_location", **_DOCUMENT, "start_page_number": int, "end_page_number": int},
    {"type": "content_block_location", **_DOCUMENT, "start_block_index": int, "end_block_index": int},
    {
        "type": "web_search_result_location",
        "cited_text": str,
        "encrypted_index": str,
        "title": _TEXT_OR_NULL,
        "url": str,
    },
    {
        "type": "search_result_location",
        "cited_text": str,
        "search_result_index": int,
        "source": str,
        "title": _TEXT_OR_NULL,
        "start_block_index": int,
        "end_block_index": int,
    },
)
_CALLER: Shape = (
    {"type": "direct"},
    {"type": ("code_execution_20250825", "code_execution_20260120"), "tool_id": str},
)
_CACHED: dict[str, Shape] = {"cache_control": {"type": "ephemeral", "ttl?": ("5m", "1h")}}
_TEXT: dict[str, Shape] = {**_CACHED, "citations": [_CITATION]}
_IMAGE: dict[str, Shape] = {**_CACHED, "transformations": {"oversized_image?": ("downsize", "error")}}
_FILE: dict[str, Shape] = {**_CACHED, "citations": {"enabled?": bool}, "context": str, "title": str}
_CALL: dict[str, Shape] = {**_CACHED, "caller": _CALLER, "toolset_name": str}
_RESULT: dict[str, Shape] = {**_CACHED, "is_error": bool, "toolset_name": str}


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
    listed, others = given_messages(request, "from_anthropic")
    messages = _read_system(others.rest.pop("system", []), others.losses.at("system"))
    others.lose("a transcript has messages only: this key of the request is left out")
    for value, losses in listed:
        messages += _read_message(value, losses)
    return others.losses.converted(Transcript(messages))


def _read_system(system: Any, losses: Losses) -> list[Message]:
    if isinstance(system, str):
        return [Message("system", system)]
    if not isinstance(system, list):
        losses.add("a system prompt is text or a list of blocks: it is left out")
        return []
    return [Message("system", bare([part])) for part in _read_parts(system, losses)]


def _read_message(value: dict[str, Any], losses: Losses) -> list[Message]:
    given = Given(value, losses)
    message = Message(given.take("role"), id=given.take("id"))
    content = given.rest.pop("content", None)
    if given.rest.get("type") == "message":
        given.take("type")
    given.lose("a message of a transcript has no such key: it is left out")
    if isinstance(content, str):
        message.content = content
        return [message]
    at = losses.at("content")
    if not isinstance(content, list):
        at.add("a content is text or a list: it is empty text")
        return [message]
    read: tuple[list[Any], ...] = ([], [], [], [])
    furthest = 0
    for index, block in enumerate(content):
        rank = _RANKS.get(str(block.get("type")), _PARTS) if isinstance(block, dict) else _PARTS
        found = _read_block(block, at.at(index))
        if found is None:
            continue
        read[rank].append(found)
        if rank < furthest:
            before = " and ".join(_PLACES[rank + 1 : furthest + 1])
            at.add(f"{_PLACES[rank]} come before {before}: this block moves there", index)
        furthest = max(furthest, rank)
    results, reasoning, parts, calls = read
    if results and not (reasoning or parts or calls):
        if message.id is not None:
            losses.add("each result becomes a message: their common id is left out", "id")
        if message.role != "user":
            losses.add(f"results are messages of the tool, not of {message.role!r}", "role")
        return results
    message.content = bare(parts) if calls or reasoning or not parts else parts
    message.reasoning, message.tool_calls = reasoning or None, calls or None
    return [*results, message]


def _read_block(block: Any, losses: Losses) -> Message | Part | ToolCall | None:
    given = Given(block if isinstance(block, dict) else {}, losses)
    kind = given.rest.get("type")
    if kind == "tool_result":
        return _read_result(given)
    if kind == "tool_use" and (name := given.take("name")) is not None:
        given.take("type")
        arguments = given.rest.pop("input", {})
        if not isinstance(arguments, dict):
            losses.add("the input of a tool is an object: this value is written as JSON", "input")
        return ToolCall(name, as_json(arguments), given.take("id"), more=given.keep(_OURS_IN_CALLS))
    if kind == "thinking" and (thinking := given.take("thinking")) is not None:
        given.take("type")
        return TextPart(thinking, given.keep((*_OURS_IN_PARTS, "redacted_thinking")))
    if kind == "redacted_thinking" and (data := given.take("data")) is not None:
        given.take("type")
        return TextPart("", given.keep((*_OURS_IN_PARTS, "signature"), {"redacted_thinking": data}))
    return _read_part(block, losses)


def _read_result(given: Given) -> Message:
    given.take("type")
    message = Message("tool", call_id=given.take("tool_use_id"))
    content = given.rest.pop("content", "")
    if isinstance(content, str):
        message.content = content
    elif isinstance(content, list):
        message.content = _read_parts(content, given.losses.at("content"))
    else:
        given.losses.add("a content is text or a list: it is left out", "content")
    message.more = {key: given.rest.pop(key) for key in _RESULT if key in given.rest} or None
    given.lose("a tool message cannot hold this {}: it is left out")
    return message


def _read_parts(blocks: list[Any], losses: Losses) -> list[Part]:
    parts = [_read_part(block, losses.at(index)) for index, block in enumerate(blocks)]
    return [part for part in parts if part is not None]


def _read_part(block: Any, losses: Losses) -> Part | None:
    given = Given(block if isinstance(block, dict) else {}, losses)
    kind = given.take("type")
    if kind == "text" and (text := given.take("text")) is not None:
        return TextPart(text, given.keep(_OURS_IN_TEXTS))
    source = given.take("source", dict) if kind in ("image", "document") else None
    part = EmbedPart("image" if kind == "image" else "file")
    if source is None or not _read_source(Given(source, losses.at("source")), part):
        such = "" if source is None else " with such a source"
        losses.add(f"a transcript has no parts of the type {kind!r}{such}: it is left out")
        return None
    if kind == "document" and (title := given.take("title")) is not None:
        part.more["name"] = title
    given.keep(_OURS_IN_PARTS, part.more)
    return part


def _read_source(source: Given, part: EmbedPart) -> bool:
    """Read the source of a part; return whether it is supported."""
    kind = source.take("type")
    if kind == "url":
        part.url = source.take("url")
    elif kind == "file" and (file_id := source.take("file_id")) is not None:
        part.more["file_id"] = file_id
    elif kind in ("base64", "text"):
        part.mime, part.data = source.take("media_type"), source.take("data")
        if part.mime is None or part.data is None or (kind == "text" and part.mime != "text/plain"):
            return False
        if kind == "text":
            part.data = base64.b64encode(part.data.encode("utf-8", "surrogatepass")).decode()
    if part.url is part.data is None and not part.more:
        return False
    source.lose("this source has no {}: it is left out")
    return True


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
    check_transcript(transcript, "to_anthropic")
    losses = Losses()
    if transcript.has_metadata:
        losses.add("the metadata of a request has another meaning: it is left out", "metadata")
    writer = _Writer(CallIds(transcript, _CALL_ID))
    for index, message in enumerate(transcript.messages):
        writer.add(message, losses.at("messages", index))
    messages = writer.messages + writer.waiting
    if not messages:
        losses.add("a request needs a message: the service refuses this one", "messages")
    return losses.converted({"messages": messages, **({"system": _short(writer.system)} if writer.system else {})})


class _Writer:
    """Collects the messages of a request.

    Attributes:
        system: The blocks of the system prompt.
        messages: The messages so far.
        results: The results of the last turn, if it has some: they belong in one message, even if dropped messages
            separate them.
        waiting: System messages that wait for the results of a turn, which follow its calls directly.
        before: The losses of those that stand before all results so far.
    """

    def __init__(self, ids: CallIds) -> None:
        self.ids = ids
        self.system: list[Json] = []
        self.messages: list[dict[str, Json]] = []
        self.results: list[Json] | None = None
        self.waiting: list[dict[str, Json]] = []
        self.before: list[Losses] = []

    def add(self, message: Message, losses: Losses) -> None:
        role = message.role
        answered = self.ids.result(message, losses) if role == "tool" else None
        _lose_fields(message, answered is not None, losses)
        if role in ("system", "developer"):
            self._add_system(message, losses)
        elif answered is not None:
            if self.results is None:
                self.results = []
                self.messages.append({"role": "user", "content": self.results})
            for each in self.before:
                each.add("the results of a turn must directly follow its calls: this message moves after them")
            self.before = []
            self.results.append(losses.in_characters(_result(message, answered, losses)))
        else:
            content = losses.in_characters(self._content(message, losses))
            if role == "tool":
                losses.add("no call waits for this result: it becomes a user message", "role")
            elif role not in ("user", "assistant"):
                losses.add(f"role {role!r} does not exist: replaced by 'user'", "role")
            if not content:
                losses.add("a message needs content: it is left out")
                return
            written = {"role": "assistant" if role == "assistant" else "user", "content": content}
            self.messages += [*self.waiting, written]
            self.waiting, self.before, self.results = [], [], None

    def _add_system(self, message: Message, losses: Losses) -> None:
        if message.role == "developer":
            losses.add("role 'developer' does not exist: replaced by 'system'", "role")
        texts = losses.in_characters(_blocks(message.content, (), losses.at("content")))
        if not self.messages:
            self.system += texts
        elif not texts:
            losses.add("a message needs content: it is left out")
        else:
            late = {"role": "system", "content": _short(texts)}
            last = self.messages[-1]["content"]
            if self.results is not None or (isinstance(last, list) and last[-1].get("type") == "tool_use"):
                self.waiting.append(late)
                self.before.append(losses)
            else:
                self.messages.append(late)

    def _content(self, message: Message, losses: Losses) -> Json:
        is_assistant = message.role == "assistant"
        blocks = _blocks(message.content, () if is_assistant else ("image", "file"), losses.at("content"))
        before, calls = [], []
        if is_assistant:
            self.ids.turn()
            before = _thinking(message.reasoning, losses.at("reasoning"))
            for index, call in enumerate(message.tool_calls or []):
                calls.append(_use(call, self.ids, losses.at("tool_calls", index)))
        is_text = isinstance(message.content, str) and blocks and not before and not calls
        return message.content if is_text else [*before, *blocks, *calls]


def _lose_fields(message: Message, is_result: bool, losses: Losses) -> None:
    more = message.more or {}
    for key in ("id", "name", "refusal", "extra"):
        if getattr(message, key) is not None or key in more:
            losses.add(f"messages have no {key}: it is left out", key)
    if not is_result:
        carried(more, {}, "a message", losses)
        if message.call_id is not None:
            losses.add("only tool messages answer a call: it is left out", "call_id")
    if message.role != "assistant":
        if message.tool_calls:
            losses.add("only assistant messages call tools: they are left out", "tool_calls")
        if message.reasoning is not None:
            losses.add("only assistant messages have reasoning: it is left out", "reasoning")


def _short(blocks: list[Json]) -> Json:
    """Return blocks of text, or just the text of a single one."""
    return blocks[0]["text"] if len(blocks) == 1 and blocks[0].keys() == {"type", "text"} else blocks


def _result(message: Message, call_id: str, losses: Losses) -> dict[str, Json]:
    content = message.content
    if not isinstance(content, str):
        # The service rejects an empty list.
        content = _blocks(content, ("image", "file"), losses.at("content")) or ""
    more = carried(message.more or {}, _RESULT, "a result", losses)
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def _thinking(reasoning: Content | None, losses: Losses) -> list[Json]:
    why = "thinking needs a signature: reasoning without one is left out"
    if isinstance(reasoning, str):
        losses.add(why)
        return []
    blocks: list[Json] = []
    for index, part in enumerate(reasoning or []):
        at, more = losses.at(index), dict(part.more)
        redacted = more.get("redacted_thinking")
        if isinstance(part, TextPart) and isinstance(more.get("signature"), str) and more["signature"]:
            blocks.append({"type": "thinking", "thinking": part.text, "signature": more.pop("signature")})
        elif isinstance(part, TextPart) and isinstance(redacted, str):
            blocks.append({"type": "redacted_thinking", "data": more.pop("redacted_thinking")})
            if part.text:
                at.add("redacted thinking has no text: it is left out", "text")
        else:
            at.add(why)
            continue
        carried(more, {}, "a block of thinking", at)
    return blocks


def _blocks(content: Content, kinds: tuple[str, ...], losses: Losses) -> list[Json]:
    if isinstance(content, str):
        written = [_text(TextPart(content), losses)]
    else:
        written = [_block(part, kinds, losses.at(index)) for index, part in enumerate(content)]
    return [block for block in written if block is not None]


def _block(part: Part, kinds: tuple[str, ...], losses: Losses) -> dict[str, Json] | None:
    if isinstance(part, TextPart):
        return _text(part, losses)
    if part.type in kinds:
        return _embed(part, losses)
    losses.add(f"these messages hold no {part.type}: it is left out")
    return None


def _text(part: TextPart, losses: Losses) -> dict[str, Json] | None:
    # The service rejects blank text.
    if part.text.strip():
        return {"type": "text", "text": part.text, **carried(part.more, _TEXT, "text", losses)}
    if part.text or part.more:
        losses.add("the service refuses blank text: it is left out")
    return None


def _embed(part: EmbedPart, losses: Losses) -> dict[str, Json] | None:
    found = resource(part, losses, ("data", "file_id", "url"), ("https://",))
    if found is None:
        return None
    source: dict[str, Json] = {"type": "base64", "media_type": found.mime, "data": found.value}
    more = found.more
    if found.source != "data":
        source = {"type": "file" if found.source == "file_id" else "url", found.source: found.value}
    elif part.type != "image" and found.mime != "application/pdf":
        try:
            text = base64.b64decode(found.value).decode()
        except UnicodeDecodeError:
            text = ""
        if not text.strip():
            losses.add(f"documents are PDF or text: one of the type {found.mime!r} is left out")
            return None
        if found.mime != "text/plain":
            losses.add(f"the type is 'text/plain' in the request, not {found.mime!r}", "mime")
        source = {"type": "text", "media_type": "text/plain", "data": text}
    if part.type == "image":
        return {"type": "image", "source": source, **carried(more, _IMAGE, "an image", losses)}
    if "name" in more:
        if "title" in more:
            losses.add("a document has one title, its name: this one is left out", "title")
        more["title"] = more.pop("name")
    return {"type": "document", "source": source, **carried(more, _FILE, "a document", losses)}


def _use(call: ToolCall, ids: CallIds, losses: Losses) -> dict[str, Json]:
    return {
        "type": "tool_use",
        "id": ids.call(call, losses),
        "name": tool_name(call.name, _LONGEST_NAME, losses),
        "input": _input(call.arguments, losses.at("arguments")),
        **carried(call.more, _CALL, "a use of a tool", losses),
    }


def _input(arguments: str, losses: Losses) -> Json:
    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            losses.add("a key is given twice: the last one counts")
        return found

    def number(text: str) -> float | None:
        value = float(text)
        if math.isfinite(value):
            return value
        losses.add(f"JSON has no {text}: it is null")
        return None

    try:
        given = json.loads(arguments, object_pairs_hook=members, parse_constant=number, parse_float=number)
    except (ValueError, RecursionError):
        given = None
    if isinstance(given, dict):
        return given
    if arguments:
        losses.add("the input of a tool is an object: other arguments are left out")
    return {}
