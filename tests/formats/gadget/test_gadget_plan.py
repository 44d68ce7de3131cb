"""The order that calls can run in."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from llmblocks import check
from llmblocks.gadget import CallStarted, plan


def calls(*headers: str) -> list[CallStarted]:
    """ "a", "b:a,x": an id and what it depends on."""
    parts = [header.partition(":") for header in headers]
    return [CallStarted("G", name, tuple(needs.split(",")) if needs else ()) for name, _, needs in parts]


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


def test_a_call_that_waits_for_a_failure_names_it() -> None:
    *_, one, two = plan(calls("c0:c0", "c1:c0", "c2:c1")).unresolved.values()
    assert (one, two) == (("failed", "Dependency failed", ("c0",)), ("failed", "Dependency failed", ("c1",)))


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
