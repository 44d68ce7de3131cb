"""Delta transforms, streaming middleware, and chains of them."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterable, Callable, Coroutine, Generator, Iterator, Sequence, Set
from inspect import isawaitable, isgeneratorfunction, signature
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar, cast, runtime_checkable

from llmblocks.tags.misuse import shown

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
            raise ValueError(
                f"{self._function.__name__} returned before the end of the stream: loop until its yield gives None"
            ) from None
        self._running = running
        return made

    def flush(self) -> list[object]:
        made = self.process(None)
        self._running = None
        return made


def at_once(coroutine: Coroutine[Any, Any, _T]) -> _T:
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
    if isinstance(result, Coroutine):
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
    if isinstance(result, str | bytes | AsyncIterable):
        raise ValueError(f"{source} returned {shown(result)}: return a delta, such as TextDelta(text), a list or None")
    return [result]


def _is_several(result: object) -> bool:
    """Return whether a result is a collection of deltas, not a delta, as a named tuple is."""
    is_one = isinstance(result, str | bytes | bytearray) or hasattr(result, "_fields")
    return isinstance(result, Sequence | Set | Iterator) and not is_one
