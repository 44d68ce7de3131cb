"""A message as it is kept: pydantic models, which go to JSON and back. Imported when first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from typing_extensions import TypeIs


def _named(json: str, python: str, *, default: Any) -> Any:
    """A field that has one name in JSON and another in Python."""
    return Field(default=default, serialization_alias=json, validation_alias=AliasChoices(json, python))


class _Block(BaseModel):
    model_config = ConfigDict(frozen=True, serialize_by_alias=True)


class TextBlock(_Block):
    """Visible text."""

    type: Literal["text"] = "text"
    text: str


class CustomContentBlock(_Block):
    """A custom block at its place between the texts. Shape: `tag` is the key of its definition, not the XML tag."""

    type: Literal["custom"] = "custom"
    tag: str
    content: str
    attrs: dict[str, str] = Field(default_factory=dict)
    self_closing: bool = _named("selfClosing", "self_closing", default=False)


class ToolCallBlock(_Block):
    """A native tool call. Shape: `input` is the JSON value of its arguments, or their text where it is no JSON."""

    type: Literal["tool_call"] = "tool_call"
    id: str
    name: str
    input: Any = None


ContentBlock = Annotated[TextBlock | CustomContentBlock, Field(discriminator="type")]


class Message(_Block):
    """What a model said.

    Shape: `content` keeps texts and custom blocks in their order; no two texts are neighbours. JSON has the names of
           the document (`selfClosing`): `model_dump_json()`, `Message.model_validate_json(text)`.
    """

    role: Literal["assistant"] = "assistant"
    content: tuple[ContentBlock, ...] = ()
    reasoning: str = ""
    tool_calls: tuple[ToolCallBlock, ...] = _named("toolCalls", "tool_calls", default=())
    stop_reason: str | None = _named("stopReason", "stop_reason", default=None)
    usage: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """The visible text alone."""
        return "".join(block.text for block in self.content if isinstance(block, TextBlock))


def is_custom_block(block: object) -> TypeIs[CustomContentBlock]:
    """Whether a content block is a custom one."""
    return isinstance(block, CustomContentBlock)
