"""The recipes in docs/examples/recipes: with the types of the real packages, without a network."""

from __future__ import annotations

import asyncio
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from environments import GROUPS, PEERS, environment
from formats.gadget.llmist_peer import require_llmist

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "docs" / "examples" / "recipes"
# LiteLLM asks GitHub for prices when it is imported
NO_NETWORK = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LANGSMITH_TRACING": "false"}
# plug-ins of the SDKs and of our own tests take a second to load
NO_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
FEEDBACK = "There is a problem in your response:"
BROKEN = "!!!GADGET_START:Weather:w1\n!!!ARG:city\nLisbon\n!!!ARG:city\nPorto\n!!!GADGET_END\n"
RIGHT = "!!!GADGET_START:Weather:w1\n!!!ARG:city\nLisbon\n!!!GADGET_END\n"
REPAIRABLE = RIGHT.replace("!!!GADGET_END", "!!!ARG:city\nLisbon\n!!!GADGET_END")


def recipe(name: str) -> dict[str, Any]:
    return runpy.run_path(str(RECIPES / f"{name}.py"))


@pytest.mark.slow
def test_the_recipes_take_the_types_of_the_real_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    pytest_itself = [pin for pin in GROUPS["dev"] if pin.startswith("pytest==")]
    python = environment("recipes", [*project["project"]["dependencies"], *GROUPS["recipes"], *pytest_itself])
    done = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/recipes/sdks.py", "--noconftest"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "server"), **NO_NETWORK, **NO_PLUGINS},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]


def test_calls_run_in_the_order_of_their_dependencies_while_text_streams() -> None:
    order: list[str] = []
    fetched = asyncio.Event()

    async def fetch(what: str) -> str:
        order.append(f"fetch {what}")
        fetched.set()
        return f"<{what}>"

    def merge() -> str:
        order.append("merge")
        return "merged"

    async def model(messages: list[dict[str, str]]) -> AsyncIterator[str]:
        if len(messages) > 1:
            yield "Done."
            return
        yield "I begin.\n!!!GADGET_START:Merge:m:a\n!!!GADGET_END\n!!!GADGET_START:Fetch:a\n!!!ARG:what\nus"
        yield "ers\n!!!GADGET_END\n"
        # the rest comes only once the first call has run: it does not wait for the response
        await fetched.wait()
        order.append("text")
        yield "And more."

    shown: list[str] = []
    loop = recipe("agent_loop")["run"](model, "Go", {"Fetch": fetch, "Merge": merge}, shown.append)
    messages = asyncio.run(asyncio.wait_for(loop, 60))
    assert order[:1] == ["fetch users"]
    assert sorted(order) == ["fetch users", "merge", "text"]
    assert "".join(shown).replace("\n", "") == "I begin.And more.Done."
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant"]
    assert sorted(messages[2]["content"].splitlines()) == ["a: <users>", "m: merged"]


def test_a_failed_call_is_reported_to_the_model() -> None:
    async def model(messages: list[dict[str, str]]) -> AsyncIterator[str]:
        yield BROKEN + "!!!GADGET_START:Weather:w2:w1\n!!!GADGET_END\n" if len(messages) == 1 else "I see."

    messages = asyncio.run(recipe("agent_loop")["run"](model, "Go", {"Weather": lambda: ""}, lambda text: None))
    lines = messages[2]["content"].splitlines()
    ended = [line.partition(":")[0] for line in lines if " failed:" in line or " skipped:" in line]
    assert ended == ["w1 failed", "w2 skipped"]
    assert lines.count("  Duplicate pointer: city") == 2
    # and how to write it
    assert FEEDBACK in lines


TURNS = (
    ("Ok:r1", "Fail:f1", "Ok:r2"),
    ("Ok:m1:r1", "Ok:s1:f1", "Ok:s2:r1,f1"),
    ("Ok:t1:m1,r2", "Ok:s3:s1", "Ok:x1:lost"),
)
"""The calls of three turns: some wait for those of earlier ones."""


@pytest.mark.slow
def test_calls_wait_for_those_of_earlier_turns_as_in_llmist(tmp_path: Path) -> None:
    require_llmist()
    responses = ["".join([f"!!!GADGET_START:{each}\n!!!GADGET_END\n" for each in turn]) for turn in TURNS]
    ran = subprocess.run(
        ["node", "llmist_session.mjs"],
        cwd=PEERS,
        env={**os.environ, "HOME": str(tmp_path), "LLMIST_LOG_LEVEL": "fatal"},
        input=json.dumps({"directory": str(tmp_path / "logs"), "responses": [*responses, "Done."], "agents": {}})
        + "\n",
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=True,
    )
    (said,) = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("[[")]
    theirs = {one: outcome for one, _, _, outcome, _ in said}

    async def model(messages: list[dict[str, str]]) -> AsyncIterator[str]:
        yield [*responses, "Done."][len(messages) // 2]

    def fail() -> None:
        raise OSError("no disk")

    messages = asyncio.run(recipe("agent_loop")["run"](model, "Go", {"Ok": dict, "Fail": fail}, lambda text: None))
    told = [message["content"] for message in messages[2::2]]
    ours = {
        one: outcome or "returned"
        for content in told
        for one, outcome in re.findall(r"^(\w\d)(?: (failed|skipped))?: ", content, re.MULTILINE)
    }
    assert ours == theirs
    assert set(ours.values()) == {"returned", "failed", "skipped"}
    # no dependency on an earlier turn is a mistake: only that on an id that no call has is one
    assert [FEEDBACK in content for content in told] == [False, False, True]
    assert 'Line 5: No call so far has the id "lost"' in told[2]
    assert "Line 3" not in told[2]


class Model:
    """Answers with one response after another, and keeps what it was asked."""

    def __init__(self, *responses: str) -> None:
        self.responses = list(responses)
        self.asked: list[list[dict[str, str]]] = []

    def __call__(self, messages: list[dict[str, str]]) -> str:
        self.asked.append(messages)
        return self.responses.pop(0)


@pytest.mark.parametrize(
    ("responses", "asked"),
    [((RIGHT,), 1), ((REPAIRABLE,), 1), ((BROKEN, RIGHT), 2)],
    ids=["right", "repaired", "sent back"],
)
def test_a_response_is_repaired_or_sent_back(responses: tuple[str, ...], asked: int) -> None:
    model = Model(*responses)
    assert recipe("repair_loop")["response_without_mistakes"](model, []) == RIGHT
    assert len(model.asked) == asked
    if asked == 2:
        assert model.asked[1][-1]["content"].startswith(FEEDBACK)


def test_a_repaired_response_may_wait_for_earlier_ones() -> None:
    second = "!!!GADGET_START:Weather:w2:w1\n!!!GADGET_END\n"
    loop = recipe("repair_loop")["response_without_mistakes"]
    assert loop(Model(second), [], known=[RIGHT]) == second


def test_a_model_that_repeats_its_mistake_is_not_asked_for_ever() -> None:
    loop = recipe("repair_loop")
    same = Model(*[BROKEN] * 9)
    with pytest.raises(loop["GivenUpError"], match=FEEDBACK):
        loop["response_without_mistakes"](same, [], repeats=5)
    assert len(same.asked) == 2
    other = Model(*[BROKEN.replace("city", f"city{number}") for number in range(9)])
    with pytest.raises(loop["GivenUpError"]):
        loop["response_without_mistakes"](other, [])
    assert len(other.asked) == 3


@pytest.mark.slow
def test_the_fixture_reads_a_response_and_lists_its_mistakes(tmp_path: Path) -> None:
    text = (RECIPES / "test_my_agent.py").read_text("utf-8")
    (tmp_path / "test_right.py").write_text(text, "utf-8")
    (tmp_path / "test_wrong.py").write_text(text.replace("!!!ARG:city", "!!!ARG:city\\nFaro\\n!!!ARG:city"), "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    env = {**os.environ, **NO_PLUGINS}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert "1 failed, 1 passed" in done.stdout
    assert "the response has mistakes:\nG101 Duplicate pointer: city" in done.stdout


@pytest.mark.slow
def test_the_recipes_for_javascript_read_the_streams_of_the_real_packages(tmp_path: Path) -> None:
    build = [sys.executable, "editors/npm/build.py", "--if-changed"]
    subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (tmp_path / "node_modules").mkdir()
    shutil.copytree(ROOT / "dist" / "npm", tmp_path / "node_modules" / "llmblocks")
    for script in RECIPES.glob("*.mjs"):
        shutil.copy(script, tmp_path)
    done = subprocess.run(
        ["node", str(ROOT / "tests" / "peers" / "recipes.mjs"), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
