"""Pages in a real Chromium, light, dark and on a phone: the view of a graph, a report, and sessions."""

from __future__ import annotations

from pathlib import Path

import pytest

import responses
from editors.browser import seen_by
from editors.debian import ROOT
from editors.playground.conftest import HERE, Json
from editors.screen import compare
from folders import written
from llmblocks.cli.commands import main
from llmblocks.features.navigation import graph_of
from llmblocks.languages.ask import ask_all
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS


def pictures(name: str) -> Path:
    """Return the folder of what is taken of a page."""
    folder = ROOT / ".screenshots" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


BEFORE = """\
!!!GADGET_START:Read:r1
!!!GADGET_END
!!!GADGET_START:Search:s1
!!!ARG:folders/1
src
!!!GADGET_END
!!!GADGET_START:Write:w1:r1,s1
!!!GADGET_END
!!!GADGET_START:Tell:t1:w1
!!!GADGET_END
!!!GADGET_START:Check:c1:r1
!!!GADGET_END
!!!GADGET_START:Wait:x1:gone
!!!GADGET_END
"""


def drawn(text: str) -> str:
    language = find_language("gadget")
    return graph_of(ask_all(language.open(text, DEFAULTS), language, DEFAULTS)).write("svg")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Json:
    files = []
    for name, text in (("before", BEFORE), ("after", BEFORE.replace("folders/1", "folders/0"))):
        files.append(tmp_path_factory.mktemp(name) / "graph.svg")
        files[-1].write_text(drawn(text), "utf-8")
    return seen_by(HERE / "graph.mjs", *files, pictures("graph"))


def test_it_is_accessible_in_light_and_dark(graph: Json) -> None:
    assert graph["violations"] == {"light": [], "dark": []}
    assert graph["errors"] == []


def test_rejected_skipped_and_stuck_calls_are_marked_in_both_themes(graph: Json) -> None:
    for colours in graph["colours"].values():
        assert len({*colours.values()}) == 4
        assert colours["skipped"] != colours["runs"]
    assert graph["colours"]["light"] != graph["colours"]["dark"]


def test_it_fits_and_zooms(graph: Json) -> None:
    fitting, larger, again = graph["widths"]
    assert fitting <= 900
    assert larger > fitting == pytest.approx(again)


def test_its_calls_are_reached_by_keyboard_and_mouse(graph: Json) -> None:
    assert graph["focused"] == ["Read r1 wave 1", "Search s1 rejected: Array index gap: expected 0, got 1"]
    assert graph["opened"] == [1, 2]


def test_it_stays_where_it_is_while_the_text_is_typed(graph: Json) -> None:
    assert graph["kept"] == ["Write w1 wave 2", True]
    assert graph["said"] == "6 calls, 5 run"
    assert graph["told"] == "The document has no gadget calls."


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Json:
    folder = tmp_path_factory.mktemp("corpus")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        responses.write(folder, 30)
        assert main(["report", "-q", "--output-format", "html", "--output-file", "report.html"]) == 0
    return seen_by(HERE / "report.mjs", folder / "report.html", pictures("report"))


def test_it_is_accessible_in_light_dark_and_narrow(report: Json) -> None:
    assert report["violations"] == {"light": [], "dark": [], "narrow": []}
    assert report["grounds"] == {
        "light": "rgb(255, 255, 255)",
        "dark": "rgb(13, 17, 23)",
        "narrow": "rgb(255, 255, 255)",
    }


def test_it_asks_no_host_and_breaks_no_policy(report: Json) -> None:
    assert (report["errors"], report["requests"]) == ([], [])


def test_only_its_tables_scroll_sideways(report: Json) -> None:
    assert max(report["wide"].values()) <= 0


def test_the_picture_in_the_docs_is_that_of_today(report: Json) -> None:
    problem = compare(pictures("report") / "light.png", ROOT / "docs" / "images" / "report.png", [], report["words"])
    assert not problem, problem


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
    for name, text in files.items():
        written(at / f"{int(name[1:]):04}.{'response' if name[0] == 'r' else 'request'}", text)
    return at


def told(*results: str) -> str:
    return "=== USER ===\nbegin\n" + "".join(
        f"\n=== USER ===\nResult ({one}): {said}\n" for one, _, said in (each.partition("=") for each in results)
    )


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Json:
    home = tmp_path_factory.mktemp("session")
    results = ("s1=src/a.py: 3 tests", f"r1={ERROR}", "a1=3 tests", "d1=no space left on the disk")
    logs = {"q1": told(), "r1": FIRST, "q3": told(*results), "r3": WRONG.format("r2")}
    small = folder(home / "logs" / "brave-otter", **logs, r4="Neither file could be read.")
    count = "!!!GADGET_START:Count:s9\n!!!GADGET_END\n"
    folder(small / "0002-a1", r1=count, q2=told(f"s9={HOSTILE}"), r2="There are 3.")
    folder(home / "logs" / "calm-newt", r1="Nothing to do.")
    calls = "".join(f"!!!GADGET_START:Read:c{n}\n!!!ARG:path\nsrc/{n}.py\n!!!GADGET_END\n" for n in range(2000))
    large = folder(home / "large", r1=calls, q2=told(*[f"c{n}={'line ' * 50}" for n in range(2000)]), r2=HOSTILE)
    pages = [str(home / name) for name in ("small.html", "large.html", "list.html")]
    as_page = ("--output-format", "html", "--output-file")
    for at, page, status in zip((small, large, home / "logs"), pages, (1, 0, 1), strict=True):
        assert main(["session", str(at), *as_page, page]) == status
    # the same session, once the model has read one file and counted the tests again
    right = "!!!GADGET_START:Read:r1\n!!!ARG:path\nsrc/b.py\n!!!GADGET_END\n"
    first = FIRST.replace(WRONG.format("r1"), right).replace("Count them", "Count them all")
    then = told("s1=src/a.py: 5 tests", "r1=print(1)", "a1=5 tests", "w1=done", "d1=saved", "t1=told")
    read = "Both files could be read."
    other = folder(home / "other" / "calm-otter", q1=told(), r1=first, q3=then, r4=read)
    pages.append(str(home / "diff.html"))
    assert main(["diff", str(small), str(other), *as_page, pages[-1]]) == 1
    return seen_by(HERE / "session.mjs", *pages, pictures("session"))


def test_the_page_asks_no_host_for_anything_and_runs_no_script_of_a_log(session: Json) -> None:
    assert session["errors"] == []
    assert {each.partition(":")[0] for each in session["requests"]} == {"file"}
    assert len({*session["requests"]}) == 4


def test_nobody_is_kept_from_reading_it(session: Json) -> None:
    pages = ("light", "dark", "phone", "diff", "diff-dark", "diff-phone", "list")
    assert session["violations"] == {name: [] for name in pages}
    assert session["wide"] == dict.fromkeys(pages, 0)


def test_two_sessions_stand_side_by_side(session: Json) -> None:
    told = [line for line in session["words"]["diff"].splitlines() if line.strip()]
    assert told[0].endswith("brave-otter and " + told[0].partition(" and ")[2])
    assert "call Read r1 changed" in told
    assert "call Search s1 changed" in told
    # beside each other: the query is the same, the results are not
    at = told.index("call Search s1 changed")
    assert [any(words in line for line in told[at:]) for words in ("3 tests", "5 tests")] == [True, True]


def test_calls_are_found_by_what_is_in_them(session: Json) -> None:
    # the parameters of both readers, and the result of the search
    assert (session["shown"], session["said"]) == ([7, 3], "3 calls")
    assert session["waves"] == ["wave 1", "not run", "not run"]


def test_the_keyboard_problems_and_the_graph_lead_to_calls(session: Json) -> None:
    assert session["stops"][:3] == ["Open all", "Close all", "Next problem"]
    assert session["stops"][-1].startswith("Search s1")
    assert session["opened"]
    words, is_open = session["problem"]
    assert (words[:7], is_open, session["fromGraph"]) == ("Save d1", True, "call-0")


def test_a_print_has_every_call_opened_and_no_buttons(session: Json) -> None:
    assert session["printed"] == ["none", 0]


def test_two_thousand_calls_stay_usable(session: Json) -> None:
    # a search that cost their square would take minutes
    assert session["searched"] < 60_000


def test_a_folder_of_sessions_lists_them_with_what_stopped(session: Json) -> None:
    listed = session["list"]
    assert "2 sessions" in listed
    assert "calm-newt\n\n1 response, 0 calls" in listed
    assert "0001.response: Save d1 failed: no space left on the disk" in listed


@pytest.mark.parametrize("name", ["light", "dark-problem"])
def test_the_pictures_in_the_docs_are_those_of_today(session: Json, name: str) -> None:
    kept = ROOT / "docs" / "images" / f"session-{name.partition('-')[0]}.png"
    problem = compare(pictures("session") / f"session-{name}.png", kept, [], session["words"][name])
    assert not problem, problem
