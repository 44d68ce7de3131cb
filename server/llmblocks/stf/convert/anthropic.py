"""Conversion from and to Anthropic's Messages API. The accepted keys are those of the types of Anthropic's SDK."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from llmblocks.stf.convert.losses import CallIds, Converted, Given, Losses, Shape, as_json, bare, given_messages
from llmblocks.stf.convert.resources import resource
from llmblocks.stf.values.messages import Content, EmbedPart, Json, Message, Part, TextPart, ToolCall, Transcript
from llmblocks.stf.values.shape import check_transcript

_CALL_ID = "[a-zA-Z0-9_-]+"
_LONGEST_NAME = 128
# Keys of a transcript, which mean something else there than in a request.
_OURS_IN_CALLS = ("arguments", "call_id", "id")
# The order of the blocks in a message, for reading and writing.
_RANKS = {"tool_result": 0, "thinking": 1, "redacted_thinking": 1, "tool_use": 3}
_PARTS = 2
_PLACES = ("results", "reasoning", "content", "calls")
_RESOURCES = ("image", "file")

_NULLABLE: Shape = (str, type(None))
_DOCUMENT: dict[str, Shape] = {"cited_text": str, "document_index": int, "document_title": _NULLABLE}
_BLOCKS: dict[str, Shape] = {"start_block_index": int, "end_block_index": int}
_RESULT_OF: dict[str, Shape] = {"cited_text": str, "title": _NULLABLE}
_CITATION: Shape = (
    {"type": "char_location", **_DOCUMENT, "start_char_index": int, "end_char_index": int},
    {"type": "page_location", **_DOCUMENT, "start_page_number": int, "end_page_number": int},
    {"type": "content_block_location", **_DOCUMENT, **_BLOCKS},
    {"type": "web_search_result_location", **_RESULT_OF, "encrypted_index": str, "url": str},
    {"type": "search_result_location", **_RESULT_OF, **_BLOCKS, "search_result_index": int, "source": str},
)
_CODE: Shape = ("code_execution_20250825", "code_execution_20260120")
_CALLER: Shape = ({"type": "direct"}, {"type": _CODE, "tool_id": str})
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
    system = others.parts("system", _read_part)
    parts = system if isinstance(system, list) else [TextPart(system)] if system else []
    messages = [Message("system", bare([part])) for part in parts]
    others.lose("a transcript has messages only: this key of the request is left out")
    for value, losses in listed:
        messages += _read_message(value, losses)
    return others.losses.converted(Transcript(messages))


def _read_message(value: dict[str, Any], losses: Losses) -> list[Message]:
    given = Given(value, losses)
    message = Message(given.take("role"), id=given.take("id"))
    read: tuple[list[Any], ...] = ([], [], [], [])

    def read_block(block: Given, kind: str | None) -> Part | None:
        rank = _RANKS.get(str(kind), _PARTS)
        if (found := _read_block(block, kind)) is not None:
            read[rank].append(found)
            if after := [place for place, there in zip(_PLACES[rank + 1 :], read[rank + 1 :], strict=True) if there]:
                block.losses.add(f"{_PLACES[rank]} come before {' and '.join(after)}: this block moves there")
        return None

    content = given.parts("content", read_block)
    if given.rest.get("type") == "message":
        del given.rest["type"]
    given.lose("a message of a transcript has no such key: it is left out")
    if isinstance(content, str):
        message.content = content
        return [message]
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


def _read_block(given: Given, kind: str | None) -> Message | Part | ToolCall | None:
    if kind == "tool_result":
        return _read_result(given)
    if kind == "tool_use" and (name := given.take("name")) is not None:
        arguments = given.rest.pop("input", {})
        if not isinstance(arguments, dict):
            given.losses.add("the input of a tool is an object: this value is written as JSON", "input")
        return ToolCall(name, as_json(arguments), given.take("id"), more=given.keep(_OURS_IN_CALLS))
    if kind == "thinking" and (thinking := given.take("thinking")) is not None:
        return TextPart(thinking, given.keep((*Given.in_parts, "redacted_thinking")))
    if kind == "redacted_thinking" and (data := given.take("data")) is not None:
        return TextPart("", given.keep((*Given.in_parts, "signature"), {"redacted_thinking": data}))
    return _read_part(given, kind)


def _read_result(given: Given) -> Message:
    message = Message("tool", given.parts("content", _read_part), call_id=given.take("tool_use_id"))
    message.more = {key: given.rest.pop(key) for key in _RESULT if key in given.rest} or None
    given.lose("a tool message cannot hold this {}: it is left out")
    return message


def _read_part(given: Given, kind: str | None) -> Part | None:
    if kind == "text" and (text := given.take("text")) is not None:
        return TextPart(text, given.keep(Given.in_texts))
    source = given.take("source", dict) if kind in ("image", "document") else None
    part = EmbedPart("image" if kind == "image" else "file")
    if source is None or not _read_source(Given(source, given.losses.at("source")), part):
        given.losses.add(f"a transcript has no such part of the type {kind!r}: it is left out")
        return None
    if kind == "document" and (title := given.take("title")) is not None:
        part.more["name"] = title
    given.keep(Given.in_parts, part.more)
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
    if not writer.messages:
        losses.add("a request needs a message: the service refuses this one", "messages")
    system = {"system": _short(writer.system)} if writer.system else {}
    return losses.converted({"messages": writer.messages, **system})


class _Writer:
    """Collects the messages of a request."""

    def __init__(self, ids: CallIds) -> None:
        self.ids = ids
        self.system: list[Json] = []
        self.messages: list[dict[str, Json]] = []
        self.results: list[Json] | None = None
        """The results of the last turn: they belong in one message, even if dropped messages separate them."""
        self.late: list[Losses] = []
        """System messages at the end which came before the results of a turn, or between them."""

    def add(self, message: Message, losses: Losses) -> None:
        role = message.role
        answered = self.ids.result(message, losses) if role == "tool" else None
        _lose_fields(message, answered is not None, losses)
        if answered is not None:
            self._add_result(message, answered, losses)
        elif role in ("system", "developer"):
            self._add_system(message, losses)
        else:
            content = losses.in_characters(self._content(message, losses))
            if role == "tool":
                losses.add("no call waits for this result: it becomes a user message", "role")
            elif role not in ("user", "assistant"):
                losses.add(f"role {role!r} does not exist: replaced by 'user'", "role")
            if not content:
                losses.add("a message needs content: it is left out")
                return
            self.late, self.results = [], None
            self.messages.append({"role": "assistant" if role == "assistant" else "user", "content": content})

    def _add_result(self, message: Message, call_id: str, losses: Losses) -> None:
        content = message.content
        if not isinstance(content, str):
            # The service rejects an empty list.
            content = _blocks(content, _RESOURCES, losses.at("content")) or ""
        more = losses.carried(message.more or {}, _RESULT, "a result")
        result = {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}
        if self.results is None:
            self.results = []
            self.messages.insert(len(self.messages) - len(self.late), {"role": "user", "content": self.results})
        self.results.append(losses.in_characters(result))
        for each in self.late:
            each.add("the results of a turn must directly follow its calls: this message moves after them")
        self.late = []

    def _add_system(self, message: Message, losses: Losses) -> None:
        if message.role == "developer":
            losses.add("role 'developer' does not exist: replaced by 'system'", "role")
        texts = losses.in_characters(_blocks(message.content, (), losses.at("content")))
        if not self.messages:
            self.system += texts
        elif not texts:
            losses.add("a message needs content: it is left out")
        else:
            last = self.messages[-1]["content"]
            waits = isinstance(last, list) and last[-1].get("type") == "tool_use"
            if self.results is not None or self.late or waits:
                self.late.append(losses)
            self.messages.append({"role": "system", "content": _short(texts)})

    def _content(self, message: Message, losses: Losses) -> Json:
        content, at = message.content, losses.at("content")
        if message.role != "assistant":
            return content if isinstance(content, str) and content.strip() else _blocks(content, _RESOURCES, at)
        self.ids.turn()
        before = _thinking(message.reasoning, losses.at("reasoning"))
        uses = enumerate(message.tool_calls or ())
        calls = [_use(call, self.ids, losses.at("tool_calls", index)) for index, call in uses]
        if isinstance(content, str) and content.strip() and not before and not calls:
            return content
        return [*before, *_blocks(content, (), at), *calls]


def _lose_fields(message: Message, is_result: bool, losses: Losses) -> None:
    losses.lose_fields(message, ("id", "name", "refusal", "extra"), "messages have no {}: it is left out")
    if not is_result:
        losses.carried(message.more or {}, {}, "a message")
        losses.lose_fields(message, ("call_id",), "only tool messages have {}: it is left out")
    if message.role != "assistant":
        losses.lose_fields(message, ("tool_calls", "reasoning"), "only assistant messages have {}: it is left out")


def _short(blocks: list[Json]) -> Json:
    return blocks[0]["text"] if len(blocks) == 1 and blocks[0].keys() == {"type", "text"} else blocks


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
        at.carried(more, {}, "a block of thinking")
    return blocks


def _blocks(content: Content, kinds: tuple[str, ...], losses: Losses) -> list[Json]:
    parts = [TextPart(content)] if isinstance(content, str) else content
    blocks = []
    for index, part in enumerate(parts):
        at = losses if isinstance(content, str) else losses.at(index)
        if isinstance(part, TextPart) and part.text.strip():
            blocks.append({"type": "text", "text": part.text, **at.carried(part.more, _TEXT, "text")})
        elif isinstance(part, TextPart):
            if part.text or part.more:
                at.add("the service refuses blank text: it is left out")
        elif part.type not in kinds:
            at.add(f"these messages hold no {part.type}: it is left out")
        elif (block := _embed(part, at)) is not None:
            blocks.append(block)
    return blocks


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
        return {"type": "image", "source": source, **losses.carried(more, _IMAGE, "an image")}
    if "name" in more:
        if "title" in more:
            losses.add("a document has one title, its name: this one is left out", "title")
        more["title"] = more.pop("name")
    return {"type": "document", "source": source, **losses.carried(more, _FILE, "a document")}


def _use(call: ToolCall, ids: CallIds, losses: Losses) -> dict[str, Json]:
    use = {"type": "tool_use", "id": ids.call(call, losses), "name": losses.tool_name(call.name, _LONGEST_NAME)}
    given = _input(call.arguments, losses.at("arguments"))
    return {**use, "input": given, **losses.carried(call.more, _CALL, "a use of a tool")}


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
