"""Our runner and planner against llmist's, run now: what becomes of each call, and why; and the waves of a plan."""

from __future__ import annotations

import asyncio
import json
import random
from graphlib import CycleError, TopologicalSorter
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from formats.gadget.gadget_cases import calls_of
from formats.gadget.llmist_peer import asked
from llmblocks import check
from llmblocks.gadget import CallStarted, Failed, Finished, Skipped, execute, plan
from llmblocks.gadget.running.fates import fates

Told = dict[str, tuple[str, str | None, str | None]]


def run_llmist(cases: list[dict[str, Any]]) -> list[Told]:
    # its registry has names in lower case, ours has them unchanged
    text = json.dumps(asked("llmist_run.mjs", cases))
    results = json.loads(text.replace("Available gadgets: ok, fail, slow", "Available gadgets: Ok, Fail, Slow"))
    return [{one: (outcome, error, dependency) for one, outcome, error, dependency in told} for told in results]


async def run_ours(case: dict[str, Any]) -> Told:
    async def ok() -> str:
        return "ok"

    async def fail() -> None:
        raise OSError("no disk")

    async def slow() -> str:
        await asyncio.sleep(0.02)
        return "ok"

    told: Told = {}
    gadgets = {"Ok": ok, "Fail": fail, "Slow": slow}
    async for event in execute(calls_of(case["text"]), gadgets, known=case["known"], failed=case["failed"]):
        match event:
            case Finished(call):
                told[call.invocation_id] = "finished", None, None
            case Failed(call, _, error):
                told[call.invocation_id] = "failed", error, None
            case Skipped(call, dependency, error):
                told[call.invocation_id] = "skipped", error, dependency
    return told


def graph(chance: random.Random) -> dict[str, Any]:
    """Calls that depend on one another in any way, or on earlier ones and ids of earlier responses."""
    ids = [f"c{number}" for number in range(chance.randint(1, 8))]
    backward = chance.random() < 0.5
    text = ""
    for number, one in enumerate(ids):
        possible = [*ids[: number + 1], "known", "lost", "nowhere"] if backward else [*ids, "lost", "nowhere"]
        needs = chance.sample(possible, min(len(possible), chance.choice([0, 0, 1, 1, 2, 3])))
        name = chance.choice(["Ok", "Ok", "Ok", "Ok", "oK", "Fail", "Nope"])
        text += f"!!!GADGET_START:{':'.join([name, one, *([','.join(needs)] * bool(needs))])}\n!!!GADGET_END\n"
    return {"text": text, "known": ["known"], "failed": ["lost"]}


def gave_up_early(case: dict[str, Any], theirs: Told) -> bool:
    """Return whether llmist said of a call of this response that it never ran."""
    ids = {call.invocation_id for call in calls_of(case["text"])}
    return any(error and f'Dependency "{one}" was never' in error for one in ids for _, error, _ in theirs.values())


@pytest.mark.slow
async def test_every_call_of_a_random_graph_ends_as_with_llmist() -> None:
    cases = [graph(random.Random(number)) for number in range(300)]
    early = 0
    for case, theirs in zip(cases, run_llmist(cases), strict=True):
        if gave_up_early(case, theirs):
            early += 1
            continue
        ours = await run_ours(case)
        assert {one: told[0] for one, told in ours.items()} == {one: told[0] for one, told in theirs.items()}, case
        lost = {"lost", *(one for one, told in ours.items() if told[0] != "finished")}
        for call in calls_of(case["text"]):
            outcome, error, dependency = ours[call.invocation_id]
            _, their_error, their_dependency = theirs[call.invocation_id]
            several = len([one for one in call.dependencies if one in lost and one != call.invocation_id]) > 1
            if outcome == "failed":
                assert error == their_error
            elif outcome == "skipped" and not several:  # of several, which one is lost first is a matter of time
                assert dependency == their_dependency
                if their_error == "Dependency failed" and dependency != "lost":
                    assert error in {told[1] for told in ours.values()}  # on purpose: we say what failed in the end
                else:
                    assert error == their_error
    assert early < 15


@pytest.mark.slow
def test_the_fate_of_every_call_of_a_random_graph_is_that_with_llmist() -> None:
    seen: set[str] = set()
    cases = [graph(random.Random(number)) for number in range(300, 700)]
    for case in cases:  # what a gadget does, nobody knows before
        case["text"] = case["text"].replace(":Fail:", ":Ok:")
    for case, theirs in zip(cases, run_llmist(cases), strict=True):
        if gave_up_early(case, theirs):
            continue
        calls = calls_of(case["text"])
        errors = ["" if call.name.lower() == "ok" else f"Error: Gadget '{call.name}' not found." for call in calls]
        told = fates(calls, errors, case["known"], dict.fromkeys(case["failed"], ("lost", "rejected")))
        for call, fate in zip(calls, told, strict=True):
            outcome, error, _ = theirs[call.invocation_id]
            assert (fate.kind == "runs") == (outcome == "finished"), (fate, case)
            early = error == "Dependency failed" and fate.obstacle == "cycle"  # it gave up on it while this waited
            if (fate.kind == "never ran" and not early) or (fate.kind == "rejected" and outcome == "failed"):
                assert (error or "").startswith(fate.message), (fate, case)
            seen.add(fate.says.partition(":")[0].rstrip("0123456789 "))
    assert seen == {"wave", "rejected", "skipped", "never ran"}


@pytest.mark.slow
def test_calls_with_one_id_all_run_and_one_that_fails_blocks_the_others() -> None:
    header = "!!!GADGET_START:{}\n!!!GADGET_END\n".format
    texts = ["".join(map(header, each)) for each in (("Ok:a", "Ok:a", "Ok:b:a"), ("Ok:b:a", "Ok:a", "Nope:a"))]
    both, one = run_llmist([{"text": text, "known": [], "failed": []} for text in texts])
    assert [fate.says for fate in fates(calls_of(texts[0]))] == ["wave 1", "wave 1", "wave 2"]
    assert {told[0] for told in both.values()} == {"finished"}
    told = fates(calls_of(texts[1]), ["", "", "Error: Gadget 'Nope' not found."])
    assert [fate.says for fate in told] == ["skipped: a is rejected", "wave 1", "rejected: Gadget 'Nope' not found"]
    assert one["b"][0] == "skipped"


def starts(*headers: str) -> list[CallStarted]:
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
    order = plan(starts(*given))
    assert order.waves == waves
    assert order.ok is (not wrong)
    for name in ("unknown", "cycles", "self_dependent", "duplicates"):
        assert getattr(order, name) == wrong.get(name, ())


def test_a_call_that_waits_for_a_failure_names_it() -> None:
    *_, one, two = plan(starts("c0:c0", "c1:c0", "c2:c1")).unresolved.values()
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
