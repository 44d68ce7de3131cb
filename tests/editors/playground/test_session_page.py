"""The page of a session in a real Chromium: light, dark, on a phone, by keyboard, in print, and large."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from editors.browser import seen_by
from editors.debian import ROOT
from editors.screen import compare
from llmblocks.cli.commands import main

Json = Any
HERE = Path(__file__).resolve().parent
PICTURES = ROOT / ".screenshots" / "session"
HOSTILE = "</script><script>document.title = 'taken'</script><img src=http://example.com/x onerror=alert(1)>"
WRONG = "!!!GADGET_START:Read:{}\n!!!ARG:path\nsrc/a.py\n!!!ARG:path\nsrc/b.py\n!!!GADGET_END\n"
FIRST = (
    "I look at the tests first, and let an agent count them.\n"
    "!!!GADGET_START:Search:s1\n!!!ARG:query\ntests\n!!!ARG:folders/0\nsrc\n!!!GADGET_END\n"
    + WRONG.format("r1")
    + "!!!GADGET_START:Agent:a1:s1\n!!!ARG:task\nCount them\n!!!GADGET_END\n"
    "!!!GADGET_START:Write:w1:r1\n!!!GADGET_END\n!!!GADGET_START:Save:d1\n!!!ARG:path\nnotes/tests.md\n!!!GADGET_END\n"
    "!!!GADGET_START:Tell:t1:d1\n!!!GADGET_END\n"
)
ERROR = "Error: Failed to parse parameters for 'Read':\n  Duplicate pointer: path\n\nGadget Usage:\nReads a file"


def folder(at: Path, **files: str) -> Path:
    """Logs by name: `r1` is 0001.response, `q1` is 0001.request."""
    at.mkdir(parents=True)
    for name, text in files.items():
        (at / f"{int(name[1:]):04}.{'response' if name[0] == 'r' else 'request'}").write_text(text, "utf-8")
    return at


def told(*results: str) -> str:
    return "=== USER ===\nbegin\n" + "".join(
        f"\n=== USER ===\nResult ({one}): {said}\n" for one, _, said in (each.partition("=") for each in results)
    )


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Json:
    home = tmp_path_factory.mktemp("session")
    results = ("s1=src/a.py: 3 tests", f"r1={ERROR}", "a1=3 tests", "d1=no space left on the disk")
    small = folder(
        home / "logs" / "brave-otter",
        q1=told(),
        r1=FIRST,
        q3=told(*results),
        r3=WRONG.format("r2"),
        r4="Neither file could be read.",
    )
    folder(
        small / "0002-a1", r1="!!!GADGET_START:Count:s9\n!!!GADGET_END\n", q2=told(f"s9={HOSTILE}"), r2="There are 3."
    )
    folder(home / "logs" / "calm-newt", r1="Nothing to do.")
    calls = "".join(f"!!!GADGET_START:Read:c{n}\n!!!ARG:path\nsrc/{n}.py\n!!!GADGET_END\n" for n in range(2000))
    large = folder(home / "large", r1=calls, q2=told(*[f"c{n}={'line ' * 50}" for n in range(2000)]), r2=HOSTILE)
    pages = [str(home / name) for name in ("small.html", "large.html", "list.html")]
    for logs, page, status in zip((small, large, home / "logs"), pages, (1, 0, 1), strict=True):
        assert main(["session", str(logs), "--output-format", "html", "--output-file", page]) == status
    # the same session, once the model has read one file and counted the tests again
    right = "!!!GADGET_START:Read:r1\n!!!ARG:path\nsrc/b.py\n!!!GADGET_END\n"
    other = folder(
        home / "other" / "calm-otter",
        q1=told(),
        r1=FIRST.replace(WRONG.format("r1"), right).replace("Count them", "Count them all"),
        q3=told("s1=src/a.py: 5 tests", "r1=print(1)", "a1=5 tests", "w1=done", "d1=saved", "t1=told"),
        r4="Both files could be read.",
    )
    pages.append(str(home / "diff.html"))
    assert main(["diff", str(small), str(other), "--output-format", "html", "--output-file", pages[-1]]) == 1
    PICTURES.mkdir(parents=True, exist_ok=True)
    return seen_by(HERE / "session.mjs", *pages, PICTURES)


def test_the_page_asks_no_host_for_anything_and_runs_no_script_of_a_log(seen: Json) -> None:
    assert seen["errors"] == []
    assert {each.partition(":")[0] for each in seen["requests"]} == {"file"}
    assert len({*seen["requests"]}) == 4


def test_nobody_is_kept_from_reading_it(seen: Json) -> None:
    pages = ("light", "dark", "phone", "diff", "diff-dark", "diff-phone", "list")
    assert seen["violations"] == {name: [] for name in pages}
    assert seen["wide"] == dict.fromkeys(pages, 0)


def test_two_sessions_stand_side_by_side(seen: Json) -> None:
    told = [line for line in seen["words"]["diff"].splitlines() if line.strip()]
    assert told[0].endswith("brave-otter and " + told[0].partition(" and ")[2])
    assert "call Read r1 changed" in told
    assert "call Search s1 changed" in told
    # beside each other: the query is the same, the results are not
    at = told.index("call Search s1 changed")
    assert [any(words in line for line in told[at:]) for words in ("3 tests", "5 tests")] == [True, True]


def test_calls_are_found_by_what_is_in_them(seen: Json) -> None:
    # the parameters of both readers, and the result of the search
    assert seen["shown"] == [7, 3]
    assert seen["said"] == "3 calls"
    assert seen["waves"] == ["wave 1", "not run", "not run"]


def test_the_keyboard_reaches_and_opens_calls(seen: Json) -> None:
    assert seen["stops"][:3] == ["Open all", "Close all", "Next problem"]
    assert seen["stops"][-1].startswith("Search s1")
    assert seen["opened"]


def test_problems_and_the_graph_lead_to_calls(seen: Json) -> None:
    words, is_open = seen["problem"]
    assert words.startswith("Save d1")
    assert is_open
    assert seen["fromGraph"] == "call-0"


def test_a_print_has_every_call_opened_and_no_buttons(seen: Json) -> None:
    assert seen["printed"] == ["none", 0]


def test_two_thousand_calls_stay_usable(seen: Json) -> None:
    # a search that cost their square would take minutes
    assert seen["searched"] < 60_000


def test_a_folder_of_sessions_lists_them_with_what_stopped(seen: Json) -> None:
    listed = seen["list"]
    assert "2 sessions" in listed
    assert "calm-newt\n\n1 response, 0 calls" in listed
    assert "0001.response: Save d1 failed: no space left on the disk" in listed


@pytest.mark.parametrize("name", ["light", "dark-problem"])
def test_the_pictures_in_the_docs_are_those_of_today(seen: Json, name: str) -> None:
    kept = ROOT / "docs" / "images" / f"session-{name.partition('-')[0]}.png"
    problem = compare(PICTURES / f"session-{name}.png", kept, [], seen["words"][name])
    assert not problem, problem
