"""The playground in a real Chromium: `drive.mjs` uses it as a person would, and reports."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from editors.debian import ROOT
from editors.pictures import compare
from editors.playground.conftest import Drive
from llmblocks import __version__, check

Json = Any
PICTURES = ROOT / ".screenshots" / "playground"
GREET = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n"


@pytest.fixture(scope="module")
def seen(drive: Drive) -> Json:
    """The browser's observations."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    return drive("drive.mjs", str(PICTURES))


@pytest.fixture(scope="module")
def embedded(drive: Drive) -> Json:
    """The browser's observations in a plain page of another origin, with two playgrounds."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    return drive("embed.mjs", str(PICTURES))


@pytest.mark.parametrize("step", ["load", "silence", "graph", "languages", "nobody looks", "settings", "dark", "large"])
def test_a_person_can(step: str, seen: Json) -> None:
    assert "error" not in (seen["steps"][step] if isinstance(seen["steps"][step], dict) else {}), seen["steps"][step]


@pytest.mark.parametrize("name", ["playground-problems", "playground-stream"])
def test_the_pictures_of_the_readme_show_the_playground_of_today(name: str, seen: Json) -> None:
    shown = seen["pictures"][name]
    problem = compare(PICTURES / f"{name}.png", ROOT / "docs" / "images" / f"{name}.png", shown["grid"], shown["words"])
    assert not problem, problem


def test_a_text_is_not_an_example_once_it_is_typed(seen: Json) -> None:
    assert seen["steps"]["squiggle"] == "Your text"


def test_a_saved_graph_stands_alone_and_its_cycle_is_red(seen: Json) -> None:
    picture = ElementTree.fromstring(seen["steps"]["graph"])
    lines = [path.get("class") for path in picture.findall(".//{http://www.w3.org/2000/svg}path")]
    assert lines.count("cycle") == 2


def test_a_hover_says_what_it_is(seen: Json) -> None:
    assert seen["steps"]["hover"].startswith("name: text")


def test_the_first_example_is_twelve_lines_with_three_mistakes_and_their_fixes(seen: Json) -> None:
    first = seen["steps"]["load"]
    assert first["example"].count("\n") == 12
    assert [each.code for each in check(first["example"], "gadget")] == ["G102", "G111", "G101"]
    fixes = ["Change this index to 0", "Depend on 'read'", "Remove this argument 'only'"]
    assert [title for title in first["buttons"] if title in fixes] == fixes
    assert first["last"], "the last card is in view"


def test_the_page_says_where_more_is(seen: Json) -> None:
    first = seen["steps"]["load"]
    home = "https://github.com/llmblocks/llmblocks"
    assert first["links"] == [f"{home}/tree/main/docs", home]
    assert first["version"] == __version__


def test_the_fixes_on_the_cards_fix_the_first_example(seen: Json) -> None:
    assert check(seen["steps"]["fixes"], "gadget") == ()


def test_a_fix_of_the_settings_edits_the_settings(seen: Json) -> None:
    assert "G102" in seen["steps"]["silence"]


def test_nothing_is_counted_until_the_server_has_told_what_it_found(seen: Json) -> None:
    told = seen["steps"]["told"]
    assert ["Problems", "Reading…"] in told
    assert ["Problems (0)", "Nothing found: your program gets all that is written."] in told
    assert ["Problems (0)", "Reading…"] not in told


def test_tab_waits_for_the_list_and_stays_in_the_editor(seen: Json) -> None:
    assert "cm-content" in seen["steps"]["tab"]


def test_a_rename_changes_all_uses(seen: Json) -> None:
    text = "!!!GADGET_START:A:first\n!!!GADGET_END\n!!!GADGET_START:B:two:first\n!!!GADGET_END\n"
    assert seen["steps"]["rename"] == text


def test_values_are_read_as_text(seen: Json) -> None:
    call, text = seen["steps"]["values"]["cards"]
    assert text == "So.\n\nDone."
    lines = call.splitlines()
    assert lines[0] == "A · one"
    assert '"so"' in lines
    assert [*lines].index("line 11") == lines.index("line 0") + 11
    assert lines[-1] == "28 more lines"


def test_the_player_shows_the_whole_text_until_play_or_the_stream_is_chosen(seen: Json) -> None:
    assert seen["steps"]["load"]["held"] == "Play shows how this text arrives from a model."
    assert "because it may become !!!GADGET_" in seen["steps"]["scrub"]["telling"]["said"]


def test_what_has_arrived_and_what_is_held_back_is_marked_in_the_text(seen: Json) -> None:
    telling = seen["steps"]["scrub"]["telling"]
    assert telling["plain"] == ""
    assert telling["held"].startswith("!!!GADGET_")
    assert "Hi." not in telling["ahead"]
    assert telling["ahead"].endswith("!!!GADGET_END")


def test_the_scrubber_says_what_is_held_back_and_why(seen: Json) -> None:
    assert "because it may become !!!GADGET_START:" in seen["steps"]["scrub"]["held"]


def test_the_scrubber_goes_to_the_end_in_chunks_of_any_size(seen: Json) -> None:
    sizes = seen["steps"]["scrub"]["sizes"]
    assert (sizes["16"], sizes["whole"]) == (5, 2)
    assert 5 < sizes["tokens"] < 52


def test_an_argument_given_twice_is_shown_twice(seen: Json) -> None:
    assert seen["steps"]["duplicates"].splitlines()[1:] == ["  name = Ada", "  name = Grace…"]


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


def test_settings_are_completed(seen: Json) -> None:
    assert seen["steps"]["settings"]["written"] == '[rules]\nignore = ["G2"]'


def test_a_shared_link_opens_the_same_text(seen: Json) -> None:
    assert seen["steps"]["share"]["same"]
    assert seen["steps"]["share"]["length"] < 400


def test_a_reload_keeps_what_was_typed(seen: Json) -> None:
    assert seen["steps"]["share"]["kept"]


def test_drafts_survive_examples_reloads_and_tabs(seen: Json) -> None:
    drafts = seen["steps"]["drafts"]
    assert drafts["example"].startswith("@")
    assert drafts["offered"][:2] == ["Your text", "Your text: One text."]
    assert drafts["chosen"] == "One text.\n"
    assert drafts["reloaded"] == drafts["offered"]
    assert drafts["later"] == "Two texts.\n"


def test_your_text_is_an_empty_one_before_there_is_a_draft(seen: Json) -> None:
    assert seen["steps"]["drafts"]["fresh"] == "Mine."


def test_a_link_that_cannot_be_read_is_reported(seen: Json) -> None:
    said = seen["steps"]["links"]
    assert "damaged" in said["damaged"]
    assert "damaged" in said["foreign"]
    assert "newer playground" in said["newer"]
    assert said["text"] == "later"


def test_everything_is_reached_by_keyboard(seen: Json) -> None:
    reached = seen["steps"]["keyboard"]
    assert reached[:2] == ["share", "theme"]
    assert reached[2] == "cm-content"
    assert reached[-2:] == ["values", "settings"]


def test_axe_finds_no_violation(seen: Json) -> None:
    assert seen["steps"]["accessible"] == {}
    assert seen["steps"]["narrow"] == {"wide": False, "zoomed": False, "wrong": []}


def test_nothing_is_asked_of_another_host_and_nothing_is_complained_of(seen: Json) -> None:
    assert seen["elsewhere"] == []
    assert seen["console"] == []


def test_the_page_forbids_other_hosts() -> None:
    page = (ROOT / "editors" / "playground" / "index.html").read_text("utf-8")
    assert "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'" in page


def test_a_page_of_another_origin_embeds_playgrounds_that_share_a_server(embedded: Json) -> None:
    assert embedded["workers"] == 1
    assert embedded["first"] == "!!!GADGET_START:Greet\n!!!ARG:name\n  Ada\n!!!GADGET_END\n"
    assert embedded["second"]["text"] == "@user\nHi\n@usr\nHo\n"
    assert embedded["second"]["language"] == "stf"
    assert embedded["second"]["files"]["llmblocks.toml"] == '[rules]\nignore = ["S2"]\n'
    assert embedded["console"] == []


def test_an_embedded_playground_follows_the_theme_of_its_page_or_has_its_own(embedded: Json) -> None:
    assert embedded["backgrounds"] == ["rgb(22, 25, 30)", "rgb(255, 255, 255)"]


def test_the_styles_of_a_page_do_not_reach_into_a_playground(embedded: Json) -> None:
    # the page hides buttons, and a fix was clicked
    assert embedded["fixed"] == GREET
    assert embedded["changes"] > 0


def test_an_embedded_playground_is_opened_in_a_page_of_its_own_and_moves_in_its_page(embedded: Json) -> None:
    assert embedded["opened"] == embedded["moved"] == GREET
