"""The order that calls can run in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from llmblocks import check
from llmblocks.gadget import CallStarted, GadgetStream, plan


def calls(*headers: str) -> list[CallStarted]:
    """ "a", "b:a,x": an id and what it depends on."""
    found = []
    for header in headers:
        name, _, needs = header.partition(":")
        found.append(CallStarted("G", name, tuple(needs.split(",")) if needs else ()))
    return found


PLANS = [
    (("a", "b", "c:a,b", "d:a", "e:c,d"), (("a", "b"), ("c", "d"), ("e",)), {}),
    (("b:a", "a"), (("a",), ("b",)), {}),
    (("b:a", "c:b", "d"), (("d",),), {"unknown": ("a",)}),
    (("a:c", "b:a", "c:b", "d:c", "e"), (("e",),), {"cycles": (("a", "c", "b"),)}),
    (("a:b,x", "b:a"), (), {"cycles": (("a", "b"),), "unknown": ("x",)}),
    (("a:a", "b:b,c", "c"), (("c",), ("b",)), {"self_dependent": ("a", "b")}),
    # what waits for a call that waits for itself fails with it, and is on no cycle
    (("c0:c0", "c1:c0", "c2:c1"), (), {"self_dependent": ("c0",)}),
    (("a", "b:a", "a:b"), (("a",), ("b",)), {"duplicates": ("a",)}),
]


@pytest.mark.parametrize(("given", "waves", "wrong"), PLANS)
def test_calls_run_in_waves_or_something_is_wrong(
    given: tuple[str, ...], waves: tuple[tuple[str, ...], ...], wrong: dict[str, Any]
) -> None:
    order = plan(calls(*given))
    assert order.waves == waves
    assert order.ok is (not wrong)
    for name in ("unknown", "cycles", "self_dependent", "duplicates"):
        assert getattr(order, name) == wrong.get(name, ())


def test_known_ids_have_run_already() -> None:
    assert plan(calls("b:a"), known={"a"}).waves == (("b",),)


def test_a_call_that_waits_for_a_failure_names_it() -> None:
    unresolved = plan(calls("c0:c0", "c1:c0", "c2:c1")).unresolved
    assert unresolved["c1"] == ("failed", "Dependency failed", ("c0",))
    assert unresolved["c2"] == ("failed", "Dependency failed", ("c1",))


def test_a_long_chain_takes_no_recursion() -> None:
    chain = [CallStarted("G", "0", ("9999",)), *(CallStarted("G", str(i), (str(i - 1),)) for i in range(1, 10_000))]
    assert [len(cycle) for cycle in plan(chain).cycles] == [10_000]
    assert len(plan(chain, known={"9999"}).waves) == 10_000


graphs = st.dictionaries(st.sampled_from("abcdefgh"), st.lists(st.sampled_from("abcdefghxy"), max_size=3, unique=True))


@example({"d": ["a", "f"], "a": ["a"], "f": ["d"]}, set())
@example({"b": ["b"], "a": ["b", "c"], "c": ["a"]}, {"b"})
@example({"c": ["a", "b"], "a": ["c"], "b": ["a"]}, set())
@example({"c": ["a", "b"], "a": ["c"], "b": ["c"]}, set())
@given(graphs, st.sets(st.sampled_from("xyab")))
def test_every_call_is_in_one_wave_or_unresolved(graph: dict[str, list[str]], known: set[str]) -> None:
    order = plan([CallStarted("G", name, tuple(needs)) for name, needs in graph.items()], known)
    placed = [name for wave in order.waves for name in wave]
    assert sorted([*placed, *order.unresolved]) == sorted(graph)
    done = set(known)
    for wave in order.waves:
        assert all(set(graph[name]) - {name} <= done for name in wave)
        done |= set(wave)
    # what waits for a call that waits for itself alone fails with it, and is in no cycle; llmist looks first at what
    # has failed, then at what earlier responses have completed
    failed = {name for name in graph if graph[name] == [name]}
    for _ in graph:
        failed |= {name for name in graph if not failed.isdisjoint({*graph[name]} - {name})}
    left = graph.keys() - failed
    needs = {name: {other for other in graph[name] if other != name and other in graph} - known for name in left}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError:
        assert order.cycles
    else:
        assert not order.cycles
    for cycle in order.cycles:
        assert all(following in graph[name] for name, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True))


def test_a_call_that_waits_for_itself_and_for_another_in_a_circle_is_on_one_circle() -> None:
    text = "".join(f"!!!GADGET_START:G:{header}\n!!!GADGET_END\n" for header in ("a:a,b", "b:a"))
    assert [(each.code, text[each.start : each.end]) for each in check(text, "gadget")] == [
        ("G113", "a"), ("G112", "b"), ("G112", "a"),
    ]  # fmt: skip


class Odd(NamedTuple):
    """A call whose fields may be anything."""

    invocation_id: Any
    dependencies: Any


async def arriving() -> AsyncIterator[CallStarted]:
    for one in calls("a"):
        yield one


@pytest.mark.parametrize(
    ("value", "known", "message"),
    [
        (5, (), "calls is an iterable of GadgetCall, not int"),
        ("!!!GADGET_START:A\n", (), "calls is an iterable of GadgetCall, not str"),
        ({"a": ("b",)}, (), "calls is an iterable of GadgetCall, not dict"),
        (arriving(), (), "calls is an iterable of GadgetCall, not async_generator"),
        (calls("a")[0], (), "calls is an iterable of GadgetCall, not CallStarted"),
        (["a"], (), "plan orders GadgetCall, not str: give it the `call` of each CallEnded event"),
        ([{"invocation_id": "a"}], (), "plan orders GadgetCall, not dict"),
        (GadgetStream().feed("!!!GADGET_START:A:a\n!!!GADGET_END"), (), None),
        ([Odd("a", "b")], (), "`dependencies` of 'a' is a collection of ids, such as a set, not str"),
        ([Odd("a", None)], (), "`dependencies` of 'a' is a collection of ids, such as a set, not None"),
        ([Odd("a", (1,))], (), "a dependency of 'a' is the id of a call, not int"),
        ([Odd(None, ())], (), "`invocation_id` of Odd is a str, not NoneType"),
        ([], "config", "known is a collection of ids, such as a set, not str"),
        ([], None, "known is a collection of ids, such as a set, not NoneType"),
        ([], 5, "known is a collection of ids, such as a set, not int"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_planned_is_refused_by_name(value: Any, known: Any, message: str | None) -> None:
    with pytest.raises(TypeError) as refused:
        plan(value, known)
    assert str(refused.value).startswith(message or "plan orders GadgetCall, not CallEnded")
