"""The examples of docs/differences.md: what a reference makes of each, and what we make of it."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

from formats.gadget.llmist_peer import run_llmist
from formats.stf.test_stf_reference import CASES as STF_CASES
from formats.stf.test_stf_vectors import VECTOR_LIST
from formats.tags.test_tag_vectors import CASES as TAG_CASES
from llmblocks import check
from llmblocks.gadget import CallEnded, GadgetStream, Text
from llmblocks.stf import decode
from llmblocks.tags import TagHandler, TagStream, TextDelta

PAGE = Path(__file__).resolve().parents[1] / "docs" / "differences.md"
EXAMPLES = [
    (found[1], json.loads(found[2]))
    for found in re.finditer(r"^```json ([\w-]+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
]


def of(reference: str) -> list[Any]:
    return [example for name, example in EXAMPLES if name == reference]


def test_every_example_is_run() -> None:
    assert {name for name, _ in EXAMPLES} == {"llmist", "llm-msg-io", "agentick"}
    assert PAGE.read_text("utf-8").count("```json") == len(EXAMPLES)


@pytest.mark.parametrize("example", of("llmist"), ids=lambda example: repr(example["chunks"])[:40])
def test_llmist_and_we_differ_as_the_page_says(example: Any) -> None:
    (run,) = run_llmist([{"chunks": example["chunks"], "options": {}}])
    there = []
    for at, event in zip(run["at"], run["events"], strict=True):
        if event["type"] == "text":
            there.append([at, event["content"]])
        elif event["type"] == "gadget_call":
            call = event["call"]
            there.append([at, {call["gadgetName"]: call["parseError"] or call["parameters"]}])
    assert there == example["there"]
    stream, here = GadgetStream(), []
    fed = [(at, stream.feed(chunk)) for at, chunk in enumerate(example["chunks"])]
    for place, events in [*fed, ("end", stream.close())]:
        for each in events:
            if isinstance(each, Text):
                here.append([place, each.text])
            elif isinstance(each, CallEnded):
                here.append([place, {each.call.name: each.call.error or each.call.parameters}])
    assert here == example["here"]
    if "codes" in example:
        assert [each.code for each in check("".join(example["chunks"]), "gadget")] == example["codes"]


@pytest.mark.parametrize("example", of("llm-msg-io"), ids=lambda example: example["text"][:20])
def test_llm_msg_io_and_we_differ_as_the_page_says(example: Any) -> None:
    recorded = [case.get("error") or case["messages"] for case in STF_CASES if case["input"] == example["text"]]
    for vector in VECTOR_LIST:
        if vector["input"] == example["text"]:
            expected = vector["expected"]
            recorded.append(expected["messages"] if expected["ok"] else expected["error"]["message"])
    assert example["there"] in recorded
    transcript = decode(example["text"], dialect=";")
    assert [message.as_dict() for message in transcript.messages] == example["here"]
    assert [*dict.fromkeys(each.code for each in transcript.findings)] == example["codes"]


@pytest.mark.parametrize("example", of("agentick"), ids=lambda example: example["text"])
def test_agentick_and_we_differ_as_the_page_says(example: Any) -> None:
    (recorded,) = [
        [delta["delta"] for delta in case["expected"]["deltas"]]
        for case in TAG_CASES
        if case["chunks"] == [example["text"]] and case["options"] == {"tags": example["tags"]}
    ]
    assert recorded == example["there"]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        stream = TagStream({tag: TagHandler() for tag in example["tags"]})
    assert any(example["warns"] in str(each.message) for each in told), [str(each.message) for each in told]
    deltas = stream.feed(example["text"]) + stream.flush()
    assert [delta.delta for delta in deltas if isinstance(delta, TextDelta)] == example["here"]
