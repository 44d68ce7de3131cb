"""A provider's response, from its first chunk to the end of the message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, NamedTuple

from llmblocks.tags.pipeline.accumulator import Accumulator
from llmblocks.tags.pipeline.events import StreamEvent
from llmblocks.tags.pipeline.returned import deltas_of_chunk
from llmblocks.tags.pipeline.transform import Pipeline

if TYPE_CHECKING:
    from llmblocks.tags.pipeline.content import Message


class Opened(NamedTuple):
    """A provider's chunks, not yet started."""

    chunks: AsyncIterator[Any]
    to_deltas: Callable[[Any], Any]
    """Maps a chunk to deltas."""
    source: str
    """The name of that function."""


class EventStream:
    """The events of one response: `async for event in stream`.

    Attributes:
        message: The message so far, complete after the stream has ended in any way.
        error: The provider's exception.

    `cancel()` ends it early: the text held back is still emitted, then `MessageEnd`. If the iterating task is cancelled
    instead, the text held back goes into `message`, and the cancellation propagates.
    """

    __slots__ = ("_accumulator", "_cancelled", "_events", "_open", "_pipeline", "_waiting", "error")

    def __init__(self, chunks: Callable[[], Awaitable[Opened]], pipeline: Pipeline) -> None:
        self._open = chunks
        self._pipeline = pipeline
        self._accumulator = Accumulator()
        self._cancelled = False
        self._waiting: asyncio.Task[Any] | None = None
        self._events = self._run()
        self.error: Exception | None = None

    @property
    def message(self) -> Message:
        return self._accumulator.message

    def __aiter__(self) -> AsyncIterator[StreamEvent | Any]:
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

    async def _run(self) -> AsyncGenerator[StreamEvent | Any, None]:
        chunks, to_deltas, source = await self._open()
        try:
            while not self._cancelled:
                try:
                    chunk = await self._next(chunks)
                except StopAsyncIteration:
                    break
                except Exception as error:
                    self.error = error
                    break
                for event in await self._events_of(to_deltas(chunk), source):
                    yield event
            for event in await self._rest():
                yield event
        except BaseException:
            # Nobody reads events any more, or a user's function failed: the text held back goes into the message.
            self._keep()
            raise
        finally:
            close = getattr(chunks, "aclose", None)
            if close:
                await close()

    async def _next(self, chunks: AsyncIterator[Any]) -> Any:
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

    async def _events_of(self, result: Any, source: str) -> list[StreamEvent | Any]:
        deltas = deltas_of_chunk(source, await result if isawaitable(result) else result)
        events: list[StreamEvent | Any] = []
        for delta in deltas:
            for made in await self._pipeline.aprocess(delta):
                events += self._accumulator.push(made)
        return events

    async def _rest(self) -> list[StreamEvent | Any]:
        events: list[StreamEvent | Any] = []
        for made in await self._pipeline.aflush():
            events += self._accumulator.push(made)
        reason = "error" if self.error else "cancelled" if self._cancelled else None
        return events + self._accumulator.close(reason, self.error)

    def _keep(self) -> None:
        try:
            for made in self._pipeline.flush():
                self._accumulator.push(made)
        except Exception:
            # An async transform cannot run now; the exception that is propagating matters more.
            return
