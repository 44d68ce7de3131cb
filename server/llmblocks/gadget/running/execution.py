"""Run gadget calls as they arrive: independent ones in parallel, dependent ones after what they need."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from llmblocks.gadget.reading.call import GadgetCall
from llmblocks.gadget.running.outcomes import Execution, Failed, Failure, Finished, Gadget, Skipped, Started
from llmblocks.gadget.running.parameters import ParameterError, prepare, validated, validated_model
from llmblocks.gadget.running.planning import cannot_run, depends_on_itself
from llmblocks.gadget.running.schema import ParameterSchema


async def execute(
    calls: AsyncIterable[GadgetCall] | Iterable[GadgetCall],
    gadgets: Mapping[str, Gadget | Callable[..., Any]],
    *,
    known: Collection[str] = (),
    failed: Collection[str] = (),
    limit: int | None = None,
    timeout: float | None = None,
) -> AsyncGenerator[Execution, None]:
    """Run calls, and say what happens in the order in which it does.

    Shape:  `gadgets` are by name; a call may write a name in another case. `known` and `failed` are ids that earlier
            responses completed and that failed there. At most `limit` gadgets run at a time. `timeout` is in seconds,
            for every gadget that has none of its own.
    Errors: what a gadget raises is an event. What `calls` raises ends the run: what is running is cancelled, then it is
            raised. So does closing or cancelling this generator. A function that is not a coroutine runs in a thread,
            which cannot be stopped: after a timeout it goes on unheard.
    """
    if limit is not None and limit < 1:
        raise ValueError(f"limit is {limit}: at least one gadget must be able to run")
    events: asyncio.Queue[Execution | None] = asyncio.Queue()
    with _Threads(limit) as threads:
        run = _Run(gadgets, events, threads, set(known), set(failed), limit, timeout)
        driver = asyncio.create_task(run.drive(calls))
        driver.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
            await driver
        finally:
            driver.cancel()
            await asyncio.wait([driver])
            if not driver.cancelled():
                driver.exception()  # or asyncio complains that nobody asked


class _Threads:
    """The threads that functions run in; leaving does not wait for those that timed out."""

    def __init__(self, limit: int | None) -> None:
        self._limit = limit or 32
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> _Threads:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def run(self, function: Callable[[], Any]) -> Awaitable[Any]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._limit, thread_name_prefix="gadget")
        inside = contextvars.copy_context().run
        return asyncio.get_running_loop().run_in_executor(self._pool, inside, _without_stop_iteration, function)


def _without_stop_iteration(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except StopIteration as error:
        # a future that is given one never completes
        raise RuntimeError("the gadget raised StopIteration") from error


@dataclass(slots=True)
class _Run:
    """One run of `execute`: what waits, what is done."""

    gadgets: Mapping[str, Gadget | Callable[..., Any]]
    events: asyncio.Queue[Execution | None]
    threads: _Threads
    completed: set[str]
    failed: set[str]
    limit: int | None
    timeout: float | None
    errors: dict[str, str] = field(default_factory=dict)
    waiting: dict[int, tuple[GadgetCall, set[str]]] = field(default_factory=dict)  # by arrival
    dependents: dict[str, list[int]] = field(default_factory=dict)
    schemas: dict[str, ParameterSchema] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # by lower case: the runtime's registry does not mind case
    arrivals: int = 0
    group: asyncio.TaskGroup = field(default_factory=asyncio.TaskGroup)
    slots: asyncio.Semaphore | None = None

    async def drive(self, calls: AsyncIterable[GadgetCall] | Iterable[GadgetCall]) -> None:
        self.slots = asyncio.Semaphore(self.limit) if self.limit else None
        self.names = {name.lower(): name for name in self.gadgets}
        try:
            async with self.group:
                if isinstance(calls, AsyncIterable):
                    async for call in calls:
                        self.accept(call)
                else:
                    for call in calls:
                        self.accept(call)
        except BaseExceptionGroup as several:
            # no gadget's exception leaves its task: this is what `calls` raised
            raise several.exceptions[0] from None
        self.give_up()

    def accept(self, call: GadgetCall) -> None:
        """Start a call, or keep it until what it needs has run."""
        own = call.invocation_id
        needed = [one for one in call.dependencies if one != own]
        if call.dependencies and not needed:
            self.skip(call, own, depends_on_itself(own))
            return
        lost = next((one for one in needed if one in self.failed), None)
        if lost is not None:
            self.skip(call, lost, self.errors.get(lost, "Dependency failed"))
            return
        left = {one for one in needed if one not in self.completed}
        if not left:
            self.group.create_task(self.run(call))
            return
        self.arrivals += 1
        self.waiting[self.arrivals] = call, left
        for one in left:
            self.dependents.setdefault(one, []).append(self.arrivals)

    def skip(self, call: GadgetCall, dependency: str, error: str) -> None:
        self.events.put_nowait(Skipped(call, dependency, error))
        self.settle_failed(call.invocation_id, error)

    def settle_failed(self, invocation_id: str, error: str) -> None:
        """Skip what depends on a failure, and what depends on that; no recursion, chains are long."""
        lost = [(invocation_id, error)]
        while lost:
            one, why = lost.pop(0)
            self.failed.add(one)
            self.errors[one] = why
            for arrival in self.dependents.pop(one, ()):
                waiting = self.waiting.pop(arrival, None)
                if waiting is not None:
                    self.events.put_nowait(Skipped(waiting[0], one, why))
                    lost.append((waiting[0].invocation_id, why))

    def settle_completed(self, invocation_id: str) -> None:
        """Start what has waited for this call and for nothing else."""
        self.completed.add(invocation_id)
        for arrival in self.dependents.pop(invocation_id, ()):
            if arrival in self.waiting:
                call, left = self.waiting[arrival]
                left.discard(invocation_id)
                if not left:
                    del self.waiting[arrival]
                    self.group.create_task(self.run(call))

    def give_up(self) -> None:
        """Skip what still waits when nothing runs any more: it is circular, or waits for what never came."""
        ids = {call.invocation_id for call, _ in self.waiting.values()}
        for call, left in self.waiting.values():
            why = cannot_run(call.invocation_id, [one for one in call.dependencies if one in left], ids)
            self.events.put_nowait(Skipped(call, why.dependencies[0], why.message))

    async def run(self, call: GadgetCall) -> None:
        if self.slots is None:
            await self.run_now(call)
        else:
            async with self.slots:
                await self.run_now(call)

    async def run_now(self, call: GadgetCall) -> None:
        name = call.name if call.name in self.gadgets else self.names.get(call.name.lower(), call.name)
        gadget = self.gadgets.get(name)
        if gadget is None:
            self.fail(call, "unknown_gadget", _not_found(call.name, self.gadgets))
            return
        if not isinstance(gadget, Gadget):
            gadget = Gadget(gadget)
        if call.error is not None:
            message = f"Error: Failed to parse parameters for '{call.name}':\n  {call.error}"
            self.fail(call, "unreadable", message)
            return
        try:
            bound = self.bind(call, gadget)
        except ParameterError as error:
            lines = [f"  - {one.pointer.replace('/', '.') or 'root'}: {one.message}" for one in error.errors]
            self.fail(call, "invalid", "\n".join([f"Error: Invalid parameters for '{call.name}':", *lines]), error)
            return
        self.events.put_nowait(Started(call))
        limit = gadget.timeout if gadget.timeout is not None else self.timeout
        try:
            async with asyncio.timeout(limit) as clock:
                result = await self.call(gadget.run, bound)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            self.fail(call, "cancelled", f"Gadget '{call.name}' was cancelled", error)
        except Exception as error:
            if isinstance(error, TimeoutError) and clock.expired():
                milliseconds = round((limit or 0) * 1000)
                self.fail(
                    call, "timeout", f"Gadget '{call.name}' execution exceeded timeout of {milliseconds}ms", error
                )
            else:
                self.fail(call, "raised", str(error) or type(error).__name__, error)
        else:
            self.events.put_nowait(Finished(call, result))
            self.settle_completed(call.invocation_id)

    def fail(self, call: GadgetCall, kind: Failure, error: str, exception: BaseException | None = None) -> None:
        self.events.put_nowait(Failed(call, kind, error, exception))
        self.settle_failed(call.invocation_id, error)

    def bind(self, call: GadgetCall, gadget: Gadget) -> Callable[[], Any]:
        """The gadget with its parameters, typed and valid."""
        run = gadget.run
        if gadget.schema is None:
            parameters = call.parameters or {}
            return lambda: run(**parameters)
        schema = self.schemas.get(call.name)
        if schema is None:
            schema = self.schemas[call.name] = prepare(gadget.schema)
        typed = call.typed(schema.expected)
        if schema.model is not None:
            instance = validated_model(typed, schema.model)
            return lambda: run(instance)
        valid = validated(typed, schema)
        return lambda: run(**valid)

    async def call(self, run: Callable[..., Any], bound: Callable[[], Any]) -> Any:
        """Run a coroutine function here and any other function in a thread."""
        if inspect.iscoroutinefunction(run) or inspect.iscoroutinefunction(type(run).__call__):
            return await bound()
        result = await self.threads.run(bound)
        return await result if inspect.isawaitable(result) else result


def _not_found(name: str, gadgets: Mapping[str, object]) -> str:
    known = f"Available gadgets: {', '.join(gadgets)}" if gadgets else "No gadgets are currently registered."
    return f"Error: Gadget '{name}' not found.\n\n{known}"
