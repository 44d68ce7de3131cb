"""Delta transforms, streaming middleware, and chains of them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from inspect import isawaitable, isgeneratorfunction, signature
from typing import Any, Protocol, runtime_checkable

from llmblocks.tags.misuse import shown
from llmblocks.tags.pipeline.returned import deltas_in, refuse_awaitable


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


class Pipeline:
    """A chain of transforms: each processes the output of the previous one.

    At a flush, the output of a transform goes through `process` of every later one before that is flushed. Exceptions
    of transforms reach the caller; deltas on their way are returned by the next call.
    """

    __slots__ = ("_pending", "transforms")

    def __init__(self, *transforms: DeltaTransform) -> None:
        self.transforms = transforms
        # The deltas waiting before each transform and after the last one; empty between calls that do not fail.
        self._pending: list[list[object]] = [[] for _ in range(len(transforms) + 1)]

    def process(self, delta: object) -> list[object]:
        """Send one delta through every transform."""
        self._pending[0].append(delta)
        for place in range(len(self.transforms)):
            self._advance(place)
        return self._arrived()

    def flush(self) -> list[object]:
        """End the stream."""
        for place, transform in enumerate(self.transforms):
            self._advance(place)
            self._pending[place + 1] += _synchronous(transform.flush(), transform)
        return self._arrived()

    async def aprocess(self, delta: object) -> list[object]:
        """Do the same as `process`, with transforms that may be async."""
        self._pending[0].append(delta)
        for place in range(len(self.transforms)):
            await self._aadvance(place)
        return self._arrived()

    async def aflush(self) -> list[object]:
        """Do the same as `flush`, with transforms that may be async."""
        for place, transform in enumerate(self.transforms):
            await self._aadvance(place)
            flush = getattr(transform, "aflush", transform.flush)
            result = flush()
            self._pending[place + 1] += _listed(await result if isawaitable(result) else result)
        return self._arrived()

    def _advance(self, place: int) -> None:
        transform = self.transforms[place]
        deltas, self._pending[place] = self._pending[place], []
        behind = self._pending[place + 1]
        for index, delta in enumerate(deltas):
            try:
                behind += _synchronous(transform.process(delta), transform)
            except BaseException:
                self._pending[place] = deltas[index + 1 :]
                raise

    async def _aadvance(self, place: int) -> None:
        transform = self.transforms[place]
        process = getattr(transform, "aprocess", transform.process)
        deltas, self._pending[place] = self._pending[place], []
        behind = self._pending[place + 1]
        for index, delta in enumerate(deltas):
            try:
                result = process(delta)
                behind += _listed(await result if isawaitable(result) else result)
            except BaseException:
                self._pending[place] = deltas[index + 1 :]
                raise

    def _arrived(self) -> list[object]:
        arrived = self._pending[-1]
        self._pending[-1] = []
        return arrived


def compose(*transforms: TransformLike) -> Pipeline:
    """Chain transforms; lists among them are flattened.

    Raises:
        ValueError: Something is not a transform.
    """
    return Pipeline(*(member for transform in transforms for member in _members(transform)))


def as_transform(transform: TransformLike) -> DeltaTransform:
    """Convert a `TransformLike` to a transform."""
    members = _members(transform)
    return members[0] if len(members) == 1 else Pipeline(*members)


def _members(transform: TransformLike) -> list[DeltaTransform]:
    if isinstance(transform, list):
        return [member for one in transform for member in _members(one)]
    # A class has the methods too, but is a function that creates the transform.
    if isinstance(transform, DeltaTransform) and not isinstance(transform, type):
        return [transform]
    if isinstance(transform, tuple):
        if len(transform) == 2 and all(map(_is_function, transform)):
            return [Functions(*transform)]
        return [member for one in transform for member in _members(one)]
    if isgeneratorfunction(transform) and not signature(transform).parameters:
        return [Coroutine(transform)]
    if _is_function(transform):
        return [Functions(transform)]
    raise ValueError(
        f"{shown(transform)} is not a transform: give process and flush, a function, or a list of transforms"
    )


def _is_function(value: object) -> bool:
    return callable(value) and not isinstance(value, DeltaTransform)


class Functions:
    """A transform made from two functions: from a delta to deltas, and one that returns the rest."""

    __slots__ = ("_flush", "_process")

    def __init__(self, process: Callable[[Any], Any], flush: Callable[[], Any] | None = None) -> None:
        self._process = process
        self._flush = flush

    def process(self, delta: object) -> Any:
        result = self._process(delta)
        return result if isawaitable(result) else _listed(result)

    def flush(self) -> Any:
        if self._flush is None:
            return []
        result = self._flush()
        return result if isawaitable(result) else _listed(result)


class Coroutine:
    """A transform made from a generator function, which is started again for every stream."""

    __slots__ = ("_function", "_running")

    def __init__(self, function: Callable[[], Generator[Any, Any, Any]]) -> None:
        self._function = function
        self._running: Generator[Any, Any, Any] | None = None

    def process(self, delta: object) -> list[object]:
        first = []
        try:
            if self._running is None:
                self._running = self._function()
                first = _listed(next(self._running))
            return first + _listed(self._running.send(delta))
        except StopIteration:
            self._running = None
            raise ValueError(
                f"{self._function.__name__} returned before the end of the stream: loop until its yield gives None"
            ) from None
        except BaseException:
            # A generator that raised is finished; the next delta starts it again.
            self._running = None
            raise

    def flush(self) -> list[object]:
        running, self._running = self._running, None
        last: list[object] = []
        try:
            if running is None:
                running = self._function()
                last += _listed(next(running))
            last += _listed(running.send(None))
        except StopIteration as stop:
            return last + _listed(stop.value)
        running.close()
        return last


def _listed(result: object) -> list[object]:
    """Return the deltas that a transform returned. `None` means none."""
    return result if isinstance(result, list) else deltas_in("a transform", result)


def _synchronous(result: object, transform: object) -> list[object]:
    refuse_awaitable(result, repr(transform))
    return _listed(result)
