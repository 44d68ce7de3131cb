"""The JSON Schema of a transcript in plain JSON."""

from __future__ import annotations

from typing import Any, Final

from llmblocks.stf.syntax.dialect import EMBED_TYPES

_Schema = dict[str, Any]
_TEXT: Final[_Schema] = {"type": "string"}
_ANYTHING: Final[_Schema] = {"description": "Anything, in JSON."}


def _object(description: str, required: tuple[str, ...], **properties: _Schema) -> _Schema:
    """Return the schema of an object. Unknown keys are kept everywhere but at the top."""
    return {"type": "object", "description": description, "required": [*required], "properties": properties}


def _list(name: str) -> _Schema:
    return {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}


def transcript_schema() -> _Schema:
    """Return the JSON Schema (2020-12) of `Transcript.as_dict()`, in which absent keys are missing, never null."""
    content = {"anyOf": [_TEXT, _list("Part")]}
    text = _object("A piece of text.", ("type", "text"), type={"const": "text"}, text=_TEXT)
    embed = _object(
        "An image, a recording or a file.",
        ("type",),
        type={"enum": [*EMBED_TYPES]},
        url={**_TEXT, "description": "A path or URL."},
        mime={"description": "A media type; any value other than a string has no meaning."},
        data={**_TEXT, "description": "The resource itself, in base64."},
        **dict.fromkeys(("name", "format", "file_id"), _TEXT),
    )
    call = _object(
        "A call of a tool.",
        ("name", "arguments"),
        arguments={**_TEXT, "description": "The text of a JSON object."},
        **dict.fromkeys(("name", "id", "call_id"), _TEXT),
    )
    message = _object(
        "One message.",
        ("role", "content"),
        call_id={**_TEXT, "description": "The tool call that this message answers."},
        tool_calls=_list("ToolCall"),
        extra=_ANYTHING,
        **dict.fromkeys(("role", "id", "name"), _TEXT),
        **dict.fromkeys(("content", "reasoning", "refusal"), content),
    )
    top = _object("A conversation.", ("messages",), messages=_list("Message"), metadata=_ANYTHING)
    definitions = {"Part": {"oneOf": [text, embed]}, "ToolCall": call, "Message": message}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Transcript",
        "$defs": definitions,
        **top,
        "additionalProperties": False,
    }
