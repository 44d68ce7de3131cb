"""The session of a folder whose files change equals one that is read again; and the results in its requests."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from examples import LAWS
from llmblocks.contract.other_files import CallOutcome
from llmblocks.languages.registry import find_language
from llmblocks.request.stream import read_messages
from llmblocks.sessions import read
from llmblocks.settings.values import Settings
from llmblocks.workspace.listing import finished
from llmblocks.workspace.results import MOST_BYTES, LiveSession, ResultFiles, outcome_of, results_in

WRONG = "!!!ARG:p\n1\n!!!ARG:p\n2\n"
BODIES = ("", "", WRONG, "!!!ARG:p\n3\n")
RESULTS = ("done", "Error: Gadget 'G' not found.", "no disk", "Error: Failed to parse parameters for 'G':\n- p")


def live(folder: Path) -> LiveSession:
    return LiveSession(str(folder), find_language("gadget"), Settings(), lambda file: None)


def outcomes(folder: Path, session: LiveSession) -> Iterator[tuple[CallOutcome, CallOutcome]]:
    """Yield the outcome of each call, and the same from the values of the public library, which reads all again."""
    for response in read(folder).responses:
        name, counts = os.path.basename(response.file), Counter[str]()
        for call in response.calls:
            ran = session.ran(name, call.invocation_id)[counts[call.invocation_id] :]
            counts[call.invocation_id] += 1
            before, attempt = call.repeats, 1
            while before is not None:
                attempt, before = attempt + 1, before.repeats
            last = call.repeats
            earlier = None if last is None else (os.path.basename(last.response.file), last.invocation_id)
            expected = CallOutcome(before=earlier, attempt=attempt)
            if call.outcome == "skipped" or (call.outcome != "returned" and call.result is not None):
                skipped = response.judged[call.number][1].dependency
                expected = CallOutcome(call.outcome, call.why, None, skipped, earlier, attempt=attempt)
            yield (ran[0]._replace(result=None) if ran else CallOutcome()), expected


def by_id(session: LiveSession) -> dict[tuple[str, str], list[CallOutcome]]:
    names = [f"{number:04}.response" for number in range(1, 6)]
    return {(name, one): [*session.ran(name, one)] for name in names for one in "abc"}


def change(folder: Path, chosen: random.Random) -> None:
    """Write, cut off or remove a file of a session."""
    number = chosen.randint(1, 5)
    file = folder / f"{number:04}.{chosen.choice(('response', 'request'))}"
    if file.exists() and chosen.random() < 0.3:
        file.unlink()
    elif file.suffix == ".response":
        ids = chosen.choices("abc", k=chosen.randint(0, 3))
        needs = [chosen.choice(("", "", ":a", ":b", ":a,c", ":none")) for _ in ids]
        headers = [f"{one}{need}" for one, need in zip(ids, needs, strict=True)]
        calls = [f"!!!GADGET_START:G:{header}\n{chosen.choice(BODIES)}!!!GADGET_END\n" for header in headers]
        file.write_text("".join(calls)[: chosen.choice((None, 60))], "utf-8", newline="")
    else:
        ids = chosen.choices("abc", k=chosen.randint(0, number * 2))
        results = [f"=== USER ===\nResult ({one}): {chosen.choice(RESULTS)}\n\n" for one in ids]
        file.write_text("=== USER ===\nbegin\n\n" + "".join(results), "utf-8", newline="")
    if file.exists():
        # two changes in one tick of the clock count as two
        os.utime(file, ns=(chosen.getrandbits(60), chosen.getrandbits(60)))


def test_a_session_that_follows_its_files_equals_one_that_is_read_again(tmp_path: Path) -> None:
    kinds = set()
    for seed in range(max(LAWS // 4, 60)):
        folder, chosen = tmp_path / str(seed), random.Random(seed)
        folder.mkdir()
        session = live(folder)
        for _ in range(12):
            before = by_id(session)
            change(folder, chosen)
            changed = finished(session.update())
            after = by_id(session)
            assert {name for name, one in after if before[name, one] != after[name, one]} <= changed
            for found, expected in outcomes(folder, session):
                assert found == expected, seed
                kinds.add((found.outcome in ("failed", "rejected"), found.dependency != "", found.attempt))
    # some have failed, some were skipped, and some are third attempts
    assert {(True, False, 1), (False, True, 1), (True, False, 3)} <= kinds


def test_a_file_that_is_too_large_or_gone_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "0001.response").write_text("!!!GADGET_START:G:a\n!!!GADGET_END\n", "utf-8")
    (tmp_path / "0002.request").write_text("=== USER ===\nResult (a): Error: Gadget '", "utf-8")
    session = live(tmp_path)
    assert finished(session.update()) == {"0001.response"}
    assert len(session.ran("0001.response", "a")) == 1
    os.truncate(tmp_path / "0002.request", MOST_BYTES + 1)
    assert finished(live(tmp_path).update()) == set()
    (tmp_path / "0001.response").unlink()
    assert finished(session.update()) == {"0001.response"}
    assert session.ran("0001.response", "a") == ()
    assert finished(live(tmp_path / "none").update()) == set()


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
    for said in (f"It says: Gadget 'Read' {words}", f"Gadget 'Read' has read\nGadget 'Write' {words}"):
        assert outcome_of(said) == "returned"
