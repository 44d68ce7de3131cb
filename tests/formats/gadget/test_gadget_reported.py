"""The library, the editor and llmist report the same about calls."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from examples import LAWS
from formats.gadget.gadget_pieces import document, soup
from formats.gadget.llmist_peer import run_llmist, without_repeats
from formats.gadget.test_gadget_running import gave_up_early, graph
from formats.gadget.test_gadget_running import run_llmist as run_calls
from llmblocks import Settings, check
from llmblocks.facts.finding import Finding
from llmblocks.facts.message import FindingMessage
from llmblocks.gadget import CallEnded, GadgetCall, Gadgets, GadgetStream, plan, read_gadgets
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.rules import G111_UNKNOWN_DEPENDENCY, G112_DEPENDENCY_CYCLE
from llmblocks.gadget.syntax.pointer import ROWS
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS
from worded import has_words

DOCUMENTS = max(LAWS, 50)
OF_PROBLEMS = frozenset(row.code for row in ROWS.values())
"""The codes of `GadgetCall.problems`."""
OF_PLAN = frozenset(("G110", "G111", "G112", "G113"))
"""The codes of what `plan` tells."""
OF_EDITOR = frozenset(
    [
        *("G001", "G002", "G003", "G004", "G005", "G006", "G007", "G008", "G009", "G010", "G011", "G012"),
        *("G105", "G106", "G108", "G109", "G114", "G115", "G116", "G117", "G118", "G119", "G121", "G122"),
    ]
)
"""Findings of editors only: the writing of markers and headers, and silent losses of the runtime.

The library tells the losses of each argument in its own words (`GadgetCall.arguments`).
"""
OF_LLMIST = frozenset(("G101", "G102", "G103", "G104", "G107"))
POINTERS = ("a", "a/b", "a/b/c", "a/0", "a/1", "a/2", "a/01", "a/x", "b", "b/0", "b/0/x", "b/1/x", "b/3/x", "b/length",
            "c/0", "c/-1", "c//d", " a ", "a/__proto__", "", "toString/zz", "constructor/zz",
            "__proto__/zz", "toString")  # fmt: skip
VALUES = ("", "text", "5", "1.50", "true", "two\nlines", "😀", " ", "x  ", "\r", "`" * 3)


def made(chance: random.Random) -> str:
    """Return a call with a mistake in most."""
    arguments = [(chance.choice(POINTERS), chance.choice(VALUES)) for _ in range(chance.randint(0, 6))]
    body = "".join(f"!!!ARG:{pointer}\n{value}\n" for pointer, value in arguments)
    return f"!!!GADGET_START:G:i\n{body}!!!GADGET_END\n"


def documents(count: int) -> list[str]:
    found = []
    for number in range(count):
        chance = random.Random(number)
        make = (document, soup, made, lambda chance: "".join(made(chance) for _ in range(3)))[number % 4]
        found.append(make(chance))
    return found


def read(text: str) -> tuple[list[GadgetCall], list[tuple[int, Call]]]:
    """Return the calls of the library, and those of an editor with the start of their sections."""
    stream = GadgetStream()
    events = stream.feed(text) + stream.close()
    placed = find_language("gadget").open(text, DEFAULTS).placed()
    seen = [(each.start, call) for each in placed if (call := call_in(each.section)) is not None]
    return [event.call for event in events if isinstance(event, CallEnded)], seen


def test_every_code_is_of_the_library_or_of_the_editor_alone() -> None:
    from llmblocks.settings.rule_names import RULES

    # of schemas, and of what became of calls in the files of a session
    others = {rule.code for rule in RULES if rule.code.startswith(("G2", "G3"))}
    known = OF_PROBLEMS | OF_PLAN | OF_EDITOR | others
    assert not {rule.code for rule in RULES if rule.layer == "gadget"} - known
    assert not OF_PROBLEMS & OF_EDITOR


def test_an_editor_shows_the_problems_of_calls() -> None:
    for text in documents(DOCUMENTS):
        streamed, seen = read(text)
        wanted = []
        for call, (at, view) in zip(streamed, seen, strict=True):
            for problem in call.problems:
                name = at + view.arguments[problem.argument].name
                wanted.append((problem.code, name + problem.start, name + problem.end, problem.message))
        found = [each for each in check(text, "gadget") if each.code in OF_PROBLEMS]
        assert [(each.code, each.start, each.end) for each in found] == [each[:3] for each in wanted], text
        for each, (*_, message) in zip(found, wanted, strict=True):
            assert has_words(each.message, message) or str(each.message) == message, text


def test_an_editor_shows_what_a_plan_tells() -> None:
    headers = (
        *("A:a", "B:b:a", "C:c:a,b", "D:d:d", "E:e:f", "F:f:e", "G:g:x", "H:h:h,x", "A:a:b", "N"),
        *("M:gadget_1", "I:i:gadget_1"),
    )
    for number in range(DOCUMENTS):
        chance = random.Random(number)
        text = "".join(
            f"!!!GADGET_START:{each}\n!!!GADGET_END\n" for each in chance.sample(headers, chance.randint(1, 6))
        )
        streamed, _ = read(text)
        told = plan(streamed)
        found: dict[str, list[Finding]] = {}
        for each in check(text, "gadget"):
            found.setdefault(each.code, []).append(each)
        assert {each.data["id"] for each in found.get("G110", ())} == {*told.duplicates}, text
        if told.duplicates:
            continue  # of two calls with one id, a plan sees the first alone
        assert {each.data["id"] for each in found.get("G113", ())} == {*told.self_dependent}, text
        assert {each.data["dependency"] for each in found.get("G111", ())} == {*told.unknown}, text
        on_cycles = {name for cycle in told.cycles for name in cycle}
        assert {each.data["id"] for each in found.get("G112", ())} == on_cycles, text
        messages = [each.message for code in OF_PLAN for each in found.get(code, ())]
        for unresolved in told.unresolved.values():
            # a call that waits for one on a cycle is reported there
            if unresolved.reason != "cycle":
                assert any(has_words(each, unresolved.message) for each in messages), (text, unresolved)


def test_llmist_rejects_the_calls_that_have_an_error() -> None:
    texts = [made(random.Random(number)) for number in range(DOCUMENTS)]
    cases: list[dict[str, Any]] = [{"chunks": [text], "options": {}} for text in texts]
    seen: set[str] = set()
    for text, result in zip(texts, run_llmist(cases), strict=True):
        (call,) = [event["call"] for event in without_repeats(result)["events"] if event["type"] == "gadget_call"]
        found = [each for each in check(text, "gadget") if each.code in OF_LLMIST]
        # what it writes into its own runtime is not an error to llmist
        rejected = [each for each in found if each.code != "G107"]
        assert bool(found) == (call["parseError"] is not None or "polluted" in result), text
        assert bool(rejected) == (call["parseError"] is not None), text
        if rejected:
            assert has_words(rejected[0].message, call["parseError"]), text
        seen.update(each.code for each in found)
    assert seen == OF_LLMIST


@pytest.mark.slow
def test_llmist_skips_and_fails_calls_in_the_words_of_the_editor() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "number"}}}
    known = [{"name": name, "description": "", "parameters": schema} for name in ("Ok", "Fail")]
    settings = Settings(gadgets=Gadgets(read_gadgets(json.dumps(known)).gadgets))
    cases = [graph(random.Random(number)) | {"known": [], "failed": []} for number in range(DOCUMENTS)]
    for case in cases:  # so that nothing is skipped because of what a call does
        case["text"] = case["text"].replace(":Fail:", ":Ok:")
    said: set[str] = set()
    for case, theirs in zip(cases, run_calls(cases), strict=True):
        text = case["text"]
        if gave_up_early(case, theirs):
            continue
        streamed, _ = read(text)
        ids, cycles = [call.invocation_id for call in streamed], plan(streamed).cycles
        early = [G111_UNKNOWN_DEPENDENCY.says({"dependency": each}) for each in ids]
        messages: dict[str, list[FindingMessage]] = {one: [] for one in ids}
        for each in check(text, "gadget", settings):
            one = ids[text.count("\n", 0, each.start) // 2]
            if each.code in ("G111", "G112", "G201"):
                assert theirs[one][0] != "finished", (text, each)
            messages[one].append(each.message)
        for one, (outcome, error, _) in theirs.items():
            if error is None or error == "Dependency failed" or (outcome == "skipped" and error.startswith("Error: ")):
                continue  # the last two are reported at the call that has failed
            # llmist calls it circular, too, if a call waits for one that is stuck: an editor tells that one alone
            for wording in wordings(one, error, [each for cycle in cycles if one in cycle for each in cycle]):
                if wording in early:
                    continue
                assert any(has_words(message, wording) for message in messages[one]), (text, one, wording)
                said.add(wording.split('"')[0].split("'")[0])
    assert said == {"Dependency ", "Circular dependency detected: ", "Gadget ", "Error: Gadget "}


def wordings(call: str, error: str, cycle: list[str]) -> list[str]:
    """The editor's findings instead of one error of llmist about several dependencies."""
    several = re.fullmatch(r"Dependencies unresolvable: circular=\[(.*)\], missing=\[(.*)\]", error)
    one = re.match('Circular dependency detected: "[^"]*" depends on "([^"]*)"', error)
    if several is None and one is None:
        return error.splitlines()[:1]
    circular, missing = (each.split(", ") for each in several.groups()) if several else ([one[1]] if one else [], [])
    told = [G112_DEPENDENCY_CYCLE.says({"id": call, "dependency": each}) for each in circular if each in cycle]
    assert one is None or told in ([], [error])
    return told + [G111_UNKNOWN_DEPENDENCY.says({"dependency": each}) for each in missing]


FENCED = (
    "`" * 3,
    " " + "`" * 3,
    "x" + "`" * 3,
    "a (" + "`" * 3,
    "```js\nx\n```",
    "``",
    "````",
    "```js\nx\n```\n```",
    "x",
    "` `` ```",
)


def test_a_fence_that_llmist_takes_off_a_value_is_reported() -> None:
    texts = [f"!!!GADGET_START:G:i\n!!!ARG:a\n{value}\n!!!GADGET_END\n" for value in FENCED]
    for value, text, result in zip(
        FENCED, texts, run_llmist([{"chunks": [text], "options": {}} for text in texts]), strict=True
    ):
        # a fence that ends one in the value and is written twice is what a fix makes: only the second one is lost
        is_kept = result["events"][0]["call"]["parameters"]["a"] == value or value.endswith("```\n```")
        assert any(each.code == "G115" for each in check(text, "gadget")) == (not is_kept), value
