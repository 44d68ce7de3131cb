"""The JSON Schema of a transcript in plain JSON, and validation with it. Only this module loads pydantic."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag


class _Open(BaseModel):
    # Unknown keys are kept everywhere.
    model_config = ConfigDict(extra="allow")


class TextPartModel(_Open):
    """A piece of text."""

    type: Literal["text"]
    text: str


class EmbedPartModel(_Open):
    """An image, a recording or a file."""

    type: Literal["audio", "file", "image"]
    url: str | None = Field(default=None, description="A path or URL.")
    mime: Any = Field(default=None, description="A media type; any value other than a string has no meaning.")
    data: str | None = Field(default=None, description="The resource itself, in base64.")
    name: str | None = None
    format: str | None = None
    file_id: str | None = None


def _kind(value: Any) -> str:
    kind = value.get("type") if isinstance(value, dict) else getattr(value, "type", None)
    return "text" if kind == "text" else "embed"


PartModel = Annotated[
    Annotated[TextPartModel, Tag("text")] | Annotated[EmbedPartModel, Tag("embed")], Discriminator(_kind)
]


class ToolCallModel(_Open):
    """A call of a tool."""

    name: str
    arguments: str = Field(description="The text of a JSON object.")
    id: str | None = None
    call_id: str | None = None


class MessageModel(_Open):
    """One message."""

    role: str
    content: str | list[PartModel]
    id: str | None = None
    name: str | None = None
    call_id: str | None = Field(default=None, description="The tool call that this message answers.")
    reasoning: str | list[PartModel] | None = None
    refusal: str | list[PartModel] | None = None
    tool_calls: list[ToolCallModel] | None = None
    extra: Any = Field(default=None, description="Anything, in JSON.")


class TranscriptModel(BaseModel):
    """A conversation."""

    model_config = ConfigDict(title="Transcript", extra="forbid")

    messages: list[MessageModel]
    metadata: Any = Field(default=None, description="Anything, in JSON.")


def transcript_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of `Transcript.as_dict()`.

    Shape: absent keys are left out, never null, and the schema requires that.
    """
    schema = TranscriptModel.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_without_nulls(schema)}


def _without_nulls(node: Any) -> Any:
    """The schema without nulls for optional keys, as in the decoder."""
    if isinstance(node, list):
        return [_without_nulls(item) for item in node]
    if not isinstance(node, dict):
        return node
    out = {key: _without_nulls(item) for key, item in node.items()}
    if "default" in out and out["default"] is None:
        del out["default"]
    if "anyOf" in out:
        options = [option for option in out["anyOf"] if option != {"type": "null"}]
        if len(options) == 1:
            del out["anyOf"]
            return {**options[0], **out}
        out["anyOf"] = options
    return out
