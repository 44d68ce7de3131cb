"""The examples of docs/differences.md: what a reference makes of each, and what we make of it."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
import warnings
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from environments import PEERS
from formats.gadget.gadget_cases import arguments
from formats.gadget.llmist_peer import require_llmist, run_llmist
from formats.gadget.test_gadget_running import run_llmist as run_calls
from formats.gadget.test_gadget_running import run_ours
from formats.stf.test_stf_vectors import CASES as STF_CASES
from formats.stf.test_stf_vectors import VECTOR_LIST
from formats.tags.test_tag_stream import CASES as TAG_CASES
from formats.tags.test_tag_stream import THINK_CASES, routed
from llmblocks import check
from llmblocks.contract.arguments import Checked, Issue
from llmblocks.gadget import ArgDelta, ArgStarted, CallEnded, GadgetCall, GadgetStream, Markers, ParameterSchema, Text
from llmblocks.gadget.call import read_body
from llmblocks.json5.reader import read
from llmblocks.stf import decode, encode, transcript_from_dict
from llmblocks.tags import (
    Accumulator,
    BlockDefinition,
    CustomBlocks,
    TagHandler,
    TagStream,
    TextDelta,
    ToolCallDelta,
    ToolCallStart,
    is_custom_block,
)

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "differences.md"
TEXT = PAGE.read_text("utf-8")
EXAMPLES = [
    (found[1], {**json.loads(found[3]), "version": found[2]})
    for found in re.finditer(r'^```json ([\w-]+) title="[\w-]+ (\S+)"\n(.*?)^```$', TEXT, re.MULTILINE | re.DOTALL)
]
LLMIST = json.loads((PEERS / "package.json").read_text("utf-8"))["dependencies"]["llmist"]
ENCODED = [json.loads(line) for line in (HERE / "formats/stf/reference_encoded.jsonl").read_text("ascii").splitlines()]
COMMIT, FIRST, SECOND = "70dba2c", "0.15", "1.0.0-next.165"
JSON5 = {each["version"] for each in ENCODED if each["by"] == "json5"}
VERSIONS = {
    **{
        f"llmist{kind}": {LLMIST}
        for kind in ("", "-arguments", "-deep", "-ids", "-markers", "-mcp", "-run", "-skips", "-zod")
    },
    "llm-msg-io": {COMMIT},
    "llm-msg-io-encoder": {each["version"] for each in ENCODED if each["by"] == "llm-msg-io"},
    "llm-msg-io-tag": {"v0.2.1"},
    "json5": JSON5,
    "json5-error": JSON5,
    "agentick": {FIRST},
    "agentick-think": {SECOND},
    **{f"agentick-{kind}": {FIRST, SECOND} for kind in ("arguments", "definition", "message")},
}
"""The examples that tests run, and the versions of the references."""


def of(reference: str) -> list[Any]:
    return [example for name, example in EXAMPLES if name == reference]


def run_node(code: str, argument: str) -> str:
    require_llmist()
    command = ["node", "--input-type=module", "-e", code, argument]
    return subprocess.run(command, cwd=PEERS, capture_output=True, text=True, check=True).stdout


def test_every_example_is_run_against_the_version_that_it_names() -> None:
    assert {name: {each["version"] for each in of(name)} for name, _ in EXAMPLES} == VERSIONS
    assert TEXT.count("```json") == len(EXAMPLES)
    groups = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    transformers = groups["transformers"][0].partition("==")[2]
    assert all(version in TEXT.partition("## ")[0] for version in (LLMIST, COMMIT, FIRST, SECOND, transformers))
    claimed = (HERE.parent / "README.md").read_text("utf-8")
    peers = f"llmist {LLMIST}", f"llm-msg-io at `{COMMIT}`", f"agentick {FIRST}", f"transformers {transformers}"
    assert all(words in claimed for words in peers)


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
    stream = GadgetStream()
    fed = [(at, stream.feed(chunk)) for at, chunk in enumerate(example["chunks"])]
    here = [
        [at, {event.call.name: event.call.error or event.call.parameters}]
        if isinstance(event, CallEnded)
        else [at, event.text]
        for at, events in [*fed, ("end", stream.close())]
        for event in events
        if isinstance(event, CallEnded | Text)
    ]
    assert here == example["here"]
    if "codes" in example:
        assert [each.code for each in check("".join(example["chunks"]), "gadget")] == example["codes"]


def events_of(chunks: list[str]) -> list[tuple[int, Any]]:
    stream = GadgetStream()
    return [(at, event) for at, chunk in enumerate(chunks) for event in stream.feed(chunk)]


def calls_of(text: str) -> list[GadgetCall]:
    return [event.call for _, event in events_of([text]) if isinstance(event, CallEnded)]


def checked(text: str, schema: ParameterSchema) -> Checked:
    (call,) = calls_of(text)
    typed, _ = read_body(call.parameters_raw, "!!!ARG:").decoded(schema.expected)
    return schema.check(typed or {})


def pairs(issues: Iterable[Issue]) -> list[list[str]]:
    return [[one.pointer, one.message] for one in issues]


@pytest.mark.parametrize("example", of("llmist-arguments"), ids=lambda example: repr(example["here"]))
def test_arguments_come_as_the_page_says(example: Any) -> None:
    (run,) = run_llmist([{"chunks": example["chunks"], "options": {}}])
    events = [*zip(run["at"], run["events"], strict=True)]
    there = [[at, event["fieldPath"], event["delta"]] for at, event in events if event["type"] == "gadget_args_partial"]
    assert there == example["there"]
    here: list[list[Any]] = []
    for at, event in events_of(example["chunks"]):
        if isinstance(event, ArgStarted):
            here.append([at, event.pointer, ""])
        elif isinstance(event, ArgDelta):
            here[-1][2] += event.delta
    assert here == example["here"]


@pytest.mark.slow
def test_pointers_are_as_long_as_the_page_says() -> None:
    (example,) = of("llmist-deep")
    # the values are too deep for JSON in Python
    code = (
        'import { GadgetCallParser } from "llmist";'
        "const [event] = new GadgetCallParser().feed(process.argv[1]);"
        "console.log(JSON.stringify([event.call.parseError ?? null, event.call.parameters?.a !== undefined]));"
    )
    there, here = [], []
    for segments in (example["segments"] - 1, example["segments"]):
        text = arguments(("/".join("a" * segments), "1"))
        error, is_read = json.loads(run_node(code, text))
        assert is_read
        there.append(error)
        here += [call.error for call in calls_of(text)]
    assert there == [None, example["there"]]
    assert here == [None, example["here"]]


@pytest.mark.parametrize("example", of("llmist-zod"), ids=lambda example: str(example["zod"]))
def test_types_of_zod_are_known_as_the_page_says(example: Any) -> None:
    text = arguments(*example["arguments"].items())
    (run,) = run_llmist([{"chunks": [text], "options": {"schemaDsl": example["zod"]}}])
    assert run["events"][-1]["call"]["issues"] == example["there"]
    assert pairs(checked(text, ParameterSchema(run["jsonSchema"])).issues) == example["here"]


@pytest.mark.slow
def test_ids_are_counted_as_the_page_says() -> None:
    (example,) = of("llmist-ids")
    output = run_node(
        'import { GadgetCallParser } from "llmist";'
        "for (const text of [process.argv[1], process.argv[1]])"
        " for (const event of new GadgetCallParser().feed(text)) console.log(event.call.invocationId);",
        example["text"],
    )
    first, second = output.split()
    assert (first != second) == (example["there"] == "other ids")
    assert [call.invocation_id for _ in range(2) for call in calls_of(example["text"])] == example["here"]


def test_markers_are_refused_as_the_page_says() -> None:
    (example,) = of("llmist-markers")
    options = {f"{name}Prefix": marker for name, marker in example["markers"].items()}
    (run,) = run_llmist([{"chunks": [example["text"]], "options": options}])
    assert [event["call"]["parameters"] for event in run["events"] if "call" in event] == [example["there"]]
    with pytest.raises(ValueError, match="marker"):
        Markers(**example["markers"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "example", [*of("llmist-run"), *of("llmist-skips")], ids=lambda example: str(example["headers"][0])
)
async def test_calls_run_and_skips_name_dependencies_as_the_page_says(example: Any) -> None:
    text = "".join(f"!!!GADGET_START:{header}\n!!!GADGET_END\n" for header in example["headers"])
    case = {"text": text, "known": example.get("known", []), "failed": example.get("failed", [])}
    # of a call: its outcome, the error, and the dependency because of which it is skipped
    part = 2 if "failed" in example else 1
    (there,) = run_calls([case])
    assert {one: told[part] for one, told in there.items()} == example["there"]
    assert {one: told[part] for one, told in (await run_ours(case)).items()} == example["here"]


@pytest.mark.slow
@pytest.mark.parametrize("example", of("llmist-mcp"), ids=lambda example: str(example["there"]))
def test_tools_of_mcp_servers_are_judged_as_the_page_says(example: Any) -> None:
    text = arguments(*example["arguments"].items())
    if example["there"] == "refused":
        output = run_node(
            'import { jsonSchemaToZod } from "llmist";'
            "try { jsonSchemaToZod(JSON.parse(process.argv[1])); } catch (error) { console.log(error.name); }",
            json.dumps(example["schema"]),
        )
        assert output == "JsonSchemaConversionError\n"
    else:
        (run,) = run_llmist([{"chunks": [text], "options": {"jsonSchema": example["schema"]}}])
        assert run["events"][-1]["call"]["issues"] == example["there"]
    found = checked(text, ParameterSchema(example["schema"], mcp=True))
    assert (pairs(found.issues), pairs(found.of_server)) == (example["here"], example["server"])


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


def recorded(value: Any) -> tuple[Any, Any]:
    """Return the text that the reference has written, and what it reads in that."""
    # 1, 1.0 and -0.0 are equal in Python, and objects in any order
    ((text, reads),) = [(each["text"], each.get("reads")) for each in ENCODED if repr(each.get("value")) == repr(value)]
    return text, reads


@pytest.mark.parametrize("example", of("llm-msg-io-encoder"), ids=lambda example: str(example["messages"]))
def test_messages_are_written_as_the_page_says(example: Any) -> None:
    assert recorded(example["messages"]) == (example["there"], example["reads"])
    assert example["reads"] != example["messages"]
    assert encode(transcript_from_dict(example["messages"]), dialect=";") == example["here"]
    assert decode(example["here"]).as_dict() == {"messages": example["messages"]}


@pytest.mark.parametrize("example", of("json5-error"), ids=lambda example: example["text"])
def test_errors_of_json5_have_the_columns_that_the_page_says(example: Any) -> None:
    assert [each["error"] for each in ENCODED if each.get("read") == example["text"]] == [example["there"]]
    assert read(example["text"]).error == example["here"]


@pytest.mark.parametrize("example", of("json5"), ids=lambda example: str(example["value"]))
def test_json5_is_written_as_the_page_says(example: Any) -> None:
    value = example["value"]
    assert recorded(value) == (example["there"], None)
    is_message = isinstance(value, dict) and "role" in value
    message = value if is_message else {"role": "user", "content": "", "extra": value}
    before, after = (";raw\n", "\n;end") if is_message else (";user\n;extra\n", "\n;end")
    assert encode(transcript_from_dict([message]), dialect=";") == before + example["here"] + after
    (reread,) = decode(before + example["here"] + after).as_dict()["messages"]
    assert reread == message
    assert repr(reread.get("extra")) == repr(message.get("extra"))


@pytest.mark.parametrize("example", of("llm-msg-io-tag"), ids=lambda example: example["text"][:20])
def test_the_tag_of_llm_msg_io_lacks_what_the_page_says(example: Any) -> None:
    (case,) = [case for case in STF_CASES if case["input"] == example["text"]]
    assert case[example["version"]] == {"error": example["tag"]}
    assert example["there"] == case["messages"]
    assert [message.as_dict() for message in decode(example["text"], dialect=";").messages] == example["there"]


def test_the_tag_of_llm_msg_io_differs_in_as_many_texts_as_the_page_says() -> None:
    others = [case["v0.2.1"]["error"] for case in STF_CASES if "v0.2.1" in case]
    assert f"of {len(STF_CASES)} recorded texts, it reads {len(others)} differently" in TEXT
    reasons = ("Unknown command 'extra'.", "Unknown command 'meta'.", "Expected '=' after argument key.")
    assert all(each.partition(": ")[2] in reasons for each in others)


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


RECORDED = [
    json.loads(line) for line in (HERE / "formats/tags/reference_agentick.jsonl").read_text("ascii").splitlines()
]


def of_agentick(version: str, key: str, value: Any) -> Any:
    (found,) = [each for each in RECORDED if each["version"] == version and each.get(key) == value]
    return found


def test_both_generations_of_agentick_read_the_recorded_streams_alike() -> None:
    (second,) = [each for each in RECORDED if "streams" in each]
    assert second["streams"] == len(TAG_CASES)
    assert f"all {second['streams']} recorded streams give the same blocks" in TEXT


@pytest.mark.parametrize("example", of("agentick-arguments"), ids=lambda example: example["arguments"])
def test_arguments_of_tool_calls_are_read_as_the_page_says(example: Any) -> None:
    recorded = of_agentick(example["version"], "arguments", example["arguments"])
    assert recorded.get("error", recorded.get("input")) == example["there"]
    assert tool_input(example["arguments"]) == example["here"]
    # those that agentick refuses are kept
    refused = [each["arguments"] for each in RECORDED if "error" in each]
    assert [tool_input(arguments) for arguments in refused] == refused
    assert len(refused) == 3


def tool_input(arguments: str) -> Any:
    accumulator = Accumulator()
    for delta in (ToolCallStart("1", "f"), ToolCallDelta("1", arguments)):
        accumulator.push(delta)
    accumulator.close()
    (call,) = accumulator.message.tool_calls
    return call.input


@pytest.mark.parametrize("example", of("agentick-message"), ids=lambda example: example["version"])
def test_blocks_are_in_a_message_as_the_page_says(example: Any) -> None:
    recorded = of_agentick(example["version"], "text", example["text"])
    assert (recorded["tag"], recorded["content"]) == (example["tag"], example["there"])
    blocks, accumulator = CustomBlocks({example["tag"]: BlockDefinition()}), Accumulator()
    for delta in blocks.process(TextDelta(example["text"])) + blocks.flush():
        accumulator.push(delta)
    accumulator.close()
    content = accumulator.message.content
    here = [{each.tag: each.content} if is_custom_block(each) else each.text for each in content]
    assert here == example["here"]


@pytest.mark.parametrize("example", of("agentick-definition"), ids=lambda example: example["version"])
def test_a_definition_has_what_the_page_says(example: Any) -> None:
    assert of_agentick(example["version"], "definition", example["there"])
    assert [each.name for each in fields(BlockDefinition)] == example["here"]


@pytest.mark.parametrize("example", of("agentick-think"), ids=lambda example: "".join(example["chunks"]))
def test_think_is_reasoning_as_the_page_says(example: Any) -> None:
    assert example["there"] in [case["deltas"] for case in THINK_CASES if case["chunks"] == example["chunks"]]
    assert routed(example["chunks"]) == example["here"]
