"""The view of the graph in a real Chromium: as VS Code's panel and the playground show it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from editors.browser import seen_by
from editors.debian import ROOT
from llmblocks.features.navigation import graph_of
from llmblocks.languages.ask import ask_all
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS

Json = Any
HERE = Path(__file__).resolve().parent
PICTURES = ROOT / ".screenshots" / "graph"
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
def seen(tmp_path_factory: pytest.TempPathFactory) -> Json:
    PICTURES.mkdir(parents=True, exist_ok=True)
    files = []
    for name, text in (("before", BEFORE), ("after", BEFORE.replace("folders/1", "folders/0"))):
        files.append(tmp_path_factory.mktemp(name) / "graph.svg")
        files[-1].write_text(drawn(text), "utf-8")
    return seen_by(HERE / "graph.mjs", *files, PICTURES)


def test_it_is_accessible_in_light_and_dark(seen: Json) -> None:
    assert seen["violations"] == {"light": [], "dark": []}
    assert seen["errors"] == []


def test_rejected_skipped_and_stuck_calls_are_marked_in_both_themes(seen: Json) -> None:
    for colours in seen["colours"].values():
        assert len({*colours.values()}) == 4
        assert colours["skipped"] != colours["runs"]
    assert seen["colours"]["light"] != seen["colours"]["dark"]


def test_it_fits_and_zooms(seen: Json) -> None:
    fitting, larger, again = seen["widths"]
    assert fitting <= 900
    assert larger > fitting == pytest.approx(again)


def test_its_calls_are_reached_by_keyboard_and_mouse(seen: Json) -> None:
    assert seen["focused"] == ["Read r1 wave 1", "Search s1 rejected: Array index gap: expected 0, got 1"]
    assert seen["opened"] == [1, 2]


def test_it_stays_where_it_is_while_the_text_is_typed(seen: Json) -> None:
    assert seen["kept"] == ["Write w1 wave 2", True]
    assert seen["said"] == "6 calls, 5 run"
    assert seen["told"] == "The document has no gadget calls."
