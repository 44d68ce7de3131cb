"""Running calls: order, limits, failures, timeouts, cancellation."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, suppress
from typing import Any

from pydantic import BaseModel

from llmblocks.gadget import (
    CallEnded,
    Execution,
    Failed,
    Finished,
    Gadget,
    GadgetCall,
    GadgetStream,
    Skipped,
    Started,
    execute,
)


def calls(*headers: str, body: str = "") -> list[GadgetCall]:
    text = "".join(f"!!!GADGET_START:{header}\n{body}\n!!!GADGET_END\n" for header in headers)
    return [event.call for event in GadgetStream().feed(text) if isinstance(event, CallEnded)]


def call(header: str, **values: str) -> GadgetCall:
    (one,) = calls(
        header, body="\n".join(f"!!!ARG:{name.replace('__', '/')}\n{value}" for name, value in values.items())
    )
    return one


async def run(given: Any, gadgets: dict[str, Gadget | Callable[..., Any]], **options: Any) -> list[Execution]:
    return [event async for event in execute(given, gadgets, **options)]


def told(events: list[Execution]) -> list[tuple[str, str]]:
    return [(type(event).__name__.lower(), event.call.invocation_id) for event in events]


async def nothing() -> None:
    await asyncio.sleep(0)


async def test_independent_calls_run_in_parallel() -> None:
    together = asyncio.Barrier(3)

    async def meet() -> None:
        await together.wait()

    events = await run(calls("M:a", "M:b", "M:c"), {"M": meet})
    assert told(events)[:3] == [("started", "a"), ("started", "b"), ("started", "c")]
    assert {type(event) for event in events[3:]} == {Finished}


async def test_functions_run_in_threads_in_parallel() -> None:
    together = threading.Barrier(3)
    events = await run(calls("M:a", "M:b", "M:c"), {"M": lambda: together.wait(120)})
    assert sorted(event.result for event in events if isinstance(event, Finished)) == [0, 1, 2]


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
    assert len([event for event in events if isinstance(event, Finished)]) == 10


async def test_a_call_runs_after_what_it_depends_on() -> None:
    events = await run(calls("N:c:a,b", "N:a", "N:b:a"), {"N": nothing})
    assert told(events) == [
        ("started", "a"), ("finished", "a"), ("started", "b"), ("finished", "b"), ("started", "c"), ("finished", "c"),
    ]  # fmt: skip


async def test_calls_start_while_the_response_still_arrives() -> None:
    started = asyncio.Event()

    async def begin() -> None:
        started.set()

    async def arriving() -> AsyncIterator[GadgetCall]:
        yield calls("B:a")[0]
        await started.wait()  # would wait for ever if nothing ran before the end
        yield calls("B:b:a")[0]

    assert told(await run(arriving(), {"B": begin})) == [
        ("started", "a"), ("finished", "a"), ("started", "b"), ("finished", "b"),
    ]  # fmt: skip


async def test_a_late_call_is_skipped_for_an_early_failure() -> None:
    async def arriving() -> AsyncIterator[GadgetCall]:
        yield calls("Missing:a")[0]
        for _ in range(3):
            await asyncio.sleep(0)
        yield calls("N:b:a")[0]

    assert told(await run(arriving(), {"N": nothing})) == [("failed", "a"), ("skipped", "b")]


async def test_a_call_that_cannot_begin_fails_in_the_words_of_llmist() -> None:
    gadgets: dict[str, Any] = {"One": nothing, "Two": nothing}
    events = await run([*calls("Nope:a"), call("One:b", x__0="1", x__2="2")], gadgets)
    assert [(event.kind, event.error) for event in events if isinstance(event, Failed)] == [
        ("unknown_gadget", "Error: Gadget 'Nope' not found.\n\nAvailable gadgets: One, Two"),
        ("unreadable", "Error: Failed to parse parameters for 'One':\n  Array index gap: expected 1, got 2"),
    ]


async def test_a_json_schema_types_and_refuses_parameters() -> None:
    def show(id: str, count: int = 0) -> tuple[str, int]:  # noqa: A002
        return id, count

    schema = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "count": {"type": "integer", "default": 7}},
        "required": ["id"],
    }
    gadgets: dict[str, Gadget | Callable[..., Any]] = {"Show": Gadget(show, schema)}
    given = [call("Show:a", id="007"), call("Show:b", id="1", count="x"), call("Show:c", count="1")]
    events = await run(given, gadgets)
    finished = [event for event in events if isinstance(event, Finished)]
    assert [event.result for event in finished] == [("007", 7)]
    assert [(e.kind, e.error) for e in events if isinstance(e, Failed)] == [
        (
            "invalid",
            "Error: Invalid parameters for 'Show':\n  - count: Invalid input: expected number, received string",
        ),
        (
            "invalid",
            "Error: Invalid parameters for 'Show':\n  - id: Invalid input: expected string, received undefined",
        ),
    ]


async def test_a_gadget_with_a_model_gets_an_instance() -> None:
    class Point(BaseModel):
        x: int
        label: str = "-"

    async def show(point: Point) -> str:
        return f"{point.label}{point.x}"

    events = await run([call("P:a", x="4", label="007"), call("P:b", x="q")], {"P": Gadget(show, Point)})
    assert [event.result for event in events if isinstance(event, Finished)] == ["0074"]
    assert [event.kind for event in events if isinstance(event, Failed)] == ["invalid"]


async def test_a_gadget_that_takes_too_long_fails_and_is_cancelled() -> None:
    cancelled = asyncio.Event()

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    events = await run(calls("F:a", "N:b:a"), {"F": Gadget(forever, timeout=0.01), "N": nothing}, timeout=60)
    assert told(events) == [("started", "a"), ("failed", "a"), ("skipped", "b")]
    assert isinstance(events[1], Failed)
    assert (events[1].kind, events[1].error) == ("timeout", "Gadget 'F' execution exceeded timeout of 10ms")
    assert cancelled.is_set()


async def test_a_function_that_takes_too_long_continues_unheard() -> None:
    release = threading.Event()
    events = await run(calls("F:a"), {"F": release.wait}, timeout=0.01)
    release.set()
    assert [event.kind for event in events if isinstance(event, Failed)] == ["timeout"]


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
    assert isinstance(events[1], Failed)
    assert (events[1].kind, events[1].error) == ("timeout", "Gadget 'F' execution exceeded timeout of 10ms")


async def test_a_timeout_of_the_gadget_itself_is_not_a_timeout_of_ours() -> None:
    async def fail() -> None:
        raise TimeoutError("the server is slow")

    events = await run(calls("F:a"), {"F": fail}, timeout=60)
    assert [(e.kind, e.error) for e in events if isinstance(e, Failed)] == [("raised", "the server is slow")]


async def test_closing_cancels_what_runs() -> None:
    cancelled: list[str] = []

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append("forever")
            raise

    async with aclosing(execute(calls("F:a"), {"F": forever})) as events:
        async for event in events:
            assert isinstance(event, Started)
            await asyncio.sleep(0)
            break
    assert cancelled == ["forever"]
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


async def test_a_long_chain_of_failures_takes_no_recursion() -> None:
    chain = calls("F:0", *(f"N:{i}:{i - 1}" for i in range(1, 3000)))
    events = await run(chain, {"N": nothing})
    assert len([event for event in events if isinstance(event, Skipped)]) == 2999
