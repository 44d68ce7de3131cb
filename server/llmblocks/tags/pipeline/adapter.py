"""A model provider after one interface: chunks in, stream events and a message out."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, TypeVar

from llmblocks.tags.misuse import need_callables, need_mapping, shown
from llmblocks.tags.pipeline.blocks import BlockDefinition, CustomBlocks
from llmblocks.tags.pipeline.prompt import prompt_text, with_prompt
from llmblocks.tags.pipeline.streaming import EventStream, Opened
from llmblocks.tags.pipeline.transform import DeltaTransform, Pipeline, TransformLike, compose

if TYPE_CHECKING:
    from llmblocks.tags.pipeline.content import Message

T = TypeVar("T")


@dataclass(kw_only=True, eq=False, repr=False)
class Adapter:
    """Runs a provider's output through custom blocks, then transforms, then an accumulator.

    Every function may be async.

    Attributes:
        prepare_input: Returns the provider's request for an input; the system message of the input already describes
            the custom blocks.
        map_chunk: Returns a delta, a list of deltas, or `None` for a chunk.
        execute_stream: Returns an iterable of chunks, async or not, for a request.
        execute: Returns a whole output for a request.
        map_output: Maps an output to deltas, as `map_chunk` maps a chunk.
        delta_transform: Anything that `compose` accepts, or a function without parameters that creates a transform for
            each stream. Transforms keep text between chunks, so pass a function if streams overlap.

    Raises:
        ValueError: Both `execute` and `execute_stream` are missing, something is not a function, or `CustomBlocks` or
            `compose` rejects its argument.

    Source: the custom blocks document, "Quick Start" and "Pipeline Order".
    """

    map_chunk: Callable[[Any], Any]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    prepare_input: Callable[[Any], Any] | None = None
    execute: Callable[[Any], Any] | None = None
    execute_stream: Callable[[Any], Any] | None = None
    map_output: Callable[[Any], Any] | None = None
    custom_blocks: Mapping[str, BlockDefinition] | None = None
    delta_transform: TransformLike | None = None

    def __post_init__(self) -> None:
        if self.execute is None and self.execute_stream is None:
            raise ValueError("an adapter needs execute, execute_stream or both")
        need_callables(self, "prepare_input", "execute", "execute_stream", "map_output")
        if not callable(self.map_chunk):
            raise ValueError(f"map_chunk of Adapter is {shown(self.map_chunk)}: give a function")
        need_mapping("metadata", self.metadata or {}, '{"id": "my-model"}')
        self.metadata = dict(self.metadata or {})
        # rejected now, not in the first stream
        CustomBlocks(self.custom_blocks or {})
        if self.delta_transform is not None and not _is_factory(self.delta_transform):
            compose(self.delta_transform)
        self._blocks = dict(self.custom_blocks or {})

    @property
    def prompt(self) -> str | None:
        """The description of the custom blocks for the system prompt."""
        return prompt_text(self._blocks)

    def pipeline(self) -> Pipeline:
        """Return the transforms of one stream: custom blocks first, then the user's."""
        first = [CustomBlocks(self._blocks)] if self._blocks else []
        transform = self.delta_transform
        if transform is None:
            return compose(*first)
        if _is_factory(transform):
            transform = transform()
        return compose(*first, transform)

    def stream(self, input: object) -> EventStream:  # noqa: A002 - the document's word
        """Call the provider, and iterate over the events as they arrive; without `execute_stream`, all at the end.

        An exception of the provider ends the stream: the text held back, `StreamFailed`, `MessageEnd`. Exceptions of
        `prepare_input`, `map_chunk`, a transform or `on_start` reach the caller.
        """
        return EventStream(lambda: self._chunks(input), self.pipeline())

    async def generate(self, input: object) -> Message:  # noqa: A002 - the document's word
        """Call the provider, and return the whole message. Its exceptions reach the caller."""
        whole = self.execute is not None and (self.map_output is not None or self.execute_stream is None)
        stream = EventStream(lambda: self._chunks(input, whole=whole), self.pipeline())
        async for _ in stream:
            pass
        if stream.error is not None:
            raise stream.error
        return stream.message

    async def _chunks(self, input: object, *, whole: bool = False) -> Opened:  # noqa: A002
        prepared = _prompted(input, self.prompt)
        request = await _settled(self.prepare_input(prepared)) if self.prepare_input else prepared
        if self.execute_stream is not None and not whole:
            return Opened(_opened(self.execute_stream, request), self.map_chunk, "map_chunk")
        assert self.execute is not None
        output = _single(self.execute, request)
        return Opened(output, *((self.map_output, "map_output") if self.map_output else (self.map_chunk, "map_chunk")))


def _is_factory(transform: object) -> bool:
    from inspect import isgeneratorfunction, signature

    if not callable(transform) or isgeneratorfunction(transform):
        return False
    if isinstance(transform, DeltaTransform) and not isinstance(transform, type):
        return False
    return not signature(transform).parameters


def _prompted(given: Any, text: str | None) -> Any:
    """Add a text to the system message of the input, if it is a list of messages or a mapping with messages."""
    if isinstance(given, Mapping) and "messages" in given:
        return {**given, "messages": with_prompt(given["messages"], text)}
    if isinstance(given, Sequence) and not isinstance(given, str) and all(isinstance(one, Mapping) for one in given):
        return with_prompt(given, text)
    return given


async def _settled(value: T | Awaitable[T]) -> T:
    return await value if isawaitable(value) else value


async def _opened(execute_stream: Callable[[Any], Any], request: object) -> AsyncIterator[Any]:
    chunks: AsyncIterable[Any] | Iterable[Any] = await _settled(execute_stream(request))
    if not isinstance(chunks, AsyncIterable | Iterable) or isinstance(chunks, Mapping):
        raise ValueError(f"execute_stream returned {shown(chunks)}: return an iterable of chunks, async or not")
    try:
        if isinstance(chunks, AsyncIterable):
            async for chunk in chunks:
                yield chunk
        else:
            for chunk in chunks:
                yield chunk
    finally:
        # A provider's stream holds a connection: close it even if nobody reads the rest.
        close = getattr(chunks, "aclose", None) or getattr(chunks, "close", None)
        if close:
            await _settled(close())


async def _single(execute: Callable[[Any], Any], request: object) -> AsyncIterator[Any]:
    yield await _settled(execute(request))
