"""Messages as plain JSON: reading, with errors in llm-msg-io's wording, checks before writing, and the schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from llmblocks.json5.reader import ValuePlace
from llmblocks.stf.syntax import EMBED_TYPES
from llmblocks.stf.values.messages import Content, EmbedPart, Json, Message, Part, TextPart, ToolCall, Transcript

JsonPath = tuple[str | int, ...]
_MISSING: Final = object()
_Schema = dict[str, Any]


def _object(description: str, required: tuple[str, ...], **properties: _Schema) -> _Schema:
    """Return the schema of an object, with its keys in the order of their errors. Other keys are kept, in `more`."""
    return {"type": "object", "description": description, "required": [*required], "properties": properties}


def _list(name: str) -> _Schema:
    return {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}


def _text(description: str) -> _Schema:
    return {"type": "string", "description": description}


def _content(description: str) -> _Schema:
    return {"anyOf": [{"type": "string"}, _list("Part")], "description": description}


_ANYTHING: Final = {"description": "Anything, in JSON."}
_SCHEMAS: Final[dict[type, _Schema]] = {
    TextPart: _object(
        "A piece of text.", ("type", "text"), type={"const": "text"}, text=_text("The text of the part.")
    ),
    EmbedPart: _object(
        "An image, a recording or a file.",
        ("type",),
        type={"enum": [*EMBED_TYPES], "description": "`text`, `image`, `audio` or `file`."},
        name=_text("The name of the file."),
        format=_text("The format of the recording."),
        file_id=_text("The id of the uploaded file."),
        url=_text("The path or URL of the resource."),
        mime={"description": "The media type of the resource; any value other than a string has no meaning."},
        data=_text("The resource itself, in base64."),
    ),
    ToolCall: _object(
        "A call of a tool.",
        ("name", "arguments"),
        name=_text("The name of the tool."),
        arguments=_text("The arguments: the text of a JSON object."),
        id=_text("The id of the call."),
        call_id=_text("The id of the call at the model's provider."),
    ),
    Message: _object(
        "One message.",
        ("role", "content"),
        role=_text("The role of the message."),
        content=_content("The text of the message, or a list of its parts."),
        id=_text("The id of the message."),
        name=_text("The name of the author."),
        call_id=_text("The id of the call that the message answers."),
        reasoning=_content("The reasoning of the model, as content."),
        refusal=_content("The refusal of the model, as content."),
        tool_calls={**_list("ToolCall"), "description": "The calls of tools."},
        extra=_ANYTHING,
    ),
}
KEYS: Final[dict[type, dict[str, str]]] = {
    kind: {key: each.get("description", "") for key, each in schema["properties"].items()}
    for kind, schema in _SCHEMAS.items()
}
"""The keys of values as JSON, with their descriptions."""


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
    for key in [each for each in whole if each not in ("messages", "metadata")]:
        reader.misfits.append(Misfit((key,), f"unknown key {key!r}: a transcript has messages and metadata"))
    messages = [reader.message(item, at) for item, at in reader.items(whole.get("messages", _MISSING), path)]
    reader.close()
    return Transcript(messages, whole.get("metadata"), null_metadata=whole.get("metadata", _MISSING) is None)


class PathPlaces(dict[int, dict[str | int, ValuePlace]]):
    """The places of the parts of a value, by their paths. Remembers the members of each container, by its start."""

    def of(self, node: ValuePlace, path: JsonPath) -> tuple[int, int]:
        """Return the place of the value at a path; if it is missing, the opening of its container."""
        for key in path:
            if node.start not in self:
                self[node.start] = {name: child for name, _, _, child in node.items}
            if key not in self[node.start]:
                return node.start, min(node.start + 1, node.end)
            node = self[node.start][key]
        return node.start, node.end


def path_name(path: JsonPath) -> str:
    """Return a path as text, as in `messages[2].extra`; that of the whole value is empty."""
    name = ""
    for key in path:
        name += f"[{key}]" if isinstance(key, int) else f".{key}" if name else key
    return name


def kind_of(value: object) -> str:
    """Return the type of a value, for the message of an error."""
    return f"a value of type {type(value).__name__}"


def what(value: object) -> str:
    """Return the kind of a value in llm-msg-io's words; for a value that is not JSON, its type."""
    if value is None or value is _MISSING:
        return "null" if value is None else "missing"
    for kind, words in ((bool, "a boolean"), (str, "a string"), (int | float, "a number"), (list, "an array")):
        if isinstance(value, kind):
            return words
    return "an object" if isinstance(value, Mapping) else f"of type {type(value).__name__}"


class _Reader:
    def __init__(self) -> None:
        self.misfits: list[Misfit] = []

    def close(self) -> None:
        if self.misfits:
            raise ShapeError(tuple(self.misfits))

    def wrong(self, path: JsonPath, must: str, value: object, was: str = "") -> None:
        self.misfits.append(Misfit(path, f"{path_name(path)} must be {must} (was {was or what(value)})".lstrip()))

    def message(self, value: object, path: JsonPath) -> Message:
        found = self._fields(Message, value, path)
        found["more"] = found["more"] or None
        return Message(**found)

    def _fields(self, holder: type, value: object, path: JsonPath) -> dict[str, Any]:
        """Return the fields of an object, and `more`."""
        schema = _SCHEMAS[holder]
        if not isinstance(value, Mapping):
            self.wrong(path, "an object", value)
            value = dict.fromkeys(schema["required"], "")
        found: dict[str, Any] = {"more": {key: item for key, item in value.items() if not _is_own(holder, key, item)}}
        for key, kind in schema["properties"].items():
            item, is_needed = value.get(key, _MISSING), key in schema["required"]
            if (item is _MISSING and not is_needed) or key == "type":
                continue
            if "anyOf" in kind:
                item = self._content(item, (*path, key))
            elif kind.get("type") == "array":
                item = [ToolCall(**self._fields(ToolCall, each, at)) for each, at in self.items(item, (*path, key))]
            elif "type" in kind and not isinstance(item, str):
                must = "a string or undefined" if holder is Message and not is_needed else "a string"
                self.wrong((*path, key), must, item)
                item = ""
            if key not in found["more"]:
                found[key] = item
        return found

    def items(self, value: object, path: JsonPath) -> Iterator[tuple[object, JsonPath]]:
        """Yield the items of a list with their paths."""
        if not isinstance(value, list):
            self.wrong(path, "an array", value)
            value = []
        for index, item in enumerate(value):
            yield item, (*path, index)

    def _content(self, value: object, path: JsonPath) -> Content:
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return [self._part(item, at) for item, at in self.items(value, path)]
        # llm-msg-io's words, although they make no sense for an object
        is_object = isinstance(value, Mapping) or value is _MISSING
        self.wrong(path, "a string or an array" if is_object else "a string or an object", value)
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
    if (key == "extra" and item is None) or (key == "mime" and not isinstance(item, str)):
        return False
    return key in _SCHEMAS[holder]["properties"] and (key == "type" or hasattr(holder, key))


def check_transcript(transcript: object, taker: str) -> None:
    """Check the types of a transcript before the function `taker` writes it.

    Raises:
        TypeError, ValueError: It is not a transcript of messages; a message has a field of the wrong type.
    """
    if not isinstance(transcript, Transcript):
        raise TypeError(f"{taker} takes a Transcript, not {kind_of(transcript)}: pass Transcript([…])")
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
    for key in ("content", "reasoning", "refusal", "tool_calls"):
        items, is_content = getattr(message, key), key != "tool_calls"
        if isinstance(items, list):
            for index, item in enumerate(items):
                if not isinstance(item, TextPart | EmbedPart if is_content else ToolCall):
                    kind = "a TextPart or an EmbedPart" if is_content else "a ToolCall"
                    raise ValueError(f"{where}.{key}[{index}] must be {kind}, not {item!r}")
                _check_more(item, f"{where}.{key}[{index}]")
        elif not (isinstance(items, str) and is_content) and (items is not None or key == "content"):
            must = "a string or a list of parts" if is_content else "a list of calls"
            raise ValueError(f"{where}.{key} must be {must}, not {items!r}")
    try:
        message_from_dict(message.as_dict())
    except ShapeError as error:
        raise ValueError(f"{where}.{error.misfits[0].message}") from None


def _check_more(value: Message | Part | ToolCall, where: str) -> None:
    more: object = value.more
    if more is not None and not isinstance(more, dict):
        raise ValueError(f"{where}.more must be a dict of further keys, not {more!r}")
    for key, item in (more or {}).items():
        is_given = key in ("extra", "mime") and getattr(value, key, None) is not None
        if is_given or _is_own(type(value), key, item):
            raise ValueError(f"{where}.more has the key '{key}', which is a field: use the field")


def transcript_schema() -> _Schema:
    """Return the JSON Schema (2020-12) of `Transcript.as_dict()`, in which absent keys are missing, never null."""
    text, embed, call, message = _SCHEMAS.values()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Transcript",
        "$defs": {"Part": {"oneOf": [text, embed]}, "ToolCall": call, "Message": message},
        **_object("A conversation.", ("messages",), messages=_list("Message"), metadata=_ANYTHING),
        "additionalProperties": False,
    }
