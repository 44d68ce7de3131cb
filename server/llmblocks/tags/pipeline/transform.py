"""Delta transforms, chains of them, and those that apply the definitions of custom blocks."""

from __future__ import annotations

from collections import abc, deque
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import isawaitable, isgeneratorfunction, signature
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar, cast, runtime_checkable

from llmblocks.tags import deltas
from llmblocks.tags.deltas import CustomBlock, CustomBlockDelta, CustomBlockEvent, ReasoningDelta, TagDelta, shown
from llmblocks.tags.stream import NAME_RULE, TagHandler, TagStream
from llmblocks.tags.syntax import is_name

_T = TypeVar("_T")
if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVarWithDefault

    _D = TypeVarWithDefault("_D", default=Any)
else:
    _D = TypeVar("_D")


@runtime_checkable
class DeltaTransform(Protocol):
    """Maps each delta to any number of deltas.

    `flush` ends a stream and returns the rest. Both may return an awaitable, which a pipeline awaits in `aprocess` and
    `aflush`; if a transform has these two, they are called there instead.
    """

    def process(self, delta: Any, /) -> Any: ...

    def flush(self) -> Any: ...


TransformLike = Any
"""A `DeltaTransform`; a function from a delta to deltas; a pair of functions, the second one to flush; a generator
function without parameters, which receives deltas from its `yield`, yields lists of deltas, and receives `None` at
the end; or a list of these, applied in order.
"""


class Pipeline(Generic[_D]):
    """A chain of transforms: each processes the output of the previous one.

    At a flush, the output of a transform goes through `process` of every later one before that is flushed. Exceptions
    of transforms reach the caller; deltas on their way are returned by the next call.
    """

    def __init__(self, *transforms: DeltaTransform) -> None:
        self.transforms = transforms
        # The deltas waiting before each transform and after the last one; empty between calls that do not fail.
        self._pending: list[deque[Any]] = [deque() for _ in range(len(transforms) + 1)]

    def process(self, delta: object) -> list[_D]:
        """Send one delta through every transform."""
        return at_once(self._run(delta, waits=False))

    def flush(self) -> list[_D]:
        """End the stream."""
        return at_once(self._run(ends=True, waits=False))

    async def aprocess(self, delta: object) -> list[_D]:
        """Do the same as `process`, with transforms that may be async."""
        return await self._run(delta, waits=True)

    async def aflush(self) -> list[_D]:
        """Do the same as `flush`, with transforms that may be async."""
        return await self._run(ends=True, waits=True)

    async def _run(self, *deltas: object, waits: bool, ends: bool = False) -> list[_D]:
        self._pending[0] += deltas
        for transform, before, after in zip(self.transforms, self._pending, self._pending[1:], strict=False):
            process = getattr(transform, "aprocess", transform.process) if waits else transform.process
            while before:
                made = process(before.popleft())
                after += made if type(made) is list else deltas_in(await settled(made, transform, waits=waits))
            if ends:
                flush = getattr(transform, "aflush", transform.flush) if waits else transform.flush
                after += deltas_in(await settled(flush(), transform, waits=waits))
        arrived = [*self._pending[-1]]
        self._pending[-1].clear()
        return arrived


def compose(*transforms: TransformLike) -> Pipeline[object]:
    """Chain transforms; lists among them are flattened.

    Raises:
        ValueError: Something is not a transform.
    """
    return Pipeline(*(member for transform in transforms for member in _members(transform)))


def as_transform(transform: TransformLike) -> DeltaTransform:
    """Convert a `TransformLike` to a transform."""
    return compose(transform)


def _members(transform: TransformLike) -> list[DeltaTransform]:
    # A class has the methods too, but is a function that creates the transform.
    if isinstance(transform, DeltaTransform) and not isinstance(transform, type):
        return [transform]
    if isinstance(transform, tuple) and len(transform) == 2 and all(map(_is_function, transform)):
        return [Functions(*transform)]
    if isinstance(transform, list | tuple):
        return [member for one in transform for member in _members(one)]
    if isgeneratorfunction(transform) and not signature(transform).parameters:
        return [Generated(transform)]
    if _is_function(transform):
        return [Functions(transform)]
    text = shown(transform)
    raise ValueError(f"{text} is not a transform: give process and flush, a function, or a list of transforms")


def _is_function(value: object) -> bool:
    return callable(value) and not isinstance(value, DeltaTransform)


class Functions(NamedTuple):
    """A transform made from two functions: from a delta to deltas, and one that returns the rest."""

    process: Callable[[Any], Any]
    flush: Callable[[], Any] = list


class Generated:
    """A transform made from a generator function, which is started again for every stream, and after an exception."""

    def __init__(self, function: Callable[[], Generator[Any, Any, Any]]) -> None:
        self._function = function
        self._running: Generator[Any, Any, Any] | None = None

    def process(self, delta: object) -> list[object]:
        made: list[object] = []
        running, self._running = self._running, None
        try:
            if running is None:
                running = self._function()
                made += deltas_in(next(running))
            made += deltas_in(running.send(delta))
        except StopIteration as stop:
            if delta is None:
                return made + deltas_in(stop.value)
            name = self._function.__name__
            raise ValueError(f"{name} returned before the end of the stream: loop until its yield gives None") from None
        self._running = running
        return made

    def flush(self) -> list[object]:
        made = self.process(None)
        self._running = None
        return made


def at_once(coroutine: abc.Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine that waits for nothing, and so ends at its first step."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return cast("_T", done.value)
    raise AssertionError("nothing is awaited")


async def settled(result: Any, source: object = "", *, waits: bool = True) -> Any:
    """Await what a user's function returned. Without `waits`, an awaitable is a `ValueError` that names the source."""
    if not isawaitable(result):
        return result
    if waits:
        return await result
    # a coroutine that is never awaited warns when it is collected
    if isinstance(result, abc.Coroutine):
        result.close()
    raise ValueError(f"{source} is async: use aprocess and aflush")


def deltas_in(result: object, source: str = "a transform") -> list[object]:
    """Read several deltas: a list, a tuple, a set or a generator; `None` means none.

    Raises:
        ValueError: It is anything else: a mapping, or an iterable delta, would fall apart.
    """
    if isinstance(result, list):
        return result
    if result is None or _is_several(result):
        return list(result or ())  # type: ignore[call-overload, no-any-return]
    text = "the text " if isinstance(result, str | bytes) else ""
    raise ValueError(f"{source} returned {text}{shown(result)}: return a list of deltas, such as [TextDelta(text)]")


def deltas_of_chunk(source: str, result: object) -> list[object]:
    """Return the deltas of a chunk: one, several or none. `ValueError` for a value that cannot be a delta."""
    if result is None or _is_several(result):
        return deltas_in(result, source)
    if isinstance(result, str | bytes | abc.AsyncIterable):
        raise ValueError(f"{source} returned {shown(result)}: return a delta, such as TextDelta(text), a list or None")
    return [result]


def _is_several(result: object) -> bool:
    """Return whether a result is a collection of deltas, not a delta, as a named tuple is."""
    is_one = isinstance(result, str | bytes | bytearray) or hasattr(result, "_fields")
    return isinstance(result, Sequence | abc.Set | abc.Iterator) and not is_one


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
        deltas.need_callables(self, "transform", "on_start")


def _by_tag(definitions: Mapping[str, BlockDefinition]) -> dict[str, tuple[str, BlockDefinition]]:
    """Return the keys and definitions by XML tag, checked; see `CustomBlocks`."""
    deltas.need_mapping("custom blocks", definitions, '{"citation": BlockDefinition()}')
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
    parts = content if isinstance(content, Sequence) else ()
    return text in [part.get("text") if isinstance(part, Mapping) else getattr(part, "text", part) for part in parts]
