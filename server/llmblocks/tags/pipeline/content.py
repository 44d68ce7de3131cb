"""A message as pydantic models, which convert to and from JSON. Imported when first needed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from typing_extensions import TypeIs


class _Block(BaseModel):
    model_config = ConfigDict(frozen=True, alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True)


class TextBlock(_Block):
    """Visible text."""

    type: Literal["text"] = "text"
    text: str


class CustomContentBlock(_Block):
    """A custom block between the texts."""

    type: Literal["custom"] = "custom"
    tag: str
    """The key of its definition, not the XML tag."""
    content: str
    attrs: dict[str, str] = Field(default_factory=dict)
    self_closing: bool = False


class ToolCallBlock(_Block):
    """A native tool call."""

    type: Literal["tool_call"] = "tool_call"
    id: str
    name: str
    input: Any = None
    """The JSON value of its arguments, or their text if it is not JSON."""


class Message(_Block):
    """A model's message.

    JSON uses the names of the document (`selfClosing`): `model_dump_json()`, `Message.model_validate_json(text)`.
    """

    role: Literal["assistant"] = "assistant"
    content: tuple[Annotated[TextBlock | CustomContentBlock, Field(discriminator="type")], ...] = ()
    """Texts and custom blocks in order; texts are never adjacent."""
    reasoning: str = ""
    tool_calls: tuple[ToolCallBlock, ...] = ()
    stop_reason: str | None = None
    usage: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """The visible text, without blocks."""
        return "".join(block.text for block in self.content if isinstance(block, TextBlock))


def is_custom_block(block: object) -> TypeIs[CustomContentBlock]:
    """Return whether a content block is a custom block."""
    return isinstance(block, CustomContentBlock)
