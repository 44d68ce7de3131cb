"""A model provider after one interface: chunks in, stream events and a message out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from inspect import isgeneratorfunction, signature
from typing import TYPE_CHECKING, Any

from llmblocks.tags.deltas import need_callables, need_mapping, shown
from llmblocks.tags.pipeline import transform
from llmblocks.tags.pipeline.accumulator import Accumulator, StreamEvent
from llmblocks.tags.pipeline.transform import BlockDefinition, CustomBlocks, DeltaTransform, Pipeline, TransformLike

if TYPE_CHECKING:
    from llmblocks.tags.pipeline.content import Message

Opened = tuple[AsyncGenerator[Any, None], Callable[[Any], Any], str]
"""A provider's chunks, not yet started, and the function from a chunk to deltas, with its name."""


class EventStream:
    """The events of one response: `async for event in stream`.

    Attributes:
        message: The message so far, complete after the stream has ended in any way.
        error: The provider's exception.

    `cancel()` ends it early: the text held back is still emitted, then `MessageEnd`. If the iterating task is cancelled
    instead, the text held back goes into `message`, and the cancellation propagates.
    """

    def __init__(self, opens: Callable[[], Awaitable[Opened]], pipeline: Pipeline) -> None:
        self._accumulator = Accumulator()
        self._cancelled = False
        self._waiting: asyncio.Task[Any] | None = None
        self._events = self._run(opens, pipeline)
        self.error: Exception | None = None

    @property
    def message(self) -> Message:
        return self._accumulator.message

    def __aiter__(self) -> EventStream:
        return self

    async def __anext__(self) -> StreamEvent | Any:
        return await anext(self._events)

    async def aclose(self) -> None:
        """Stop at once and close the provider's stream, as `async with contextlib.aclosing(stream)` does."""
        await self._events.aclose()

    def cancel(self) -> None:
        """Request no further chunk. May be called from another task of the same event loop."""
        self._cancelled = True
        if self._waiting is not None:
            self._waiting.cancel()

    async def _run(
        self, opens: Callable[[], Awaitable[Opened]], pipeline: Pipeline
    ) -> AsyncGenerator[StreamEvent | Any, None]:
        chunks, to_deltas, source = await opens()
        async with aclosing(chunks):
            try:
                while not self._cancelled:
                    try:
                        chunk = await self._next(chunks)
                    except StopAsyncIteration:
                        break
                    except Exception as error:
                        self.error = error
                        break
                    deltas = transform.deltas_of_chunk(source, await transform.settled(to_deltas(chunk)))
                    for event in [each for delta in deltas for each in self._push(await pipeline.aprocess(delta))]:
                        yield event
                reason = "error" if self.error else "cancelled" if self._cancelled else None
                for event in self._push(await pipeline.aflush()) + self._accumulator.close(reason, self.error):
                    yield event
            except BaseException:
                # Nobody reads events any more, or a user's function failed: the text held back goes into the message.
                # An async transform cannot run now; the exception that is propagating matters more.
                with suppress(Exception):
                    self._push(pipeline.flush())
                raise

    async def _next(self, chunks: AsyncGenerator[Any, None]) -> Any:
        """Return the next chunk; `StopAsyncIteration` also after a concurrent `cancel`."""
        task = self._waiting = asyncio.current_task()
        try:
            return await anext(chunks)
        except asyncio.CancelledError:
            if self._cancelled and task is not None and not task.uncancel():
                raise StopAsyncIteration from None
            raise
        finally:
            self._waiting = None

    def _push(self, deltas: Iterable[object]) -> list[StreamEvent | Any]:
        return [event for delta in deltas for event in self._accumulator.push(delta)]


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
        need_callables(self, "map_chunk", "prepare_input", "execute", "execute_stream", "map_output")
        need_mapping("metadata", self.metadata or {}, '{"id": "my-model"}')
        self.metadata = dict(self.metadata or {})
        # rejected now, not in the first stream
        CustomBlocks(self.custom_blocks or {})
        self._blocks = dict(self.custom_blocks or {})
        if not _is_factory(self.delta_transform):
            self.pipeline()

    @property
    def prompt(self) -> str | None:
        """The description of the custom blocks for the system prompt."""
        return transform.prompt_text(self._blocks)

    def pipeline(self) -> Pipeline:
        """Return the transforms of one stream: custom blocks first, then the user's."""
        transforms: list[TransformLike] = [CustomBlocks(self._blocks)] if self._blocks else []
        if self.delta_transform is not None:
            transforms.append(self.delta_transform() if _is_factory(self.delta_transform) else self.delta_transform)
        return transform.compose(transforms)

    def stream(self, input: object) -> EventStream:  # noqa: A002 - the document's word
        """Call the provider, and iterate over the events as they arrive; without `execute_stream`, all at the end.

        An exception of the provider ends the stream: the text held back, `StreamFailed`, `MessageEnd`. Exceptions of
        `prepare_input`, `map_chunk`, a transform or `on_start` reach the caller.
        """
        return EventStream(lambda: self._open(input), self.pipeline())

    async def generate(self, input: object) -> Message:  # noqa: A002 - the document's word
        """Call the provider, and return the whole message. Its exceptions reach the caller."""
        whole = self.execute is not None and (self.map_output is not None or self.execute_stream is None)
        stream = EventStream(lambda: self._open(input, whole=whole), self.pipeline())
        async for _ in stream:
            pass
        if stream.error is not None:
            raise stream.error
        return stream.message

    async def _open(self, input: object, *, whole: bool = False) -> Opened:  # noqa: A002
        request = _prompted(input, self.prompt)
        if self.prepare_input:
            request = await transform.settled(self.prepare_input(request))
        if self.execute_stream is not None and not whole:
            return _streamed(self.execute_stream, request), self.map_chunk, "map_chunk"
        output = _streamed(self._execute, request)
        return (output, self.map_output, "map_output") if self.map_output else (output, self.map_chunk, "map_chunk")

    async def _execute(self, request: object) -> list[Any]:
        assert self.execute is not None
        return [await transform.settled(self.execute(request))]


def _is_factory(transform: Any) -> bool:
    is_transform = isgeneratorfunction(transform) or isinstance(transform, DeltaTransform)
    is_function = callable(transform) and (isinstance(transform, type) or not is_transform)
    return is_function and not signature(transform).parameters


def _prompted(given: Any, text: str | None) -> Any:
    """Add a text to the system message of the input, if it is a list of messages or a mapping with messages."""
    if isinstance(given, Mapping) and "messages" in given:
        return {**given, "messages": transform.with_prompt(given["messages"], text)}
    if isinstance(given, Sequence) and not isinstance(given, str) and all(isinstance(one, Mapping) for one in given):
        return transform.with_prompt(given, text)
    return given


async def _streamed(execute_stream: Callable[[Any], Any], request: object) -> AsyncGenerator[Any, None]:
    chunks: AsyncIterable[Any] | Iterable[Any] = await transform.settled(execute_stream(request))
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
            await transform.settled(close())
