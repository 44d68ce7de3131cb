"""What flows through a pipeline: text, and the four things that happen to a custom block.

These are made once per chunk, so they are plain slotted classes: freezing them would double what one costs. Nothing
here ever changes one after it was made, and nothing should.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class TextDelta:
    """Visible text, only what is new."""

    delta: str


@dataclass(slots=True)
class CustomBlockStart:
    """An opening tag was read to its end."""

    tag: str
    attrs: dict[str, str]


@dataclass(slots=True)
class CustomBlockDelta:
    """More content of the open block, only what is new."""

    tag: str
    delta: str


@dataclass(slots=True)
class CustomBlockEnd:
    """The closing tag of the open block was read; a block that the stream's end cuts short has none."""

    tag: str


@dataclass(slots=True)
class CustomBlock:
    """A complete block, with all of its content.

    Shape: a self-closing tag gives this one value alone, without start, delta and end.
    """

    tag: str
    content: str
    attrs: dict[str, str] = field(default_factory=dict)
    self_closing: bool = False


CustomBlockEvent = CustomBlockStart | CustomBlockDelta | CustomBlockEnd | CustomBlock
"""What a tag in the text becomes."""

TagDelta = TextDelta | CustomBlockEvent
"""What a `TagStream` makes of text."""
