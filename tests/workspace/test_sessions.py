"""Folders of logs, generated with what is true of them: pairing, order, gaps, repeated ids, and what never ran."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from examples import LAWS
from folders import write
from llmblocks import check
from llmblocks.gadget import Markers
from llmblocks.gadget.running.fates import PREDICATES
from llmblocks.sessions import SessionCall, read
from llmblocks.workspace.results import ResultFiles

Fact = tuple[str, str | None]
"""The id of a call, and its result."""
TEXTS = ("3 files", "", "two\nlines", "Result (a): no", "=== no\n\n", "[Media: x]\nend", "{}\n\n\n", "(b): c")


def written(folder: Path, chosen: random.Random) -> list[list[Fact]]:
    """Write a session as llmist does, and return the facts of each response."""
    end = chosen.choice(("\n", "\n", "\r\n"))
    history = f"=== SYSTEM ==={end}Say so: Result (a): x{end}{end}=== USER ==={end}begin{end}"
    facts: list[list[Fact]] = []
    number = 0
    lost = chosen.random() < 0.3
    for _ in range(chosen.randint(1, 6)):
        number += 1
        (folder / f"{number:04}.request").write_text(history, "utf-8", newline="")
        ids = chosen.choices("abcd", k=chosen.randint(0, 4)) if chosen.random() < 0.5 else list("abcd")
        ran = {one: chosen.choice(TEXTS) for one in dict.fromkeys(ids) if chosen.random() < 0.8}
        said = "".join(f"!!!GADGET_START:G:{one}{end}!!!GADGET_END{end}" for one in ids)
        # the first call with an id runs
        own = [(one, ran.get(one) if one not in ids[:number] else None) for number, one in enumerate(ids)]
        (folder / f"{number:04}.response").write_text(said, "utf-8", newline="")
        order = [*ran]
        chosen.shuffle(order)
        for one in order:
            called = f"{end}=== ASSISTANT ==={end}!!!GADGET_START:G:{one}{end}{end}!!!GADGET_END{end}"
            text = ran[one].replace("\n", end)
            history += f"{called}{end}=== USER ==={end}Result ({one}): {text}{end}"
        facts.append([(one, text and text.replace("\n", end)) for one, text in own])
        if chosen.random() < 0.2:
            # a sub-agent has its own number
            number += 1
            (folder / f"{number:04}-a").mkdir()
    facts[-1] = [(one, None) for one, _ in facts[-1]]
    if lost and len(facts) > 2:
        gone = sorted(folder.glob("*.request"))[chosen.randrange(1, len(facts))]
        gone.unlink()
    return facts


def test_results_are_paired_with_the_calls_that_they_are_of(tmp_path: Path) -> None:
    for seed in range(max(LAWS, 50)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        facts = written(folder, random.Random(seed))
        session = read(folder)
        found = [
            [(call.invocation_id, call.result.text if call.result else None) for call in each.calls]
            for each in session.responses
        ]
        gone = {each.index for each in session.responses if each.request is None and each.index}
        for index, (one, other) in enumerate(zip(found, facts, strict=True)):
            # without the requests around it, an older result of the same id may be taken for that of a later call
            if index not in gone and index + 1 not in gone:
                assert one == other, (seed, index)
        assert set(session.missing) <= set(range(1, 20))
        # an editor asks for the results of one id
        files = ResultFiles()
        for response in session.responses:
            for name in {call.invocation_id for call in response.calls}:
                same = [call.result for call in response.calls if call.invocation_id == name]
                answer = files.answer(response.file, name, len(same))
                sizes = [len(each.text.encode()) for each in same if each is not None]
                assert [each.size for each in (answer.results if answer else ())] == sizes, (seed, response, name)


def log(folder: Path, **files: str) -> Path:
    """Files `r1` for 0001.response and `q1` for 0001.request."""
    kinds = {"r": "response", "q": "request"}
    return write(folder, {f"{int(name[1:]):04}.{kinds[name[0]]}": text for name, text in files.items()})


def call(header: str, body: str = "") -> str:
    return f"!!!GADGET_START:G:{header}\n{body}!!!GADGET_END\n"


def calls(*headers: str) -> str:
    return "".join(map(call, headers))


def ran(*results: str) -> str:
    return "=== USER ===\nbegin\n" + "".join(
        f"\n=== ASSISTANT ===\n!!!GADGET_START:G:{one}\n\n!!!GADGET_END\n\n=== USER ===\nResult ({one}): {text}\n"
        for one, _, text in [each.partition("=") for each in results]
    )


def told(folder: Path) -> list[tuple[str, str, str]]:
    return [(each.invocation_id, each.outcome, each.why) for each in read(folder).calls]


WRONG = "!!!ARG:p\n1\n!!!ARG:p\n2\n"
UNREAD = "Error: Failed to parse parameters for 'G':"
INVALID, UNKNOWN = "Error: Invalid parameters for 'G':", "Error: Gadget 'G' not found."
LATE = "Gadget 'G' execution exceeded timeout of 5ms"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {
                "r1": calls("a"),
                "q2": ran("a=no disk"),
                "r2": calls("b:a", "x", "d:b"),
                "q3": ran("a=no disk", "x=1"),
                "r3": calls("c:b"),
            },
            [
                *(("a", "failed", "no disk"), ("b", "skipped", "a has failed"), ("x", "returned", "")),
                *(("d", "skipped", "a has failed"), ("c", "skipped", "a has failed")),
            ],
            id="a later response shows that a call failed",
        ),
        pytest.param(
            {
                "r1": calls("a", "b", "c", "d"),
                "q2": ran(f"a={INVALID}\n- p: no", f"b={UNKNOWN}", f"c={LATE}", "d=Error: mine"),
            },
            [
                *(("a", "rejected", f"{INVALID} p: no"), ("b", "rejected", UNKNOWN), ("c", "failed", LATE)),
                ("d", "returned", ""),
            ],
            id="the errors of the runtime are failures",
        ),
        pytest.param(
            {"r1": calls("a", "b:nope", "c:c") + call("t", WRONG) + calls("d:b"), "q2": ran()},
            [
                ("a", "no result", "0002.request has none"),
                ("b", "never ran", 'Dependency "nope" was never executed'),
                ("c", "never ran", 'Gadget "c" cannot depend on itself'),
                ("t", "rejected", "Duplicate pointer: p"),
                ("d", "never ran", 'Circular dependency detected: "d" depends on "b"'),
            ],
            id="a call without a result says why",
        ),
        pytest.param({"r1": calls("a")}, [("a", "no result", "the session ends with this response")], id="the end"),
    ],
)
def test_a_call_has_an_outcome(tmp_path: Path, files: dict[str, str], expected: list[tuple[str, str, str]]) -> None:
    assert told(log(tmp_path, **files)) == expected


FINE_AND_FAILED = "a=fine", "b=Error: ENOENT b"
WAIT = ("a", "b", "m:a,b")


@pytest.mark.parametrize(
    ("headers", "results", "skipped", "failed"),
    [
        # only one result looks like an error
        (WAIT, FINE_AND_FAILED, "b has failed", {"b"}),
        # another call waits for one of them alone
        ((*WAIT, "n:b"), ("a=1", "b=no disk"), "b has failed", {"b"}),
        # another call has run after one of them
        (("a", "b", "n:a", "m:a,b"), ("a=1", "b=no", "n=1"), "b has failed", {"b"}),
        # it stands after the skipped one: llmist may have skipped that because b still ran
        ((*WAIT, "n:a"), ("a=1", "b=no", "n=1"), "b has failed or came too late", set()),
        ((*WAIT, "n:a"), ("a=1", "b=Error: ENOENT b", "n=1"), "b has failed", {"b"}),
        (WAIT, ("a=1", "b=no disk"), "a or b has failed", set()),
        (WAIT, ("a=Error: x", "b=Error: y"), "a or b has failed", set()),
        (WAIT, ("a=1", f"b={UNKNOWN}"), "b is rejected", set()),
    ],
)
def test_a_skipped_call_names_the_dependency_that_stopped(
    tmp_path: Path, headers: tuple[str, ...], results: tuple[str, ...], skipped: str, failed: set[str]
) -> None:
    folder = log(tmp_path, r1=calls(*headers), q2=ran(*results), r2=calls("z:m"), q3=ran(*results))
    found = {one: (outcome, why) for one, outcome, why in told(folder)}
    assert found["m"] == ("skipped", skipped)
    assert {one for one, (outcome, _) in found.items() if outcome == "failed"} == failed
    # what waits for a skipped call is skipped for the same reason, where that is known
    assert found["z"] == ("skipped", skipped if " or " not in skipped else "m is skipped")


def test_the_dependency_that_stopped_is_the_same_in_the_finding(tmp_path: Path) -> None:
    text = calls(*WAIT)
    folder = log(tmp_path, r1=text, q2=ran(*FINE_AND_FAILED))
    failed, skipped = check(text, None, name=str(folder / "0001.response"))
    assert (failed.code, text[failed.start : failed.end]) == ("G301", "b")
    assert (skipped.code, text[skipped.start : skipped.end]) == ("G302", "b")
    assert skipped.message.headline == "skipped: b has failed"


def test_the_same_rejected_call_is_a_repetition(tmp_path: Path) -> None:
    again = call("b", WRONG) + calls("c")
    results = f"a={UNREAD}", f"b={UNREAD}", "c=1"
    folder = log(tmp_path, r1=call("a", WRONG), q2=ran(results[0]), r2=again, q3=ran(*results), r3=call("d", WRONG))
    assert [each.repeats and each.repeats.invocation_id for each in read(folder).calls] == [None, "a", None, "b"]


def test_calls_know_who_waits_for_them(tmp_path: Path) -> None:
    session = read(
        log(tmp_path, r1=calls("a", "b:a"), q2=ran("a=1", "b=2"), r2=calls("c:a"), q3=ran("a=1", "b=2", "c=3"))
    )
    assert [[other.invocation_id for other in each.used_by] for each in session.calls] == [["b", "c"], [], []]
    assert [each.invocation_id for each in session.unused] == ["b", "c"]
    assert [each.wave for each in session.calls] == [1, 2, 1]


@pytest.mark.parametrize(
    ("files", "results"),
    [
        # the same id twice in one response has one result for each call that ran
        (
            {"r1": calls("a", "a"), "q2": ran("a=1", "a=2"), "r2": calls("a", "a"), "q3": ran("a=1", "a=2", "a=3")},
            ["1", "2", "3", None],
        ),
        # an older result of an id is not that of a skipped call
        ({"r1": calls("a"), "q2": ran("a=1"), "r2": calls("a"), "q3": ran("a=1")}, ["1", None]),
        # the history was made shorter
        (
            {"r1": calls("a"), "q2": ran("a=1"), "r2": calls("b"), "q3": "=== USER ===\nSummary.\n" + ran("b=2")},
            ["1", "2"],
        ),
        # a request that was cut off gives the results that it has
        ({"r1": calls("a", "b"), "q2": ran("a=first", "b=second")[: -len("ond\n")]}, ["first", "sec"]),
    ],
)
def test_a_call_has_the_result_of_the_next_request(
    tmp_path: Path, files: dict[str, str], results: list[str | None]
) -> None:
    assert [each.result and each.result.text for each in read(log(tmp_path, **files)).calls] == results


def test_numbers_without_a_file_are_missing(tmp_path: Path) -> None:
    folder = log(tmp_path, r2="x", r5="y")
    (folder / "0003-a").mkdir()
    (folder / "notes.response").write_text("z")
    session = read(folder)
    assert session.missing == (1, 4)
    assert [each.number for each in session.responses] == [2, 5]


def test_a_sub_agent_belongs_to_the_call_before_it(tmp_path: Path) -> None:
    folder = log(tmp_path, r1=calls("a"), r3=calls("a", "b"))
    # 0001-a and 0003-a have the numbers of responses, which cannot be
    for name in ("0001-a", "0002-a", "0003-a", "0004-a", "0005-b", "0006-other"):
        log(folder / name, r1="inside")
    found = [[agent.folder[-6:] for agent in each.agents] for each in read(folder).calls]
    assert found == [["0002-a"], ["0004-a"], ["0005-b"]]


def test_other_markers_are_those_of_the_settings(tmp_path: Path) -> None:
    folder = log(tmp_path, r1="<<CALL:G:a\n<<END")
    (found,) = read(folder, markers=Markers("<<CALL:", "<<END", "<<ARG:")).calls
    assert isinstance(found, SessionCall)
    assert found.name == "G"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        read(tmp_path / "file")
    assert read(tmp_path).responses == ()


@pytest.mark.parametrize("outcome", PREDICATES)
def test_an_outcome_has_its_row_in_the_glossary_and_on_the_page_of_sessions(outcome: str) -> None:
    docs = Path(__file__).parents[2] / "docs"
    assert f"**{outcome.capitalize()}**\n:   The outcome of " in (docs / "glossary.md").read_text("utf-8")
    assert f"\n| {outcome} | " in (docs / "sessions.md").read_text("utf-8")
