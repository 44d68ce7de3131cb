"""Definitions of custom blocks, and the transform that applies them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

from llmblocks.tags.deltas import CustomBlock, TagDelta
from llmblocks.tags.misuse import need_callables, need_mapping, shown
from llmblocks.tags.pipeline.returned import deltas_in, refuse_awaitable
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


def by_tag(definitions: Mapping[str, BlockDefinition]) -> dict[str, tuple[str, BlockDefinition]]:
    """Return the keys and definitions by XML tag.

    Raises:
        ValueError: Something is not a definition, such as the document's `{}`; no text can contain a tag; or two
            definitions share one.
    """
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


class CustomBlocks:
    """A delta transform that takes custom blocks out of text and applies their definitions.

    A complete block carries its key; its start, deltas and end carry the XML tag, as in agentick 0.15. They precede the
    call of `transform`, so a suppressed block has them too. Exceptions of `on_start` and `transform` reach the caller:
    the block of a failed transform is dropped, everything else is returned by the next call.

    Raises:
        ValueError: Two definitions have one tag, something is not a `BlockDefinition`, no text can contain a tag, an
            async transform runs outside of `aprocess` and `aflush`, or a transform returns anything but a list of
            deltas.
    """

    __slots__ = ("_defined", "_stream", "_waiting")

    def __init__(self, definitions: Mapping[str, BlockDefinition]) -> None:
        self._defined = by_tag(definitions)
        self._stream = TagStream(
            {tag: TagHandler(on_start=definition.on_start) for tag, (_, definition) in self._defined.items()}
        )
        # Only after an exception: deltas not yet returned.
        self._waiting: list[Any] = []

    def process(self, delta: object) -> list[TagDelta | Any]:
        """Read a delta, and return the deltas that it completes."""
        found = self._stream.process(delta)
        if not self._waiting:
            for one in found:
                if isinstance(one, CustomBlock):
                    break
            else:
                return found
        return self._transformed(found)

    def flush(self) -> list[TagDelta | Any]:
        """End the stream, and return the rest."""
        return self._transformed(self._stream.flush())

    async def aprocess(self, delta: object) -> list[TagDelta | Any]:
        """Do the same as `process`, with async transforms."""
        return await self._atransformed(self._stream.process(delta))

    async def aflush(self) -> list[TagDelta | Any]:
        """Do the same as `flush`, with async transforms."""
        return await self._atransformed(self._stream.flush())

    def _transformed(self, found: list[Any]) -> list[TagDelta | Any]:
        # a coroutine that waits for nothing ends at its first step
        try:
            self._atransformed(found, waits=False).send(None)
        except StopIteration as done:
            transformed: list[TagDelta | Any] = done.value
            return transformed
        raise AssertionError("nothing is awaited")

    async def _atransformed(self, found: list[Any], *, waits: bool = True) -> list[TagDelta | Any]:
        deltas = self._pending(found)
        out: list[TagDelta | Any] = []
        for index, delta in enumerate(deltas):
            if isinstance(delta, CustomBlock) and delta.tag in self._defined:
                try:
                    block, result = self._ask(delta)
                    if not waits:
                        refuse_awaitable(result, f"the transform of {block.tag!r}")
                    out += _instead(block, await result if isawaitable(result) else result)
                except BaseException:
                    self._waiting = out + deltas[index + 1 :]
                    raise
            else:
                out.append(delta)
        return out

    def _pending(self, found: list[Any]) -> list[TagDelta | Any]:
        if not self._waiting:
            return found
        deltas = self._waiting + found
        self._waiting = []
        return deltas

    def _ask(self, found: CustomBlock) -> tuple[CustomBlock, Replacement | Awaitable[Replacement]]:
        key, definition = self._defined[found.tag]
        block = CustomBlock(key, found.content, found.attrs, found.self_closing)
        return block, definition.transform(block) if definition.transform else None


def _instead(block: CustomBlock, result: Any) -> Iterable[object]:
    if isinstance(result, str):
        raise ValueError(f"the transform of {block.tag!r} returned a text: return deltas, such as [TextDelta(text)]")
    return (block,) if result is None else deltas_in(f"the transform of {block.tag!r}", result)
