"""The playground in a real Chromium: `drive.mjs` uses it as a person would, and tells what it saw."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from editors.debian import ROOT, UnavailableError, only_one
from editors.playground.served import served
from editors.vscode.install import CACHE, chromium, node_modules

Json = Any
HERE = Path(__file__).resolve().parent
PICTURES = ROOT / ".screenshots" / "playground"
GREET = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n"


@pytest.fixture(scope="module")
def playground() -> Iterator[str]:
    """The address of the built playground, served to this machine."""
    with served() as address:
        yield address


@pytest.fixture(scope="module")
def seen(playground: str) -> Json:
    """What the browser saw."""
    try:
        with only_one(CACHE):
            browser = chromium()
        node_modules(HERE)
    except UnavailableError as problem:
        pytest.skip(str(problem))
    PICTURES.mkdir(parents=True, exist_ok=True)
    command = ["node", str(HERE / "drive.mjs"), str(browser), playground, str(PICTURES)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "step",
    ["load", "values", "languages", "settings", "dark", "large"],
)
def test_a_person_can(step: str, seen: Json) -> None:
    assert "error" not in (seen["steps"][step] if isinstance(seen["steps"][step], dict) else {}), seen["steps"][step]


def test_a_text_is_no_example_once_it_is_typed(seen: Json) -> None:
    assert seen["steps"]["squiggle"] == "Your text"


def test_a_saved_graph_stands_alone_and_its_cycle_is_red(seen: Json) -> None:
    picture = ElementTree.fromstring(seen["steps"]["graph"])
    colours = [path.get("style") for path in picture.findall("{http://www.w3.org/2000/svg}path")]
    assert colours == ["stroke:#d13438", "stroke:#d13438"]


def test_a_hover_says_what_it_is(seen: Json) -> None:
    assert "Argument name" in seen["steps"]["hover"]


def test_a_fix_is_applied_by_a_click(seen: Json) -> None:
    assert seen["steps"]["fix"] == GREET


def test_the_fitting_end_is_completed(seen: Json) -> None:
    assert "!!!GADGET_END" in seen["steps"]["complete"]


def test_a_rename_changes_all_uses(seen: Json) -> None:
    text = "!!!GADGET_START:A:first\n!!!GADGET_END\n!!!GADGET_START:B:two:first\n!!!GADGET_END\n"
    assert seen["steps"]["rename"] == text


def test_the_scrubber_says_what_is_held_back_and_why(seen: Json) -> None:
    assert "because it may become !!!GADGET_START:" in seen["steps"]["scrub"]["9"]


def test_the_scrubber_goes_to_the_end_in_chunks_of_any_size(seen: Json) -> None:
    sizes = seen["steps"]["scrub"]["sizes"]
    assert (sizes["16"], sizes["whole"]) == (5, 2)
    assert 5 < sizes["tokens"] < 57


def test_a_shared_link_opens_the_same_text(seen: Json) -> None:
    assert seen["steps"]["share"]["same"]
    assert seen["steps"]["share"]["length"] < 400


def test_a_reload_keeps_what_was_typed(seen: Json) -> None:
    assert seen["steps"]["share"]["kept"]


def test_a_link_that_cannot_be_read_is_told(seen: Json) -> None:
    said = seen["steps"]["links"]
    assert "damaged" in said["damaged"]
    assert "damaged" in said["foreign"]
    assert "newer playground" in said["newer"]
    assert said["text"] == "later"


def test_everything_is_reached_by_keyboard(seen: Json) -> None:
    reached = seen["steps"]["keyboard"]
    assert reached[:2] == ["share", "theme"]
    assert reached[2].startswith("cm-content")
    assert reached[3:] == ["tab-problems", "tab-values", "tab-settings"]


def test_axe_finds_no_violation(seen: Json) -> None:
    assert seen["steps"]["accessible"] == {}
    assert seen["steps"]["narrow"] == {"wide": False, "zoomed": False, "wrong": []}


def test_nothing_is_asked_of_another_host_and_nothing_is_complained_of(seen: Json) -> None:
    assert seen["elsewhere"] == []
    assert seen["console"] == []


def test_the_page_forbids_other_hosts() -> None:
    page = (ROOT / "editors" / "playground" / "index.html").read_text("utf-8")
    assert "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'" in page
