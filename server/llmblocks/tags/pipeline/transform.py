"""Delta transforms, streaming middleware, and chains of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence, Set
from inspect import isawaitable, isgeneratorfunction, signature
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from llmblocks.tags.misuse import shown

_T = TypeVar("_T")


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
        self._pending: list[deque[object]] = [deque() for _ in range(len(transforms) + 1)]

    def process(self, delta: object) -> list[object]:
        """Send one delta through every transform."""
        return at_once(self._run(delta, waits=False))

    def flush(self) -> list[object]:
        """End the stream."""
        return at_once(self._run(ends=True, waits=False))

    async def aprocess(self, delta: object) -> list[object]:
        """Do the same as `process`, with transforms that may be async."""
        return await self._run(delta, waits=True)

    async def aflush(self) -> list[object]:
        """Do the same as `flush`, with transforms that may be async."""
        return await self._run(ends=True, waits=True)

    async def _run(self, *deltas: object, waits: bool, ends: bool = False) -> list[object]:
        self._pending[0] += deltas
        for transform, before, after in zip(self.transforms, self._pending, self._pending[1:], strict=False):
            process, flush = transform.process, transform.flush
            if waits:
                process, flush = getattr(transform, "aprocess", process), getattr(transform, "aflush", flush)
            while before:
                after += _listed(await settled(process(before.popleft()), transform, waits=waits))
            if ends:
                after += _listed(await settled(flush(), transform, waits=waits))
        arrived = [*self._pending[-1]]
        self._pending[-1].clear()
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
    raise ValueError(
        f"{shown(transform)} is not a transform: give process and flush, a function, or a list of transforms"
    )


def _is_function(value: object) -> bool:
    return callable(value) and not isinstance(value, DeltaTransform)


class Functions(NamedTuple):
    """A transform made from two functions: from a delta to deltas, and one that returns the rest."""

    process: Callable[[Any], Any]
    flush: Callable[[], Any] = list


class Generated:
    """A transform made from a generator function, which is started again for every stream, and after an exception."""

    __slots__ = ("_function", "_running")

    def __init__(self, function: Callable[[], Generator[Any, Any, Any]]) -> None:
        self._function = function
        self._running: Generator[Any, Any, Any] | None = None

    def process(self, delta: object) -> list[object]:
        made = self._send(delta)
        if self._running is None:
            raise ValueError(
                f"{self._function.__name__} returned before the end of the stream: loop until its yield gives None"
            )
        return made

    def flush(self) -> list[object]:
        made = self._send(None)
        self._running = None
        return made

    def _send(self, delta: object) -> list[object]:
        made: list[object] = []
        running, self._running = self._running, None
        try:
            if running is None:
                running = self._function()
                made += _listed(next(running))
            made += _listed(running.send(delta))
        except StopIteration as stop:
            return made + _listed(stop.value)
        self._running = running
        return made


def _listed(result: object) -> list[object]:
    return deltas_in("a transform", result)


def at_once(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine that waits for nothing, and so ends at its first step."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: _T = done.value
        return result
    raise AssertionError("nothing is awaited")


async def settled(result: Any, source: object = "", *, waits: bool = True) -> Any:
    """Await what a user's function returned. Without `waits`, an awaitable is a `ValueError` that names the source."""
    if not isawaitable(result):
        return result
    if waits:
        return await result
    # a coroutine that is never awaited warns when it is collected
    if isinstance(result, Coroutine):
        result.close()
    raise ValueError(f"{source} is async: use aprocess and aflush")


def deltas_in(source: str, result: object) -> list[object]:
    """Read several deltas: a list, a tuple, a set or a generator; `None` means none.

    Raises:
        ValueError: It is anything else: a mapping, or an iterable delta, would fall apart.
    """
    if isinstance(result, list):
        return result
    if result is None:
        return []
    if is_several(result):
        return list(result)  # type: ignore[call-overload, no-any-return]
    text = "the text " if isinstance(result, str | bytes) else ""
    raise ValueError(f"{source} returned {text}{shown(result)}: return a list of deltas, such as [TextDelta(text)]")


def is_several(result: object) -> bool:
    """Return whether a result is a collection of deltas, not a delta."""
    if isinstance(result, tuple):
        return not hasattr(result, "_fields")  # a named tuple is a delta
    return isinstance(result, Sequence | Set | Iterator) and not isinstance(result, str | bytes | bytearray)
