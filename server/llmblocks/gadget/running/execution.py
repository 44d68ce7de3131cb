"""Execution of gadget calls as they arrive: independent ones in parallel, dependent ones after their dependencies."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Collection, Iterable, Mapping
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal

from llmblocks.gadget.call import GadgetCall
from llmblocks.gadget.rules import G113_SELF_DEPENDENCY, G201_UNKNOWN_GADGET
from llmblocks.gadget.running.fates import FAILED_DEPENDENCY, Cause, check_calls, check_ids, fates
from llmblocks.gadget.running.schema import (
    AnySchema,
    ParameterError,
    ParameterSchema,
    prepare,
    validated,
    validated_model,
)

Failure = Literal["unknown_gadget", "unreadable", "invalid", "raised", "timeout", "cancelled"]


@dataclass(frozen=True, slots=True)
class Gadget:
    """A tool that calls can name. A `run` that cannot be called raises `TypeError`."""

    run: Callable[..., Any]
    """A function or a coroutine function. With a pydantic model as its schema, it gets an instance of the model,
    otherwise the parameters by keyword.
    """
    schema: AnySchema | None = None
    timeout: float | None = None
    """In seconds."""

    def __post_init__(self) -> None:
        if not callable(self.run):
            raise TypeError(f"a gadget runs a function, not {type(self.run).__name__}: give Gadget(function)")


@dataclass(frozen=True, slots=True)
class Started:
    """A call has started."""

    call: GadgetCall
    ignored: tuple[str, ...] = ()
    """The pointers of parameters that its JSON Schema forbids."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A call has finished."""

    call: GadgetCall
    result: Any
    """The gadget's return value."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A call could not run, or its gadget or schema raised `exception`."""

    call: GadgetCall
    kind: Failure
    error: str
    exception: BaseException | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A call was skipped because of a dependency."""

    call: GadgetCall
    dependency: str
    error: str
    """The error of the dependency, or the reason why it can never run."""


Execution = Started | Finished | Failed | Skipped
"""An event of `execute`."""
Waiting = tuple[GadgetCall, deque[str]]
"""A call with the dependencies that are left."""


async def execute(
    calls: AsyncIterable[GadgetCall] | Iterable[GadgetCall],
    gadgets: Mapping[str, Gadget | Callable[..., Any]],
    *,
    known: Collection[str] = (),
    failed: Collection[str] = (),
    limit: int | None = None,
    timeout: float | None = None,
) -> AsyncGenerator[Execution, None]:
    """Run calls, and yield events in the order in which they happen.

    An exception of a gadget or its schema, even SystemExit, is an event. A KeyboardInterrupt in the event loop, an
    exception of `calls`, or closing or cancelling this generator ends the run and cancels running calls. A function
    that is not a coroutine runs in a thread, which cannot be stopped: after a timeout it runs on, and its result is
    dropped. A coroutine that catches its cancellation also runs on, and with it the run.

    Args:
        calls: The calls, as they arrive.
        gadgets: The gadgets by name; calls may use another case.
        known: Ids of calls that completed in earlier responses.
        failed: Ids of calls that failed in earlier responses.
        limit: The maximum number of gadgets that run at a time.
        timeout: In seconds, for gadgets without a timeout.

    Raises:
        TypeError, ValueError: No call could run with these arguments.
    """
    _check(gadgets, calls, {"known": known, "failed": failed}, limit, timeout)
    events: asyncio.Queue[Execution | None] = asyncio.Queue()
    threads = ThreadPoolExecutor(limit or 32, thread_name_prefix="gadget")
    slots = asyncio.Semaphore(limit) if limit else None
    run = _Executor(gadgets, events, threads, slots, timeout, {*known}, dict.fromkeys(failed, FAILED_DEPENDENCY))
    driver = asyncio.create_task(run.drive(calls))
    driver.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while (event := await events.get()) is not None:
            yield event
        await driver
    finally:
        run.over = True
        driver.cancel()
        await asyncio.wait([driver])
        # this does not wait for functions that timed out
        threads.shutdown(wait=False, cancel_futures=True)
        if not driver.cancelled():
            driver.exception()  # retrieves the exception, or asyncio logs a complaint


def _caught(function: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    """Return the result or exception of a function: a future refuses StopIteration, and SystemExit ends the loop."""
    try:
        return function(), None
    except BaseException as error:
        return None, error


@dataclass(slots=True)
class _Executor:
    gadgets: Mapping[str, Gadget | Callable[..., Any]]
    events: asyncio.Queue[Execution | None]
    threads: ThreadPoolExecutor
    slots: asyncio.Semaphore | None
    timeout: float | None
    completed: set[str]
    failed: dict[str, str]  # with the error
    waiting: dict[str, list[Waiting]] = field(default_factory=dict)  # by the first dependency that is left
    over: bool = False  # cancelled, or ended by `calls`: ignore further outcomes
    schemas: dict[str, ParameterSchema] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # in lower case, because the runtime's registry ignores case
    group: asyncio.TaskGroup = field(default_factory=asyncio.TaskGroup)

    async def drive(self, calls: AsyncIterable[GadgetCall] | Iterable[GadgetCall]) -> None:
        self.names = {name.lower(): name for name in self.gadgets}
        try:
            async with self.group:
                try:
                    if isinstance(calls, AsyncIterable):
                        async for call in calls:
                            self.accept(call)
                    else:
                        for call in calls:
                            self.accept(call)
                except BaseException:
                    self.over = True
                    raise
        except BaseExceptionGroup as several:
            # gadgets' exceptions stay in their tasks: this one is from `calls`
            raise several.exceptions[0] from None
        self.give_up()

    def accept(self, call: GadgetCall) -> None:
        if not isinstance(call, GadgetCall):
            kind = type(call).__name__
            raise TypeError(f"execute runs GadgetCall, not {kind}: give it the `call` of each CallEnded event")
        self.decide([(call, deque([one for one in call.dependencies if one != call.invocation_id]))])

    def decide(self, undecided: Iterable[Waiting]) -> None:
        """Start or skip calls, and all that wait for a skipped one. Not recursive: chains can be long.

        A call is skipped for the first failed dependency in its own list, not for the first to fail.
        """
        calls = deque(undecided)
        while calls:
            call, left = calls.popleft()
            own = call.invocation_id
            while left and left[0] in self.completed and left[0] not in self.failed:
                left.popleft()
            if not left and call.dependencies and {*call.dependencies} == {own}:
                calls += self.skip(call, own, G113_SELF_DEPENDENCY.says({"id": own}))
            elif not left:
                self.group.create_task(self.run(call))
            elif left[0] in self.failed:
                calls += self.skip(call, left[0], self.failed[left[0]])
            else:
                self.waiting.setdefault(left[0], []).append((call, left))

    def skip(self, call: GadgetCall, dependency: str, error: str) -> list[Waiting]:
        """Report a skipped call, and return those that wait for it."""
        self.failed[call.invocation_id] = error
        self.events.put_nowait(Skipped(call, dependency, error))
        return self.waiting.pop(call.invocation_id, [])

    def give_up(self) -> None:
        """Skip calls that wait for a failure after a missing call, then all that wait for missing calls."""
        calls = [call for waiters in self.waiting.values() for call, _ in waiters]
        causes: dict[str, Cause] = {one: (one, "failed") for one in self.failed}
        found = [*zip(calls, fates(calls, (), self.completed, causes), strict=True)]
        for call, fate in sorted(found, key=lambda each: each[1].obstacle != "failed"):
            error = self.failed.get(fate.cause[0], fate.message)
            self.events.put_nowait(Skipped(call, fate.dependencies[0], error))

    async def run(self, call: GadgetCall) -> None:
        """Run a call to its outcome. An exception of its schema or gadget is its outcome and affects no other call."""
        is_reported = False

        def report(outcome: Finished | Failed) -> None:
            nonlocal is_reported
            if is_reported or self.over:
                return
            is_reported = True
            self.events.put_nowait(outcome)
            if isinstance(outcome, Finished):
                self.completed.add(call.invocation_id)
            else:
                self.failed[call.invocation_id] = outcome.error
            self.decide(self.waiting.pop(call.invocation_id, []))

        async with self.slots or nullcontext():
            outcome = await self.outcome(call, report)
        report(outcome)

    async def outcome(self, call: GadgetCall, report: Callable[[Failed], None]) -> Finished | Failed:
        """Return the outcome of a call; `report` its timeout in time, even if the call catches its cancellation."""
        name = call.name if call.name in self.gadgets else self.names.get(call.name.lower(), call.name)
        gadget = self.gadgets.get(name)
        if gadget is None:
            names = f"Available gadgets: {', '.join(self.gadgets)}"
            known = names if self.gadgets else "No gadgets are currently registered."
            return Failed(call, "unknown_gadget", f"{G201_UNKNOWN_GADGET.says({'name': call.name})}\n\n{known}")
        if not isinstance(gadget, Gadget):
            gadget = Gadget(gadget)
        if call.error is not None:
            message = f"Error: Failed to parse parameters for '{call.name}':\n  {call.error}"
            return Failed(call, "unreadable", message)
        limit = gadget.timeout if gadget.timeout is not None else self.timeout
        own = asyncio.current_task()
        late: asyncio.TimerHandle | None = None

        def end() -> None:
            message = f"Gadget '{call.name}' execution exceeded timeout of {round((limit or 0) * 1000)}ms"
            report(Failed(call, "timeout", message, TimeoutError()))
            if own is not None:
                own.cancel()

        try:
            try:
                bound, ignored = self.bind(call, gadget)
            except ParameterError as error:
                lines = [f"  - {one.pointer.replace('/', '.') or 'root'}: {one.message}" for one in error.errors]
                message = "\n".join([f"Error: Invalid parameters for '{call.name}':", *lines])
                return Failed(call, "invalid", message, error)
            self.events.put_nowait(Started(call, ignored))
            if limit is not None:
                late = asyncio.get_running_loop().call_later(limit, end)
            result, error_of_thread = await self.call(gadget.run, bound)
        except KeyboardInterrupt:
            raise  # the user's: a gadget's own, raised in its thread, was caught earlier
        except GeneratorExit as error:
            if asyncio.current_task() is not own:
                raise  # the event loop was stopped and closed this coroutine
            return _raised(call, error)
        except BaseException as error:
            self.leave_if_over()
            return _raised(call, error)
        finally:
            if late is not None:
                late.cancel()
        self.leave_if_over()
        return Finished(call, result) if error_of_thread is None else _raised(call, error_of_thread)

    def leave_if_over(self) -> None:
        """End this task if the run is over, even if its gadget has caught the cancellation."""
        if self.over:
            raise asyncio.CancelledError

    def bind(self, call: GadgetCall, gadget: Gadget) -> tuple[Callable[[], Any], tuple[str, ...]]:
        """Return the gadget, its typed and valid parameters, and the pointers unknown to its schema."""
        run = gadget.run
        if gadget.schema is None:
            parameters = call.parameters or {}
            return lambda: run(**parameters), ()
        schema = self.schemas.get(call.name)
        if schema is None:
            schema = self.schemas[call.name] = prepare(gadget.schema)
        typed = call.typed(schema.expected)
        if schema.model is not None:
            instance = validated_model(typed, schema.model)
            return lambda: run(instance), ()
        valid, ignored = validated(typed, schema)
        return lambda: run(**valid), ignored

    async def call(self, run: Callable[..., Any], bound: Callable[[], Any]) -> tuple[Any, BaseException | None]:
        """Run a coroutine function here, another in a thread. Return its result, or the exception in the thread."""
        if inspect.iscoroutinefunction(run) or inspect.iscoroutinefunction(type(run).__call__):
            return await bound(), None
        inside = contextvars.copy_context().run
        result, error = await asyncio.get_running_loop().run_in_executor(self.threads, inside, _caught, bound)
        return await result if inspect.isawaitable(result) else result, error


def _raised(call: GadgetCall, error: BaseException) -> Failed:
    if isinstance(error, asyncio.CancelledError | CancelledError):
        return Failed(call, "cancelled", f"Gadget '{call.name}' was cancelled", error)
    try:
        text = str(error)
    except Exception:
        text = ""
    return Failed(call, "raised", text or type(error).__name__, error)


def _check(gadgets: object, calls: object, ids: Mapping[str, object], limit: object, timeout: object) -> None:
    """Reject arguments that would fail in every call."""
    if not isinstance(gadgets, Mapping):
        raise TypeError(f"gadgets is a mapping of names to functions or Gadgets, not {type(gadgets).__name__}")
    for name, gadget in gadgets.items():
        if not isinstance(name, str) or not (isinstance(gadget, Gadget) or callable(gadget)):
            raise TypeError(f"gadgets[{name!r}] is {type(gadget).__name__}: give a function or a Gadget, by its name")
    check_calls(calls, AsyncIterable, Iterable)
    for name, given in ids.items():
        check_ids(name, given)
    if limit is not None and (not isinstance(limit, int) or limit < 1):
        raise ValueError(f"limit is {limit!r}: give None, or the number of gadgets that may run at a time, at least 1")
    if timeout is not None and not (isinstance(timeout, int | float) and timeout >= 0):
        raise ValueError(f"timeout is {timeout!r}: give None, or a number of seconds")
