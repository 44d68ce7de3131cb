"""Values that cannot be planned, run, written or used as a schema are refused at once, by name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import pytest

from formats.gadget.gadget_cases import written
from formats.gadget.test_gadget_execute import calls, nothing, run
from llmblocks import gadget
from llmblocks.gadget import CallEnded, CallStarted

plan: Any = gadget.plan
render: Any = gadget.render
schema: Any = gadget.ParameterSchema
markers: Any = gadget.Markers


async def arriving(*given: Any) -> AsyncIterator[Any]:
    for one in given:
        yield one


def execute(given: Any, gadgets: Any = (), **options: Any) -> None:
    asyncio.run(run(given, gadgets or {}, **options))


NO_SCHEMAS: tuple[Any, ...] = (5, None, True, "{}", b"{}", int, [{}])
FOREIGN = "GadgetCall, not {}: give it the `call` of each CallEnded event"
IDS = "is a collection of ids, such as a set, not {}"
CASES: dict[str, list[tuple[Callable[[], object], str]]] = {
    "calls is an iterable of GadgetCall, not {}": [
        (lambda: plan(5), "int"),
        (lambda: plan("!!!GADGET_START:A\n"), "str"),
        (lambda: plan({"a": ("b",)}), "dict"),
        (lambda: plan(arriving()), "async_generator"),
        (lambda: plan(CallStarted("G", "a", ())), "CallStarted"),
    ],
    "calls is an iterable of GadgetCall, async or not, not {}": [
        (lambda: execute(5), "int"),
        (lambda: execute("text"), "str"),
    ],
    f"plan orders {FOREIGN}": [
        (lambda: plan(["a"]), "str"),
        (lambda: plan([{"invocation_id": "a"}]), "dict"),
        (lambda: plan([CallEnded(calls("A:a")[0])]), "CallEnded"),
    ],
    f"execute runs {FOREIGN}": [
        (lambda: execute(["text"]), "str"),
        (lambda: execute(arriving(None)), "NoneType"),
    ],
    f"render writes {FOREIGN}": [
        (lambda: render(None), "NoneType"),
        (lambda: render({"name": "A"}), "dict"),
        (lambda: render(CallEnded(calls("A:a")[0])), "CallEnded"),
    ],
    f"known {IDS}": [(lambda: plan([], "config"), "str"), (lambda: plan([], 5), "int")],
    f"failed {IDS}": [(lambda: execute([], failed="abc"), "str"), (lambda: execute([], failed=None), "NoneType")],
    f"`dependencies` of 'i' {IDS}": [
        (lambda: plan([written(dependencies="b")]), "str"),
        (lambda: render(written(dependencies=None)), "NoneType"),
    ],
    "a dependency of 'i' is the id of a call, not {}": [(lambda: plan([written(dependencies=(1,))]), "int")],
    "`invocation_id` of SimpleNamespace is a str, not {}": [(lambda: render(written(invocation_id=None)), "NoneType")],
    "`name` of 'i' is a str, not {}": [(lambda: render(written(name=5)), "int")],
    "`parameters` of 'i' is a dict, not {}": [
        (lambda: render(written(parameters=[1])), "list"),
        (lambda: render(written(parameters="x")), "str"),
    ],
    "gadgets is a mapping of names to functions or Gadgets, not {}": [(lambda: execute([], [nothing]), "list")],
    "gadgets['A'] is {}: give a function or a Gadget": [(lambda: execute([], {"A": 5}), "int")],
    "limit is {}": [(lambda: execute([], limit="2"), "'2'"), (lambda: execute([], limit=0), "0")],
    "timeout is {}": [(lambda: execute([], timeout="2"), "'2'"), (lambda: execute([], timeout=-1), "-1")],
    "a schema is a JSON Schema as a dict, or a pydantic model class, not {}": [
        (partial(schema, given), type(given).__name__) for given in NO_SCHEMAS
    ],
    "the start marker is a str, not {}": [(lambda: markers(start=b"<"), "bytes")],
}


@pytest.mark.parametrize("words", CASES)
def test_what_is_of_another_kind_is_refused_by_name(words: str) -> None:
    for use, kind in CASES[words]:
        with pytest.raises((TypeError, ValueError)) as refused:
            use()
        assert str(refused.value).startswith(words.format(kind))
