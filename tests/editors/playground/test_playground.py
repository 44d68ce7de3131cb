"""The playground in a real Chromium: `drive.mjs` uses it as a person would, and reports."""

from __future__ import annotations

from functools import reduce
from operator import getitem
from xml.etree import ElementTree

import pytest

from editors.debian import ROOT
from editors.playground.conftest import Drive, Json
from editors.screen import compare
from llmblocks import __version__, check

PICTURES = ROOT / ".screenshots" / "playground"
GREET = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n"


@pytest.fixture(scope="module")
def seen(drive: Drive) -> Json:
    """The browser's observations."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    # in a plain page of another origin, there are two playgrounds
    return drive("drive.mjs", PICTURES) | {"embedded": drive("embed.mjs", PICTURES)}


HOME = "https://github.com/llmblocks/llmblocks"
IS: dict[str, Json] = {
    # a text that is typed is not an example
    "squiggle": "Your text",
    "load links": [f"{HOME}/tree/main/docs", HOME],
    "load version": __version__,
    "load held": "Play shows how this text arrives from a model.",
    "rename": "!!!GADGET_START:A:first\n!!!GADGET_END\n!!!GADGET_START:B:two:first\n!!!GADGET_END\n",
    # what has arrived and what is held back is marked in the text
    "scrub telling plain": "",
    "settings written": '[rules]\nignore = ["G2"]',
    "share same": True,
    "share kept": True,
    # drafts survive examples, reloads and tabs; without one, your text is empty
    "drafts chosen": "One text.\n",
    "drafts later": "Two texts.\n",
    "drafts fresh": "Mine.",
    "links text": "later",
    "accessible": {},
    "narrow": {"wide": False, "zoomed": False, "wrong": []},
    # of another origin, they share a server
    "embedded workers": 1,
    "embedded first": "!!!GADGET_START:Greet\n!!!ARG:name\n  Ada\n!!!GADGET_END\n",
    "embedded second text": "@user\nHi\n@usr\nHo\n",
    "embedded second language": "stf",
    "embedded second files llmblocks.toml": '[rules]\nignore = ["S2"]\n',
    "embedded console": [],
    # the theme of its page, or its own
    "embedded backgrounds": ["rgb(22, 25, 30)", "rgb(255, 255, 255)"],
    # the styles of the page hide buttons, and a fix was clicked
    "embedded fixed": GREET,
    # in a page without others, and moved in its page
    "embedded opened": GREET,
    "embedded moved": GREET,
}
HAS = {
    "hover": "name: text",
    "silence": "G102",
    "tab": "cm-content",
    "scrub telling said": "because it may become !!!GADGET_",
    "scrub telling held": "!!!GADGET_",
    "scrub telling ahead": "!!!GADGET_END",
    "scrub held": "because it may become !!!GADGET_START:",
    "drafts example": "@",
    "links damaged": "damaged",
    "links foreign": "damaged",
    "links newer": "newer playground",
}


def at(found: Json, path: str) -> Json:
    """Return a value by the names on the way to it."""
    return reduce(getitem, path.split(), found)


@pytest.mark.parametrize("path", IS)
def test_a_step_has_its_result(path: str, seen: Json) -> None:
    assert at(seen["steps"] | seen, path) == IS[path]


@pytest.mark.parametrize("path", HAS)
def test_a_step_shows_a_text(path: str, seen: Json) -> None:
    assert HAS[path] in at(seen["steps"], path)


def test_what_is_left_of_the_steps(seen: Json) -> None:
    steps = seen["steps"]
    assert steps["duplicates"].splitlines()[1:] == ["  name = Ada", "  name = Grace…"]
    assert "Hi." not in steps["scrub"]["telling"]["ahead"]
    assert steps["share"]["length"] < 400
    assert steps["drafts"]["offered"][:2] == ["Your text", "Your text: One text."]
    assert steps["drafts"]["reloaded"] == steps["drafts"]["offered"]
    # everything is reached by keyboard
    reached = steps["keyboard"]
    assert (reached[:3], reached[-2:]) == (["share", "theme", "cm-content"], ["values", "settings"])
    # no other host is asked, and the console is empty
    assert (seen["elsewhere"], seen["console"]) == ([], [])
    assert seen["embedded"]["changes"] > 0


@pytest.mark.parametrize("step", ["load", "silence", "graph", "languages", "nobody looks", "settings", "dark", "large"])
def test_a_person_can(step: str, seen: Json) -> None:
    assert "error" not in (seen["steps"][step] if isinstance(seen["steps"][step], dict) else {}), seen["steps"][step]


@pytest.mark.parametrize("name", ["playground-problems", "playground-stream"])
def test_the_pictures_of_the_readme_show_the_playground_of_today(name: str, seen: Json) -> None:
    shown = seen["pictures"][name]
    problem = compare(PICTURES / f"{name}.png", ROOT / "docs" / "images" / f"{name}.png", shown["grid"], shown["words"])
    assert not problem, problem


def test_a_saved_graph_stands_alone_and_its_cycle_is_red(seen: Json) -> None:
    picture = ElementTree.fromstring(seen["steps"]["graph"])
    lines = [path.get("class") for path in picture.findall(".//{http://www.w3.org/2000/svg}path")]
    assert lines.count("cycle") == 2


def test_the_first_example_is_twelve_lines_with_three_mistakes_and_their_fixes(seen: Json) -> None:
    first = seen["steps"]["load"]
    assert first["example"].count("\n") == 12
    assert [each.code for each in check(first["example"], "gadget")] == ["G102", "G111", "G101"]
    fixes = ["Change this index to 0", "Depend on 'read'", "Remove this argument 'only'"]
    assert [title for title in first["buttons"] if title in fixes] == fixes
    assert first["last"], "the last card is in view"


def test_the_fixes_on_the_cards_fix_the_first_example(seen: Json) -> None:
    assert check(seen["steps"]["fixes"], "gadget") == ()


def test_nothing_is_counted_until_the_server_has_told_what_it_found(seen: Json) -> None:
    told = seen["steps"]["told"]
    assert ["Problems", "Reading…"] in told
    assert ["Problems (0)", "Nothing found: your program gets all that is written."] in told
    assert ["Problems (0)", "Reading…"] not in told


def test_values_are_read_as_text(seen: Json) -> None:
    call, text = seen["steps"]["values"]["cards"]
    assert text == "So.\n\nDone."
    lines = call.splitlines()
    assert lines[0] == "A · one"
    assert '"so"' in lines
    assert [*lines].index("line 11") == lines.index("line 0") + 11
    assert lines[-1] == "28 more lines"


def test_the_scrubber_goes_to_the_end_in_chunks_of_any_size(seen: Json) -> None:
    sizes = seen["steps"]["scrub"]["sizes"]
    assert (sizes["16"], sizes["whole"]) == (5, 2)
    assert 5 < sizes["tokens"] < 52


def test_a_template_is_picked_and_the_stream_shows_a_call_that_is_cut(seen: Json) -> None:
    found = seen["steps"]["template"]
    assert (found["before"], found["given"]) == (False, "gpt-oss")
    assert found["settings"].replace("\n", "") == '[completion]template = "hermes"'
    newest, complete, content, thinking = found["shown"]
    assert newest.startswith("tool_calls …\n")
    assert '"city": "Lisbon"' in complete
    assert content == "content\nI will look it up."
    assert thinking.startswith("thinking\nThe user wants")


def test_a_schema_goes_with_the_text_of_its_example_and_comes_back_with_it(seen: Json) -> None:
    settings = seen["steps"]["settings"]
    assert settings["example"]["gadgets.json"]
    assert set(settings["pasted"].values()) == {""}
    assert settings["undone"] == settings["example"]


def test_the_page_forbids_other_hosts() -> None:
    page = (ROOT / "editors" / "playground" / "index.html").read_text("utf-8")
    assert "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'" in page
