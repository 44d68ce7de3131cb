"""The deltas of a pipeline: text, and the start, the pieces, the end and the whole of a custom block.

Every chunk creates some, so they are plain slotted classes: freezing would double the cost. Do not modify them.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class TextDelta:
    """The next piece of visible text."""

    delta: str


@dataclass(slots=True)
class CustomBlockStart:
    """A complete opening tag."""

    tag: str
    attrs: dict[str, str]


@dataclass(slots=True)
class CustomBlockDelta:
    """The next piece of the open block's content."""

    tag: str
    delta: str


@dataclass(slots=True)
class CustomBlockEnd:
    """The closing tag of the open block. A block cut off by the end of the stream has none."""

    tag: str


@dataclass(slots=True)
class CustomBlock:
    """A complete block with its content. A self-closing tag gives only this delta, without start, delta and end."""

    tag: str
    content: str
    attrs: dict[str, str] = field(default_factory=dict)
    self_closing: bool = False


CustomBlockEvent = CustomBlockStart | CustomBlockDelta | CustomBlockEnd | CustomBlock
"""The deltas of a tag."""

TagDelta = TextDelta | CustomBlockEvent
"""The deltas that a `TagStream` creates."""
