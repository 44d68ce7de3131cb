"""Errors of a schema or a gadget are the outcome of that call; a cancelled run leaves nothing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from pydantic import BaseModel, Field, field_validator

from formats.gadget.test_gadget_execute import call, calls, nothing, run, told
from llmblocks.gadget import Failed, Finished, Gadget, GadgetCall, Skipped, Started


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
    outcomes = {event.call.invocation_id: event for event in events if not isinstance(event, Started)}
    assert sorted(outcomes) == ["a", "b", "c", "d"]
    failed = outcomes["a"]
    assert isinstance(failed, Failed)
    assert failed.kind in ("raised", "invalid")
    assert failed.error
    assert isinstance(outcomes["c"], Skipped)
    assert isinstance(outcomes["d"], Finished)


RAISED: list[BaseException] = [
    StopIteration(), StopAsyncIteration(), ValueError(""), RecursionError("deep"), MemoryError(), SystemExit(1),
    GeneratorExit(), asyncio.CancelledError(), asyncio.InvalidStateError(), UnsayableError(), Unsayable2Error(),
    BaseException("bare"), BaseExceptionGroup("several", [SystemExit(1), ValueError("x")]),
]  # fmt: skip


@pytest.mark.parametrize("raised", RAISED, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("where", ["thread", "loop", "awaitable"])
async def test_whatever_a_gadget_raises_is_its_outcome(raised: BaseException, where: str) -> None:
    async def in_loop() -> None:
        raise raised

    gadget = {"thread": raising(raised), "loop": in_loop, "awaitable": lambda: in_loop()}[where]
    events = await run(calls("F:a", "N:b", "N:c:a"), {"F": gadget, "N": nothing}, timeout=60)
    (failed,) = (event for event in events if isinstance(event, Failed))
    assert failed.kind == ("cancelled" if isinstance(raised, asyncio.CancelledError) else "raised")
    assert failed.error
    assert ("finished", "b") in told(events)
    assert ("skipped", "c") in told(events)


async def test_a_keyboard_interrupt_in_a_thread_is_the_gadgets() -> None:
    (_, failed) = await run(calls("F:a"), {"F": raising(KeyboardInterrupt())})
    assert isinstance(failed, Failed)
    assert (failed.kind, failed.error) == ("raised", "KeyboardInterrupt")


def test_a_keyboard_interrupt_in_the_loop_is_the_users() -> None:
    async def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(run(calls("F:a"), {"F": interrupted}))


def others() -> set[asyncio.Task[Any]]:
    return {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}


async def cancelled(reader: asyncio.Task[Any]) -> None:
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert others() == set()


@pytest.mark.parametrize("how", ["gives up", "swallows it", "raises something else", "goes on for a while"])
async def test_cancelling_ends_the_run_whatever_a_gadget_makes_of_it(how: str) -> None:
    started = asyncio.Event()
    after: list[str] = []

    async def stubborn() -> str:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if how == "gives up":
                raise
            if how == "raises something else":
                raise ValueError("not now") from None
            if how == "goes on for a while":
                for _ in range(5):
                    await asyncio.sleep(0)
        return "ignored"

    async def later() -> None:
        after.append("ran")

    reader = asyncio.create_task(run(calls("S:a", "L:b:a"), {"S": stubborn, "L": later}))
    await started.wait()
    await cancelled(reader)
    assert after == []


async def test_a_timeout_ends_a_run_inside_a_gadget() -> None:
    async def nested() -> list[Any]:
        return await run(calls("F:x"), {"F": asyncio.Event().wait})

    events = await run(calls("O:a", "N:b"), {"O": Gadget(nested, timeout=0.01), "N": nothing})
    assert [event.kind for event in events if isinstance(event, Failed)] == ["timeout"]
    assert others() == set()


async def test_a_function_in_a_thread_does_not_keep_a_cancelled_run() -> None:
    started, release = threading.Event(), threading.Event()

    def wait() -> None:
        started.set()
        release.wait(60)

    reader = asyncio.create_task(run(calls("F:a"), {"F": wait}))
    await asyncio.to_thread(started.wait)
    await cancelled(reader)
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


async def arriving(given: list[Any]) -> AsyncIterator[GadgetCall]:
    for one in given:
        yield one


@pytest.mark.parametrize(
    ("given", "gadgets", "options", "message"),
    [
        (5, {}, {}, "calls is an iterable of GadgetCall"),
        ("text", {}, {}, "calls is an iterable of GadgetCall"),
        (["text"], {}, {}, "execute runs GadgetCall, not str: give it the `call` of each CallEnded event"),
        (arriving([None]), {}, {}, "execute runs GadgetCall, not NoneType"),
        ([], [nothing], {}, "gadgets is a mapping of names to functions or Gadgets, not list"),
        ([], {"A": 5}, {}, "gadgets\\['A'\\] is int: give a function or a Gadget"),
        ([], {}, {"known": "abc"}, "known is a collection of ids, such as a set, not str"),
        ([], {}, {"limit": "2"}, "limit is '2'"),
        ([], {}, {"limit": 0}, "limit is 0"),
        ([], {}, {"timeout": "2"}, "timeout is '2'"),
    ],
)
async def test_arguments_that_no_call_could_run_with_are_refused(
    given: Any, gadgets: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        await run(given, gadgets, **options)
    assert others() == set()
