"""The session of a folder whose files come, change and go: it always equals one that is read again."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from examples import LAWS
from llmblocks.contract.other_files import CallOutcome
from llmblocks.languages.registry import find_language
from llmblocks.sessions import read
from llmblocks.settings.values import Settings
from llmblocks.workspace import results as module
from llmblocks.workspace.listing import finished
from llmblocks.workspace.results import LiveSession

WRONG = "!!!ARG:p\n1\n!!!ARG:p\n2\n"
BODIES = ("", "", WRONG, "!!!ARG:p\n3\n")
RESULTS = ("done", "Error: Gadget 'G' not found.", "no disk", "Error: Failed to parse parameters for 'G':\n- p")


def live(folder: Path) -> LiveSession:
    return LiveSession(str(folder), find_language("gadget"), Settings(), lambda file: None)


def told(folder: Path, session: LiveSession) -> dict[str, list[CallOutcome]]:
    """Return the outcome of each call of a folder that is read again."""
    found: dict[str, list[CallOutcome]] = {}
    for response in read(folder).responses:
        name, counts = os.path.basename(response.file), dict[str, int]()
        for call in response.calls:
            number = counts[call.invocation_id] = counts.get(call.invocation_id, -1) + 1
            ran = session.ran(name, call.invocation_id)
            found.setdefault(name, []).append(ran[number] if number < len(ran) else CallOutcome())
    return found


def naive(folder: Path) -> dict[str, list[CallOutcome]]:
    """Return the same from the values of the public library."""
    found: dict[str, list[CallOutcome]] = {}
    for response in read(folder).responses:
        for call in response.calls:
            before, attempt = call.repeats, 1
            while before is not None:
                attempt, before = attempt + 1, before.repeats
            last = call.repeats
            earlier = None if last is None else (os.path.basename(last.response.file), last.invocation_id)
            skipped = response.judged[call.number][1].dependency
            ran = CallOutcome(before=earlier, attempt=attempt)
            if call.outcome == "skipped" or (call.outcome != "returned" and call.result is not None):
                ran = CallOutcome(call.outcome, call.why, None, skipped, earlier, attempt=attempt)
            found.setdefault(os.path.basename(response.file), []).append(ran)
    return found


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
            found = told(folder, session)
            plain = {name: [each._replace(result=None) for each in of] for name, of in found.items()}
            assert plain == naive(folder), seed
            kinds |= {
                (each.outcome in ("failed", "rejected"), each.dependency != "", each.attempt)
                for of in found.values()
                for each in of
            }
    # some have failed, some were skipped, and some are third attempts
    assert {(True, False, 1), (False, True, 1), (True, False, 3)} <= kinds


def test_a_file_that_is_too_large_or_gone_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "0001.response").write_text("!!!GADGET_START:G:a\n!!!GADGET_END\n", "utf-8")
    (tmp_path / "0002.request").write_text(f"=== USER ===\nResult (a): Error: Gadget '{'x' * 200}", "utf-8")
    session = live(tmp_path)
    assert finished(session.update()) == {"0001.response"}
    assert len(session.ran("0001.response", "a")) == 1
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    assert finished(live(tmp_path).update()) == set()
    (tmp_path / "0001.response").unlink()
    assert finished(session.update()) == {"0001.response"}
    assert session.ran("0001.response", "a") == ()
    assert finished(live(tmp_path / "none").update()) == set()
