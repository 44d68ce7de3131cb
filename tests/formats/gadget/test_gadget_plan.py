"""The order that calls can run in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from llmblocks.gadget import CallStarted, GadgetStream, plan


def calls(*headers: str) -> list[CallStarted]:
    """ "a", "b:a,x": an id and what it depends on."""
    found = []
    for header in headers:
        name, _, needs = header.partition(":")
        found.append(CallStarted("G", name, tuple(needs.split(",")) if needs else ()))
    return found


def test_calls_of_one_wave_need_only_earlier_waves() -> None:
    order = plan(calls("a", "b", "c:a,b", "d:a", "e:c,d"))
    assert order.waves == (("a", "b"), ("c", "d"), ("e",))
    assert order.ok


def test_a_call_can_depend_on_a_later_one() -> None:
    assert plan(calls("b:a", "a")).waves == (("a",), ("b",))


def test_known_ids_have_run_already() -> None:
    assert plan(calls("b:a"), known={"a"}).waves == (("b",),)


def test_an_unknown_dependency_keeps_a_call_and_its_dependents_from_running() -> None:
    order = plan(calls("b:a", "c:b", "d"))
    assert order.waves == (("d",),)
    assert order.unknown == ("a",)
    assert order.cycles == ()
    assert order.unresolved["b"].reason == "missing"
    assert order.unresolved["b"].message == (
        'Dependency "a" was never executed - check that the invocation ID exists and is spelled correctly'
    )
    # the runtime calls waiting for a waiting call circular, whatever that one waits for
    assert order.unresolved["c"].message == (
        'Circular dependency detected: "c" depends on "b" which also depends on "c" (directly or indirectly)'
    )


def test_calls_on_a_cycle_never_run() -> None:
    order = plan(calls("a:c", "b:a", "c:b", "d:c", "e"))
    assert order.waves == (("e",),)
    assert order.cycles == (("a", "c", "b"),)
    assert set(order.unresolved) == {"a", "b", "c", "d"}
    assert not order.ok


def test_a_cycle_with_something_missing_has_both_in_its_message() -> None:
    order = plan(calls("a:b,x", "b:a"))
    assert order.unresolved["a"].message == "Dependencies unresolvable: circular=[b], missing=[x]"


def test_a_call_that_depends_only_on_itself_never_runs() -> None:
    order = plan(calls("a:a", "b:b,c", "c"))
    assert order.waves == (("c",), ("b",))
    assert order.self_dependent == ("a", "b")
    assert order.unresolved["a"].message == 'Gadget "a" cannot depend on itself (self-referential dependency)'


def test_a_call_that_waits_for_one_that_depends_on_itself_is_reported_in_llmists_words() -> None:
    order = plan(calls("c0:c0", "c1:c0", "c2:c1"))
    assert order.unresolved["c1"] == ("failed", "Dependency failed", ("c0",))
    assert order.unresolved["c2"] == ("failed", "Dependency failed", ("c1",))
    assert (order.cycles, order.unknown) == ((), ())


def test_of_two_calls_with_one_id_the_first_counts() -> None:
    order = plan(calls("a", "b:a", "a:b"))
    assert order.waves == (("a",), ("b",))
    assert order.duplicates == ("a",)
    assert not order.ok


def test_a_long_chain_takes_no_recursion() -> None:
    chain = [CallStarted("G", "0", ("9999",)), *(CallStarted("G", str(i), (str(i - 1),)) for i in range(1, 10_000))]
    assert [len(cycle) for cycle in plan(chain).cycles] == [10_000]
    assert len(plan(chain, known={"9999"}).waves) == 10_000


graphs = st.dictionaries(st.sampled_from("abcdefgh"), st.lists(st.sampled_from("abcdefghxy"), max_size=3, unique=True))


@example({"d": ["a", "f"], "a": ["a"], "f": ["d"]}, set())
@example({"b": ["b"], "a": ["b", "c"], "c": ["a"]}, {"b"})
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
