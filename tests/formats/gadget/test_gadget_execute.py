"""Running calls: order, limits, failures, timeouts, cancellation. A wrong call affects only those that wait for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, suppress
from typing import Any

import pytest
from pydantic import BaseModel, Field, field_validator

from formats.gadget.gadget_cases import arguments, calls_of
from llmblocks.gadget import Execution, Failed, Finished, Gadget, GadgetCall, Skipped, Started, execute


def calls(*headers: str) -> list[GadgetCall]:
    return calls_of("".join(f"!!!GADGET_START:{header}\n!!!GADGET_END\n" for header in headers))


def call(header: str, **values: str) -> GadgetCall:
    text = arguments(*((name.replace("__", "/"), value) for name, value in values.items()))
    return calls_of(text.replace("G:i", header, 1))[0]


async def run(given: Any, gadgets: dict[str, Any], **options: Any) -> list[Execution]:
    return [event async for event in execute(given, gadgets, **options)]


def told(events: list[Execution]) -> list[tuple[str, str]]:
    return [(type(event).__name__.lower(), event.call.invocation_id) for event in events]


def failures(events: list[Execution]) -> list[tuple[str, str]]:
    return [(event.kind, event.error) for event in events if isinstance(event, Failed)]


def results(events: list[Execution]) -> list[Any]:
    return [event.result for event in events if isinstance(event, Finished)]


def others() -> set[asyncio.Task[Any]]:
    return {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}


async def nothing() -> None:
    await asyncio.sleep(0)


async def forever() -> None:
    await asyncio.Event().wait()


async def test_independent_calls_run_in_parallel() -> None:
    together, in_threads = asyncio.Barrier(3), threading.Barrier(3)
    gadgets: dict[str, Any] = {"M": together.wait, "T": lambda: in_threads.wait(120)}
    events = await run(calls("T:a", "T:b", "T:c", "M:d", "M:e", "M:f"), gadgets)
    assert told(events)[:6] == [("started", one) for one in "abcdef"]
    assert sorted(results(events)) == [0, 0, 1, 1, 2, 2]


async def test_a_limit_keeps_the_rest_waiting() -> None:
    running, most = 0, 0

    async def count() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(5):
            await asyncio.sleep(0)
        running -= 1

    events = await run(calls(*(f"C:{i}" for i in range(10))), {"C": count}, limit=3)
    assert most == 3
    assert len(results(events)) == 10


async def test_a_call_runs_after_what_it_depends_on() -> None:
    events = await run(calls("N:c:a,b", "N:a", "N:b:a"), {"N": nothing})
    assert told(events) == [(what, one) for one in "abc" for what in ("started", "finished")]


async def test_calls_start_and_are_skipped_while_the_response_still_arrives() -> None:
    started = asyncio.Event()

    async def begin() -> None:
        started.set()

    async def arriving() -> AsyncIterator[GadgetCall]:
        for one in calls("B:a", "Missing:b"):
            yield one
        await started.wait()  # would wait for ever if nothing ran before the end
        for one in calls("B:c:a", "B:d:b"):
            yield one

    events = await run(arriving(), {"B": begin})
    assert {each for each in told(events) if each[0] != "started"} == {
        ("failed", "b"), ("finished", "a"), ("skipped", "d"), ("finished", "c"),
    }  # fmt: skip


async def test_a_call_that_cannot_begin_fails_in_the_words_of_llmist() -> None:
    events = await run([*calls("Nope:a"), call("One:b", x__0="1", x__2="2")], {"One": nothing, "Two": nothing})
    assert failures(events) == [
        ("unknown_gadget", "Error: Gadget 'Nope' not found.\n\nAvailable gadgets: One, Two"),
        ("unreadable", "Error: Failed to parse parameters for 'One':\n  Array index gap: expected 1, got 2"),
    ]


async def test_a_json_schema_types_and_refuses_parameters() -> None:
    def show(id: str, count: int = 0) -> tuple[str, int]:  # noqa: A002
        return id, count

    properties = {"id": {"type": "string"}, "count": {"type": "integer", "default": 7}}
    schema = {"type": "object", "properties": properties, "required": ["id"]}
    given = [call("Show:a", id="007"), call("Show:b", id="1", count="x"), call("Show:c", count="1")]
    events = await run(given, {"Show": Gadget(show, schema)})
    assert results(events) == [("007", 7)]
    begin = "Error: Invalid parameters for 'Show':\n  - "
    assert failures(events) == [
        ("invalid", f"{begin}count: Invalid input: expected number, received string"),
        ("invalid", f"{begin}id: Invalid input: expected string, received undefined"),
    ]


async def test_a_gadget_with_a_model_gets_an_instance() -> None:
    class Point(BaseModel):
        x: int
        label: str = "-"

    async def show(point: Point) -> str:
        return f"{point.label}{point.x}"

    events = await run([call("P:a", x="4", label="007"), call("P:b", x="q")], {"P": Gadget(show, Point)})
    assert results(events) == ["0074"]
    assert [kind for kind, _ in failures(events)] == ["invalid"]


TIMEOUT = ("timeout", "Gadget 'F' execution exceeded timeout of 10ms")


async def test_a_gadget_that_takes_too_long_fails_and_is_cancelled() -> None:
    cancelled, release = asyncio.Event(), threading.Event()

    async def slow() -> None:
        try:
            await run(calls("F:x"), {"F": forever})
        finally:
            cancelled.set()

    events = await run(calls("F:a", "N:b:a"), {"F": Gadget(slow, timeout=0.01), "N": nothing}, timeout=60)
    assert told(events) == [("started", "a"), ("failed", "a"), ("skipped", "b")]
    assert failures(events) == [TIMEOUT]
    assert cancelled.is_set()
    assert others() == set()
    # a function cannot be stopped
    assert failures(await run(calls("F:a"), {"F": release.wait}, timeout=0.01)) == [TIMEOUT]
    release.set()


async def test_a_coroutine_that_catches_its_cancellation_has_failed_in_time() -> None:
    release = asyncio.Event()

    async def stubborn() -> str:
        for _ in range(2):
            with suppress(asyncio.CancelledError):
                await release.wait()
        return "done"

    # so that a run that waits for it ends as well
    asyncio.get_running_loop().call_later(5, release.set)
    events = []
    gadgets: dict[str, Any] = {"F": Gadget(stubborn, timeout=0.01), "N": nothing}
    async for event in execute(calls("F:a", "N:b:a"), gadgets, timeout=60):
        events.append(event)
        if isinstance(event, Skipped):
            # both are reported, and only then it ends
            release.set()
    assert [type(event) for event in events] == [Started, Failed, Skipped]
    assert failures(events) == [TIMEOUT]


async def test_a_long_chain_of_failures_takes_no_recursion() -> None:
    events = await run(calls("F:0", *(f"N:{i}:{i - 1}" for i in range(1, 3000))), {"N": nothing})
    assert len([event for event in events if isinstance(event, Skipped)]) == 2999


def raising(error: BaseException) -> Callable[[], Any]:
    def fail() -> Any:
        raise error

    return fail


def model(error: BaseException) -> type[BaseModel]:
    class Checked(BaseModel):
        n: int = 0

        @field_validator("n")
        @classmethod
        def check(cls, _: int) -> int:
            raise error

    return Checked


class UnsayableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Unsayable2Error(BaseException):
    def __str__(self) -> str:
        return 5  # type: ignore[return-value]


class Defaulted(BaseModel):
    n: int = Field(default_factory=raising(RuntimeError("no default")))


SCHEMAS: dict[str, Any] = {
    "a validator's RuntimeError": model(RuntimeError("validator")),
    "a validator's RecursionError": model(RecursionError("deep")),
    "a validator's SystemExit": model(SystemExit(3)),
    "a validator's unsayable exception": model(UnsayableError()),
    "a validator's unsayable ValueError": model(type("Odd", (ValueError, UnsayableError), {})()),
    "a raising default": Defaulted,
    "an unresolvable reference": {"$ref": "#/$defs/nowhere"},
    "an unresolvable reference inside": {"properties": {"n": {"$ref": "other.json"}}},
    "a reference to itself": {"$ref": "#"},
    "no schema": {"type": 5},
    "an invalid pattern": {"properties": {"n": {"pattern": "["}}},
    "a schema that is not a dict": 5,
    "a schema in text": "{}",
}


@pytest.mark.parametrize("name", SCHEMAS)
async def test_what_a_schema_raises_is_the_outcome_of_its_call(name: str) -> None:
    gadgets: dict[str, Any] = {"F": Gadget(nothing, SCHEMAS[name]), "N": nothing}
    events = await run([call("F:a", n="1"), *calls("F:b", "N:c:a", "N:d")], gadgets)
    kind, error = failures(events)[0]
    assert kind in ("raised", "invalid")
    assert error
    outcomes = {one: outcome for outcome, one in told(events) if outcome != "started"}
    assert (sorted(outcomes), outcomes["a"], outcomes["c"], outcomes["d"]) == (
        [*"abcd"],
        "failed",
        "skipped",
        "finished",
    )


RAISED: list[BaseException] = [
    StopIteration(), StopAsyncIteration(), ValueError(""), RecursionError("deep"), MemoryError(), SystemExit(1),
    GeneratorExit(), asyncio.CancelledError(), asyncio.InvalidStateError(), UnsayableError(), Unsayable2Error(),
    BaseException("bare"), BaseExceptionGroup("several", [SystemExit(1), ValueError("x")]), TimeoutError("slow"),
]  # fmt: skip


@pytest.mark.parametrize("raised", RAISED, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("where", ["thread", "loop", "awaitable"])
async def test_whatever_a_gadget_raises_is_its_outcome(raised: BaseException, where: str) -> None:
    async def in_loop() -> None:
        raise raised

    gadget = {"thread": raising(raised), "loop": in_loop, "awaitable": lambda: in_loop()}[where]
    events = await run(calls("F:a", "N:b", "N:c:a"), {"F": gadget, "N": nothing}, timeout=60)
    ((kind, error),) = failures(events)
    assert kind == ("cancelled" if isinstance(raised, asyncio.CancelledError) else "raised")
    assert error == "slow" if isinstance(raised, TimeoutError) else error
    assert ("finished", "b") in told(events)
    assert ("skipped", "c") in told(events)


async def test_a_keyboard_interrupt_in_a_thread_is_the_gadgets() -> None:
    events = await run(calls("F:a"), {"F": raising(KeyboardInterrupt())})
    assert failures(events) == [("raised", "KeyboardInterrupt")]


def test_a_keyboard_interrupt_in_the_loop_is_the_users() -> None:
    async def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(run(calls("F:a"), {"F": interrupted}))


@pytest.mark.parametrize("how", ["gives up", "swallows it", "raises something else", "goes on for a while"])
@pytest.mark.parametrize("closing", [False, True])
async def test_cancelling_or_closing_ends_the_run_whatever_a_gadget_makes_of_it(how: str, closing: bool) -> None:
    release = threading.Event()
    after: list[str] = []

    async def stubborn() -> str:
        try:
            await forever()
        except asyncio.CancelledError:
            after.append("cancelled")
            if how == "gives up":
                raise
            if how == "raises something else":
                raise ValueError("not now") from None
            if how == "goes on for a while":
                for _ in range(5):
                    await asyncio.sleep(0)
        return "ignored"

    gadgets: dict[str, Any] = {"S": stubborn, "L": lambda: after.append("ran"), "T": lambda: release.wait(60)}
    started = asyncio.Event()

    async def read() -> None:
        async with aclosing(execute(calls("S:a", "L:b:a", "T:c"), gadgets)) as events:
            async for event in events:
                if event.call.invocation_id == "c":
                    await asyncio.sleep(0)
                    started.set()
                    if closing:
                        return

    reader = asyncio.create_task(read())
    await started.wait()
    if not closing:
        reader.cancel()
    await asyncio.wait([reader])
    assert reader.cancelled() is not closing
    assert others() == set()
    assert after == ["cancelled"]
    release.set()


async def test_a_call_is_skipped_for_the_first_in_its_own_list_that_failed() -> None:
    late = asyncio.Event()

    async def slow() -> None:
        await late.wait()
        raise OSError("slow")

    async def fast() -> None:
        late.set()
        raise OSError("fast")

    gadgets: dict[str, Any] = {"S": slow, "F": fast, "N": nothing}
    events = await run(calls("S:a", "F:b", "N:c:a,b", "N:d:b,a", "N:e:zz,b", "N:f:e"), gadgets, failed=["zz2"])
    assert {(e.call.invocation_id, e.dependency, e.error) for e in events if isinstance(e, Skipped)} == {
        ("c", "a", "slow"), ("d", "b", "fast"), ("e", "b", "fast"), ("f", "e", "fast"),
    }  # fmt: skip
