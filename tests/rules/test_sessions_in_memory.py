"""A response of a session that is in memory: its dependencies are the calls of earlier responses."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks import Settings, Severity, check, feedback, fix
from llmblocks.gadget import Markers


def call(header: str, body: str = "") -> str:
    return f"!!!GADGET_START:{header}\n{body}!!!GADGET_END\n"


FIRST = call("Read:r1", "!!!ARG:path\na\n") + call("Read")
SECOND = call("Merge:m1:r1")


@pytest.mark.parametrize("known", [["r1"], {"r1"}, (FIRST,), ["r0", FIRST]], ids=["ids", "a set", "a text", "both"])
def test_a_dependency_on_an_earlier_call_is_not_a_finding(known: list[str]) -> None:
    assert [each.code for each in check(SECOND, "gadget")] == ["G111"]
    assert check(SECOND, "gadget", known=known) == ()
    assert feedback(SECOND, "gadget", known=known) == ""
    assert fix(SECOND, "gadget", unsafe=True, known=known).left == ()
    assert feedback(SECOND, "gadget", results={"r1": "hello"}) == ""


def test_a_call_without_an_id_has_the_number_of_the_runtime() -> None:
    waits = call("Merge:m1:gadget_1")
    assert check(waits, "gadget", known=[FIRST]) == ()
    assert [each.code for each in check(waits, "gadget", known=["r1"])] == ["G111"]


def test_an_id_that_no_call_has_is_a_finding_still_and_keeps_its_fix() -> None:
    text = call("Read:read_two") + call("Merge:m1:r1,read_tw")
    told = feedback(text, "gadget", known=["r1"])
    assert told.startswith('There is a problem in your response:\n\nLine 3: No call so far has the id "read_tw"')
    fixed = fix(text, "gadget", unsafe=True, known=["r1"])
    assert (fixed.text, fixed.left) == (text.replace("read_tw\n", "read_two\n"), ())


def test_other_markers_are_those_of_the_settings() -> None:
    first = FIRST.replace("!!!GADGET_", "<<").replace("!!!ARG:", "<<ARG:")
    second = SECOND.replace("!!!GADGET_", "<<")
    settings = Settings(markers=Markers(start="<<START:", end="<<END", arg="<<ARG:"))
    assert check(second, "gadget", settings, known=[first]) == ()


@pytest.mark.parametrize(
    ("results", "says"),
    [
        ({"r1": "Error: Gadget 'Read' not found."}, "skipped: r1 is rejected"),
        ({"r1": "Gadget 'Read' execution exceeded timeout of 5ms."}, "skipped: r1 has failed"),
        ({"r1": "hello"}, ""),
    ],
)
def test_a_call_that_waits_for_one_that_stopped_is_skipped(results: dict[str, str], says: str) -> None:
    found = check(SECOND, "gadget", known=[FIRST], results=results)
    assert [each.message.headline for each in found] == ([says] if says else [])
    # the ids are known from the results alone
    assert [each.code for each in check(SECOND, "gadget", results=results)] == [each.code for each in found]
    told = feedback(SECOND, "gadget", least=Severity.INFORMATION, known=[FIRST], results=results)
    assert (says in told) if says else not told


def test_the_same_call_after_a_rejection_is_a_repetition() -> None:
    again = call("Read:r2", "!!!ARG:path\na\n")
    results = {"r1": "Error: Gadget 'Read' not found.", "r2": "Error: Gadget 'Read' not found."}
    (found,) = check(again, "gadget", known=[FIRST], results=results)
    assert found.message.headline.startswith("The same call as r1")


@pytest.mark.parametrize("wrong", ["r1", 1])
def test_what_is_not_a_collection_is_refused(wrong: object) -> None:
    for function in (check, fix, feedback):
        with pytest.raises(TypeError, match="known is a collection of ids or of texts"):
            function(SECOND, "gadget", known=wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="results are what the runtime said"):
            function(SECOND, "gadget", results=wrong)  # type: ignore[arg-type]


def test_feedback_and_fix_read_the_session_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "0001.response").write_text(FIRST, "utf-8")
    second = tmp_path / "0002.response"
    second.write_text(SECOND, "utf-8")
    assert feedback(SECOND, None, name=str(second)) == ""
    assert fix(SECOND, None, name=str(second), unsafe=True).text == SECOND
    assert 'Dependency "r1" was never executed' in feedback(SECOND, None, name=str(tmp_path / "second.gadget"))
