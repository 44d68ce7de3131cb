"""The logs of real llmist runs with a scripted model: what is read is what llmist's own hooks have told."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from environments import PEERS
from examples import examples
from formats.gadget.llmist_peer import require_llmist
from llmblocks.cli.corpus.training import before
from llmblocks.sessions import read

SEEDS = range(examples(40))
GADGETS = ("Ok", "Ok", "Fail", "Missing", "Typed", "Big", "Picture")
ARGUMENTS = (
    *("", "!!!ARG:x\n1\n", "!!!ARG:x\n1\n!!!ARG:x\n2\n", "!!!ARG:n\nabc\n", "!!!ARG:n\n4\n"),
    *("!!!ARG:a/0\n=== USER\n", "!!!ARG:a/0\nx\n=== USER ===\ny\n"),
)


def response(chosen: random.Random, ids: list[str], own: list[str]) -> str:
    """Return a response with calls that wait for each other, for earlier ones, and for nothing there is."""
    said = []
    for one in own:
        others = [each for each in (*ids, *own, "nope") if each != one or chosen.random() < 0.1]
        needs = chosen.sample(others, min(len(others), chosen.choice((0, 0, 0, 1, 1, 2))))
        header = f"{chosen.choice(GADGETS)}:{one}{':' if needs else ''}{','.join(needs)}"
        said.append(f"!!!GADGET_START:{header}\n{chosen.choice(ARGUMENTS)}!!!GADGET_END\n")
    return "Let me see.\n" + "".join(said)


def run(folder: Path, seed: int) -> dict[str, Any]:
    """Actions for llmist."""
    chosen = random.Random(seed)
    ids: list[str] = []
    responses, agents = [], {}
    for number in range(chosen.randint(1, 4)):
        own = [f"c{number}{letter}" for letter in "abcdef"[: chosen.randint(1, 6)]]
        responses.append(response(chosen, ids, own))
        if chosen.random() < 0.4:
            agents[f"agent{number}"] = [response(chosen, [], ["z1", "z2"]), "Ready."]
            responses[-1] += f"!!!GADGET_START:Agent:agent{number}\n!!!GADGET_END\n"
        ids += own
    return {"directory": str(folder / str(seed)), "responses": [*responses, "Done."], "agents": agents}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[dict[str, Any], list[list[Any]]]]:
    """Each run with the reports of the hooks, in order."""
    require_llmist()
    home = tmp_path_factory.mktemp("home")
    wanted = [run(home, seed) for seed in SEEDS]
    done = subprocess.run(
        ["node", "llmist_session.mjs"],
        cwd=PEERS,
        env={**os.environ, "HOME": str(home), "LLMIST_LOG_LEVEL": "fatal"},
        input="".join(json.dumps(each) + "\n" for each in wanted),
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[[")]
    return [*zip(wanted, told, strict=True)]


@pytest.mark.slow
def test_calls_results_and_skips_are_those_that_llmist_has_told(
    runs: list[tuple[dict[str, Any], list[list[Any]]]],
) -> None:
    for wanted, told in runs:
        session = read(wanted["directory"])
        found = [each.text for each in session.responses]
        # llmist ends where no call of a response has run
        assert found == wanted["responses"][: len(found)]
        assert session.missing == ()
        by_id = {call.invocation_id: call for call in session.calls}
        assert by_id.keys() == {one for one, *_ in told}
        for one, name, parameters, outcome, said in told:
            call = by_id[one]
            where = f"{wanted['directory']}: {call} {call.why}"
            assert call.name == name, where
            if call.parameters is not None:
                assert call.parameters == parameters, where
            if call.response.answer is None:
                # llmist ends if it has run nothing: no request has results
                assert outcome == "skipped", where
            elif outcome == "skipped":
                # llmist skips a call before it looks at its arguments
                assert call.outcome in ("skipped", "never ran") or call.error, where
                assert call.result is None, where
            else:
                assert call.result is not None, where
                assert call.result.text == said, where
                # llmist's hooks have one word for calls that it refuses and gadgets that fail
                found_out = "failed" if call.outcome == "rejected" else call.outcome
                # a gadget's own words do not show that it failed, unless a call that waits for it alone was skipped
                assert found_out == outcome or (call.outcome == "returned" and said == "no disk"), where
                assert (call.outcome == "rejected") == said.startswith("Error: "), where


def test_sub_agents_are_found_under_the_calls_that_started_them(
    runs: list[tuple[dict[str, Any], list[list[Any]]]],
) -> None:
    count = 0
    for wanted, _ in runs:
        calls = [*read(wanted["directory"]).calls]
        started = {call.invocation_id: call.agents for call in calls if call.agents}
        assert started.keys() == wanted["agents"].keys() & {call.invocation_id for call in calls if call.result}
        for one, (agent,) in started.items():
            found = [each.text for each in agent.responses]
            assert found == wanted["agents"][one][: len(found)]
            count += len(found)
    assert count


def test_media_are_those_of_the_result(runs: list[tuple[dict[str, Any], list[list[Any]]]]) -> None:
    calls = [call for wanted, _ in runs for call in read(wanted["directory"]).calls if call.outcome == "returned"]
    media = [call.result.media for call in calls if call.name == "Picture" and call.result is not None]
    assert media
    for (each,) in media:
        assert (each.kind, Path(each.path or "").suffix) == ("image", ".png")


def test_the_turns_of_the_model_are_the_texts_of_its_responses(
    runs: list[tuple[dict[str, Any], list[list[Any]]]],
) -> None:
    rewritten = 0
    for wanted, _ in runs:
        last = read(wanted["directory"]).responses[-1]
        assert last.request is not None
        asked = Path(last.request).read_text("utf-8")
        rewritten += asked.count("=== ASSISTANT ===")
        found = before(last, asked)
        turns = [message.content for message in found.value.messages if message.role == "assistant"]
        assert turns == wanted["responses"][: last.index]
        roles = [message.role for message in found.value.messages]
        assert roles == ["system", "user", *["assistant", "user"] * last.index]
        for message in found.value.messages[3::2]:
            assert str(message.content).startswith("Result (")
        # the picture itself is in no log
        assert all(" image " in f" {loss.message}" for loss in found.lost)
    assert rewritten > 2 * len(runs)
