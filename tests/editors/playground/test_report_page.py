"""The page of `llmblocks report` in a real Chromium: light, dark, and as narrow as a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import responses
from editors.browser import seen_by
from editors.debian import ROOT
from editors.screen import compare
from llmblocks.cli.commands import main

Json = Any
HERE = Path(__file__).resolve().parent
PICTURES = ROOT / ".screenshots" / "report"


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Json:
    PICTURES.mkdir(parents=True, exist_ok=True)
    folder = tmp_path_factory.mktemp("corpus")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        responses.write(folder, 30)
        assert main(["report", "-q", "--output-format", "html", "--output-file", "report.html"]) == 0
    return seen_by(HERE / "report.mjs", folder / "report.html", PICTURES)


def test_it_is_accessible_in_light_dark_and_narrow(seen: Json) -> None:
    assert seen["violations"] == {"light": [], "dark": [], "narrow": []}
    assert seen["grounds"] == {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)", "narrow": "rgb(255, 255, 255)"}


def test_it_asks_no_host_and_breaks_no_policy(seen: Json) -> None:
    assert (seen["errors"], seen["requests"]) == ([], [])


def test_only_its_tables_scroll_sideways(seen: Json) -> None:
    assert max(seen["wide"].values()) <= 0


def test_the_labels_of_charts_are_as_large_on_a_phone(seen: Json) -> None:
    wide, narrow = seen["labels"]["light"], seen["labels"]["narrow"]
    assert narrow[1] == wide[1] >= 12
    # every second date
    assert narrow[0] < wide[0]
    assert narrow[2] <= 360


def test_the_picture_in_the_docs_is_that_of_today(seen: Json) -> None:
    problem = compare(PICTURES / "light.png", ROOT / "docs" / "images" / "report.png", [], seen["words"])
    assert not problem, problem
