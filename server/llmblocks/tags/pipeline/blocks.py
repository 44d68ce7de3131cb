"""Definitions of custom blocks, their description for the model, and the transforms that apply them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from llmblocks.tags.deltas import CustomBlock, CustomBlockDelta, CustomBlockEvent, ReasoningDelta, TagDelta
from llmblocks.tags.misuse import need_callables, need_mapping, shown
from llmblocks.tags.pipeline.transform import Functions, Pipeline, at_once, deltas_in, settled
from llmblocks.tags.stream import NAME_RULE, TagHandler, TagStream
from llmblocks.tags.syntax import is_name

Replacement = Iterable[object] | None
"""The deltas to emit instead of a block. An empty list suppresses it, `None` keeps it."""


@dataclass(frozen=True, slots=True)
class BlockDefinition:
    """One custom block.

    Attributes:
        tag: The XML tag to intercept, by default the key of this definition.
        description, instructions: Tell the model about it.
        transform: Returns a replacement for a block; may be async. See `Replacement`.
        on_start: Called with the attributes at the opening tag, before any content.

    Raises:
        ValueError: A text is not a `str`, or something is not a function.

    Source: the custom blocks document, "CustomBlockDefinition".
    """

    tag: str | None = None
    description: str | None = None
    instructions: str | None = None
    transform: Callable[[CustomBlock], Replacement | Awaitable[Replacement]] | None = None
    on_start: Callable[[dict[str, str]], object] | None = None

    def __post_init__(self) -> None:
        for name in ("tag", "description", "instructions"):
            if not isinstance(text := getattr(self, name), str | None):
                raise ValueError(f"{name} of BlockDefinition is {shown(text)}: give a str")
        need_callables(self, "transform", "on_start")


def _by_tag(definitions: Mapping[str, BlockDefinition]) -> dict[str, tuple[str, BlockDefinition]]:
    """Return the keys and definitions by XML tag, checked; see `CustomBlocks`."""
    need_mapping("custom blocks", definitions, '{"citation": BlockDefinition()}')
    found: dict[str, tuple[str, BlockDefinition]] = {}
    for key, definition in definitions.items():
        if not isinstance(definition, BlockDefinition):
            raise ValueError(f"the definition of {key!r} is {shown(definition)}: give a BlockDefinition")
        tag = key if definition.tag is None else definition.tag
        if not is_name(tag):
            raise ValueError(f"{key!r} would never be met as <{tag}>: {NAME_RULE}; give the definition such a tag")
        if tag in found:
            raise ValueError(f"{found[tag][0]!r} and {key!r} share the tag <{tag}>: give each its own")
        found[tag] = (key, definition)
    return found


class CustomBlocks(Pipeline[TagDelta | Any]):
    """A delta transform that takes custom blocks out of text and applies their definitions.

    A complete block carries its key; its start, deltas and end carry the XML tag, as in agentick 0.15. They precede the
    call of `transform`, so a suppressed block has them too. Exceptions of `on_start` and `transform` reach the caller:
    the block of a failed transform is dropped, everything else is returned by the next call.

    Raises:
        ValueError: Two definitions have one tag, something is not a `BlockDefinition`, no text can contain a tag, an
            async transform runs outside of `aprocess` and `aflush`, or a transform returns anything but a list of
            deltas.
    """

    def __init__(self, definitions: Mapping[str, BlockDefinition]) -> None:
        defined = _by_tag(definitions)
        handlers = {tag: TagHandler(on_start=definition.on_start) for tag, (_, definition) in defined.items()}
        super().__init__(TagStream(handlers), _Replacing(defined))


class _Replacing(NamedTuple):
    """The transform of complete blocks, by their tags."""

    defined: Mapping[str, tuple[str, BlockDefinition]]

    def process(self, delta: object) -> list[Any]:
        return at_once(self.aprocess(delta, waits=False)) if isinstance(delta, CustomBlock) else [delta]

    async def aprocess(self, delta: object, *, waits: bool = True) -> list[Any]:
        if not isinstance(delta, CustomBlock) or delta.tag not in self.defined:
            return [delta]
        key, definition = self.defined[delta.tag]
        block = CustomBlock(key, delta.content, delta.attrs, delta.self_closing)
        source = f"the transform of {key!r}"
        instead = await settled(definition.transform(block) if definition.transform else None, source, waits=waits)
        return [block] if instead is None else deltas_in(instead, source)

    def flush(self) -> list[Any]:
        return []


class ThinkTags(Pipeline[Any]):
    """A delta transform that takes `<think>` out of text and emits its content as `ReasoningDelta`s.

    `tags` stand for reasoning; their attributes are dropped. An unclosed block is reasoning up to the end.

    Source: `thinkTagTransform` of agentick 1.0.0-next.165, which loses the half of a tag at the end of such a block.
    """

    def __init__(self, tags: Iterable[str] = ("think",)) -> None:
        super().__init__(TagStream({tag: TagHandler() for tag in tags}), Functions(self._routed))
        self._given = 0

    def _routed(self, delta: object) -> list[Any]:
        if isinstance(delta, CustomBlock):
            rest, self._given = delta.content[self._given :], 0
            return [ReasoningDelta(rest)] if rest else []
        if isinstance(delta, CustomBlockDelta):
            self._given += len(delta.delta)
            return [ReasoningDelta(delta.delta)]
        return [] if isinstance(delta, CustomBlockEvent) else [delta]


def prompt_text(definitions: Mapping[str, BlockDefinition]) -> str | None:
    """List the blocks that have a description or instructions, or None.

    Raises:
        ValueError: `CustomBlocks` rejects the definitions.

    Source: the custom blocks document, "Model Instructions".
    """
    entries = [
        f"- <{tag}>: " + "\n  ".join(texts)
        for tag, (_, definition) in _by_tag(definitions).items()
        if (texts := [text for text in (definition.description, definition.instructions) if text])
    ]
    return "\n".join(["You can use the following XML tags in your output:", *entries]) if entries else None


def with_prompt(messages: Sequence[Mapping[str, Any]], text: str | None) -> list[Mapping[str, Any]]:
    """Append a text to the last system message, or insert a first one.

    A list as content gets another text block, a string gets the text after a blank line. The given messages are not
    changed. A text that a system message already contains is not added again.

    Args:
        messages: Mappings with `role` and `content`.
        text: The text.

    Raises:
        ValueError: The argument is not a list of mappings.
    """
    if not isinstance(messages, Sequence) or isinstance(messages, str):
        raise ValueError(f"with_prompt takes a list of messages, not {shown(messages)}")
    for message in messages:
        if not isinstance(message, Mapping):
            raise ValueError(f"{shown(message)} is not a message: give a mapping with role and content")
    found = list(messages)
    system = [index for index, message in enumerate(found) if message.get("role") == "system"]
    if text is None or any(_contains(found[index].get("content"), text) for index in system):
        return found
    block = {"type": "text", "text": text}
    if not system:
        return [{"role": "system", "content": [block]}, *found]
    last = found[system[-1]]
    content = last.get("content")
    more = "\n\n".join(filter(None, (content, text))) if isinstance(content, str) else [*(content or ()), block]
    found[system[-1]] = {**last, "content": more}
    return found


def _contains(content: object, text: str) -> bool:
    if isinstance(content, str):
        return text in content
    for part in content if isinstance(content, Sequence) else ():
        if text == (part.get("text") if isinstance(part, Mapping) else getattr(part, "text", part)):
            return True
    return False
