"""The results in a request, and their places."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from llmblocks.request.stream import read_messages
from llmblocks.workspace.listing import finished
from llmblocks.workspace.results import ResultFiles, outcome_of, results_in

PIECES = (
    *("=== USER ===", "=== SYSTEM ===\n", "\n", "\r\n", "\r", "Result (", "a", "é🎉", "): "),
    *("=== USER ===\nResult (b): x", "[Media: m (image)]"),
)


@given(st.lists(st.sampled_from(PIECES)).map("".join))
@example("=== USER ===\nResult (a): x\n\n=== USER ===\r\nResult (b): \n=== USER ===\n=== USER ===\nResult (c): 1")
def test_results_have_the_places_of_the_messages_that_tell_them(text: str) -> None:
    messages = [each for each in read_messages(text) if each.result_of is not None]
    told = [each for _, each in finished(results_in(text, "0001.request"))]
    assert [each.place.text for each in told] == [each.result_of for each in messages]
    for each in told:
        place = each.place
        before = text[: place.start]
        assert (text[place.start : place.end], place.before) == (place.text, "Result (")
        assert place.line == len(re.split("\r\n|\n|\r", before)) - 1
        assert each.size >= len(each.excerpt)


def test_a_request_that_cannot_be_read_has_no_answer(tmp_path: Path) -> None:
    (tmp_path / "0002.request").mkdir()
    assert ResultFiles().answer(str(tmp_path / "0001.response"), "a", 1) is None
    (tmp_path / "0003.request").write_text("=== USER ===\nResult (a): x\n", "utf-8")
    answer = ResultFiles().answer(str(tmp_path / "0002.response"), "a", 1)
    assert answer is not None


def test_only_the_runtime_says_that_a_gadget_took_too_long() -> None:
    words = "execution exceeded timeout of 5ms"
    assert outcome_of(f"Gadget 'Read' {words}") == "failed"
    assert outcome_of(f"It says: Gadget 'Read' {words}") == "returned"
    assert outcome_of("Gadget 'Read' has read it") == "returned"
    assert outcome_of(f"Gadget 'Read' has read\nGadget 'Write' {words}") == "returned"
