"""Messages as plain JSON: reading, with errors in llm-msg-io's wording, checks before writing, and the schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from llmblocks.json5.reader import ValuePlace
from llmblocks.stf.syntax.commands import EMBED_TYPES
from llmblocks.stf.syntax.problems import kind_of
from llmblocks.stf.values.messages import Content, EmbedPart, Json, Message, Part, TextPart, ToolCall, Transcript

JsonPath = tuple[str | int, ...]
_MISSING: Final = object()
_Schema = dict[str, Any]


class _Field(NamedTuple):
    """A key with a meaning."""

    must: str
    """The type that it must have, in llm-msg-io's words: a text, `_CONTENT`, `_CALLS`, or empty for any."""
    is_needed: bool = False
    description: str = ""


_CONTENT, _CALLS = "a string or an array", "an array"
_NEEDED, _TEXT, _TEXT_OF_MESSAGE = _Field("a string", True), _Field("a string"), _Field("a string or undefined")
_FIELDS: Final[dict[type, dict[str, _Field]]] = {
    TextPart: {"text": _NEEDED},
    EmbedPart: {
        "name": _TEXT,
        "format": _TEXT,
        "file_id": _TEXT,
        "url": _TEXT._replace(description="A path or URL."),
        "mime": _Field("", description="A media type; any value other than a string has no meaning."),
        "data": _TEXT._replace(description="The resource itself, in base64."),
    },
    ToolCall: {
        "name": _NEEDED,
        "arguments": _NEEDED._replace(description="The text of a JSON object."),
        "id": _TEXT,
        "call_id": _TEXT,
    },
    Message: {
        "role": _NEEDED,
        "content": _Field(_CONTENT, True),
        "id": _TEXT_OF_MESSAGE,
        "name": _TEXT_OF_MESSAGE,
        "call_id": _TEXT_OF_MESSAGE._replace(description="The tool call that this message answers."),
        "reasoning": _Field(_CONTENT),
        "refusal": _Field(_CONTENT),
        "tool_calls": _Field(_CALLS),
        "extra": _Field("", description="Anything, in JSON."),
    },
}
"""The keys of plain JSON, for each class, in the order of their errors. All other keys are in `more`."""
_IN_MORE: Final = frozenset(("name", "format", "file_id"))
"""The keys of an embed that `more` has, too."""


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
    reader = _Reader()
    message = reader.message(value, ())
    reader.close()
    return message


def transcript_from_dict(value: object) -> Transcript:
    """Read a transcript from plain JSON: an object with `messages`, or just the list of messages.

    Raises:
        ShapeError: It names every wrong key.
    """
    reader = _Reader()
    path: JsonPath = ()
    whole: Mapping[str, Json] = {"messages": value}
    if isinstance(value, Mapping):
        path, whole = ("messages",), value
    for key in whole.keys() - {"messages", "metadata"}:
        reader.misfits.append(Misfit((key,), f"unknown key {key!r}: a transcript has messages and metadata"))
    listed = whole.get("messages", _MISSING)
    if not isinstance(listed, list):
        reader.wrong(path, "an array", listed)
        listed = []
    messages = [reader.message(item, (*path, index)) for index, item in enumerate(listed)]
    reader.close()
    return Transcript(messages, whole.get("metadata"), null_metadata=whole.get("metadata", _MISSING) is None)


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
    if value is None or value is _MISSING:
        return "null" if value is None else "missing"
    for kind, words in ((bool, "a boolean"), (str, "a string"), (int | float, "a number"), (list, "an array")):
        if isinstance(value, kind):
            return words
    return "an object" if isinstance(value, Mapping) else f"of type {type(value).__name__}"


class _Reader:
    """Builds values and collects misfits."""

    def __init__(self) -> None:
        self.misfits: list[Misfit] = []

    def close(self) -> None:
        if self.misfits:
            raise ShapeError(tuple(self.misfits))

    def wrong(self, path: JsonPath, must: str, value: object, was: str = "") -> None:
        name = ""
        for key in path:
            name += f"[{key}]" if isinstance(key, int) else f".{key}" if name else key
        self.misfits.append(Misfit(path, f"{name} must be {must} (was {was or what(value)})".lstrip()))

    def message(self, value: object, path: JsonPath) -> Message:
        found = self._fields(Message, value, path)
        found["more"] = found["more"] or None
        return Message(**found)

    def _fields(self, holder: type, value: object, path: JsonPath) -> dict[str, Any]:
        """Return the fields of an object, and `more`."""
        if not isinstance(value, Mapping):
            self.wrong(path, "an object", value)
            value = dict.fromkeys((key for key, field in _FIELDS[holder].items() if field.is_needed), "")
        found: dict[str, Any] = {"more": {key: item for key, item in value.items() if not _is_own(holder, key, item)}}
        for key, (must, is_needed, _) in _FIELDS[holder].items():
            item = value.get(key, _MISSING)
            if item is _MISSING and not is_needed:
                continue
            if must == _CONTENT:
                item = self._content(item, (*path, key))
            elif must == _CALLS:
                item = [ToolCall(**self._fields(ToolCall, each, at)) for each, at in self._items(item, (*path, key))]
            elif must and not isinstance(item, str):
                self.wrong((*path, key), must, item)
                item = ""
            if key not in found["more"]:
                found[key] = item
        return found

    def _items(self, value: object, path: JsonPath) -> Iterator[tuple[object, JsonPath]]:
        """Yield the items of a list with their paths."""
        if not isinstance(value, list):
            self.wrong(path, "an array", value)
            return
        for index, item in enumerate(value):
            yield item, (*path, index)

    def _content(self, value: object, path: JsonPath) -> Content:
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return [self._part(item, at) for item, at in self._items(value, path)]
        # llm-msg-io's words, although they make no sense for an object
        is_object = isinstance(value, Mapping) or value is _MISSING
        self.wrong(path, _CONTENT if is_object else "a string or an object", value)
        return ""

    def _part(self, value: object, path: JsonPath) -> Part:
        kind = value.get("type", _MISSING) if isinstance(value, Mapping) else "text"
        if kind == "text":
            return TextPart(**self._fields(TextPart, value, path))
        if kind not in EMBED_TYPES:
            was = f'"{kind}"' if isinstance(kind, str) else ""
            self.wrong((*path, "type"), '"text", "audio", "file" or "image"', kind, was)
            return TextPart("")
        return EmbedPart(type=kind, **self._fields(EmbedPart, value, path))


def _is_own(holder: type, key: str, item: Json) -> bool:
    """Return whether a field has a key of plain JSON. A null `extra` and an odd `mime` are in `more`."""
    if holder is EmbedPart and (key in _IN_MORE or (key == "mime" and not isinstance(item, str))):
        return False
    if holder is Message and key == "extra":
        return item is not None
    return key in _FIELDS[holder] or (key == "type" and holder in (TextPart, EmbedPart))


# Checks

_INSTEAD: Final = {
    Message: "Transcript([message])",
    list: "Transcript(messages)",
    tuple: "Transcript(list(messages))",
    dict: "transcript_from_dict(value)",
    str: "decode(text)",
}


def check_transcript(transcript: object, taker: str) -> None:
    """Check the types of a transcript before the function `taker` writes it.

    Raises:
        TypeError: It is not a transcript, or has something else than messages.
        ValueError: A message has fields of the wrong type.
    """
    if not isinstance(transcript, Transcript):
        instead = next((text for kind, text in _INSTEAD.items() if isinstance(transcript, kind)), "Transcript([…])")
        raise TypeError(f"{taker} takes a Transcript, not {kind_of(transcript)}: pass {instead}")
    if not isinstance(transcript.messages, list | tuple):
        raise TypeError(f"{taker}: the messages of a transcript are a list, not {kind_of(transcript.messages)}")
    for index, message in enumerate(transcript.messages):
        if not is_plain(message):
            _check_message(message, f"messages[{index}]")


def is_plain(message: object) -> bool:
    """Return whether this is a valid message with text and strings only, as most messages are."""
    return (
        type(message) is Message
        and type(message.role) is type(message.content) is str
        and all(value is None or type(value) is str for value in (message.id, message.name, message.call_id))
        and message.reasoning is message.refusal is None
        and message.tool_calls is message.extra is message.more is None
    )


def _check_message(message: object, where: str) -> None:
    if not isinstance(message, Message):
        hint = "message_from_dict makes one" if isinstance(message, dict) else "make one of it"
        raise TypeError(f"{where} must be a Message, not {kind_of(message)}: {hint}")
    _check_more(message, where)
    for key in ("content", "reasoning", "refusal"):
        content = getattr(message, key)
        if isinstance(content, list):
            _check_items(content, TextPart | EmbedPart, "a TextPart or an EmbedPart", f"{where}.{key}")
        elif not isinstance(content, str) and (content is not None or key == "content"):
            raise ValueError(f"{where}.{key} must be a string or a list of parts, not {content!r}")
    if isinstance(message.tool_calls, list):
        _check_items(message.tool_calls, ToolCall, "a ToolCall", f"{where}.tool_calls")
    elif message.tool_calls is not None:
        raise ValueError(f"{where}.tool_calls must be a list of calls, not {message.tool_calls!r}")
    try:
        message_from_dict(message.as_dict())
    except ShapeError as error:
        raise ValueError(f"{where}.{error.misfits[0].message}") from None


def _check_items(items: list[Any], kinds: Any, must: str, where: str) -> None:
    for index, item in enumerate(items):
        if not isinstance(item, kinds):
            raise ValueError(f"{where}[{index}] must be {must}, not {item!r}")
        _check_more(item, f"{where}[{index}]")


def _check_more(value: Message | Part | ToolCall, where: str) -> None:
    more: object = value.more
    if more is not None and not isinstance(more, dict):
        raise ValueError(f"{where}.more must be a dict of further keys, not {more!r}")
    for key, item in (more or {}).items():
        is_given = key in ("extra", "mime") and getattr(value, key, None) is not None
        if is_given or _is_own(type(value), key, item):
            raise ValueError(f"{where}.more has the key '{key}', which is a field: use the field")


# The schema


def transcript_schema() -> _Schema:
    """Return the JSON Schema (2020-12) of `Transcript.as_dict()`, in which absent keys are missing, never null."""
    part = [_object(TextPart, "A piece of text.", {"const": "text"})]
    part.append(_object(EmbedPart, "An image, a recording or a file.", {"enum": [*EMBED_TYPES]}))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Transcript",
        "$defs": {
            "Part": {"oneOf": part},
            "ToolCall": _object(ToolCall, "A call of a tool."),
            "Message": _object(Message, "One message."),
        },
        "type": "object",
        "description": "A conversation.",
        "required": ["messages"],
        "properties": {"messages": _list("Message"), "metadata": _schema(_FIELDS[Message]["extra"])},
        "additionalProperties": False,
    }


def _object(holder: type, description: str, kind: _Schema | None = None) -> _Schema:
    """Return the schema of a class, with the schema of its `type`. Other keys are kept."""
    fields = _FIELDS[holder]
    properties = {"type": kind} if kind else {}
    properties |= {key: _schema(field) for key, field in fields.items()}
    required = [key for key in properties if key == "type" or fields[key].is_needed]
    return {"type": "object", "description": description, "required": required, "properties": properties}


def _schema(field: _Field) -> _Schema:
    schema: _Schema = {"type": "string"} if field.must else {}
    if field.must == _CONTENT:
        schema = {"anyOf": [{"type": "string"}, _list("Part")]}
    elif field.must == _CALLS:
        schema = _list("ToolCall")
    return schema | ({"description": field.description} if field.description else {})


def _list(name: str) -> _Schema:
    return {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}
