"""The diagnostics of an edited text are those of the same text, opened again: edits that concern far places.

The oracle compares them after random edits; here are those that it seldom makes.
"""

from __future__ import annotations

import pytest

from llmblocks.lsp.documents.places import Encoding
from llmblocks.lsp.documents.text import AnalysedText, Languages
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.settings.values import Settings
from oracle import percent
from oracle.places import Places


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("!!!GADGET_START:%\n!!!GADGET_END\nx$0\n!!!GADGET_START:%\n", 1),
        ("!!!GADGET_START:%\n!!!GADGET_END\nx$0\n!!!GADGET_START:%\n", 2),
        ("!!!GADGET_START:%\n!!!GADGET_START:%\n!!!GADGET_END\nx$0", 1),
    ],
)
def test_what_is_after_a_new_line_moves_with_it(text: str, most: int) -> None:
    before, after = text.split("$0")
    with pytest.MonkeyPatch.context() as patch:
        percent.installed(patch)
        languages = Languages(Settings(max_diagnostics=most))
        edited_text = opened(languages, before + after, "gadget", "utf-16")
    edited_text.diagnostics()
    edited_text.apply(LspChange(span(before + after, len(before), len(before)), "\n"))
    fresh = opened(languages, f"{before}\n{after}", "gadget", "utf-16")
    assert edited_text.diagnostics() == fresh.diagnostics()


WORDS = "some words of prose "
LONG = WORDS * 2000
TWICE = "<think a=1 a=2></think>\n"
BLANK = "\n" * 1000
CALL = "!!!GADGET_START:A\n!!!GADGET_END\n"
SAME = "!!!GADGET_START:A:a\n!!!GADGET_END\n"
UNNAMED = "!!!GADGET_START:\n!!!GADGET_END\n"
SILENCED = f"<!-- llmblocks: ignore-file[T002] -->\n</think>\n{TWICE}{TWICE}x\n"


@pytest.mark.parametrize(
    ("language_id", "text", "new", "most"),
    [
        ("gadget", "x«»\n!!!GADGET_START:\n", "\n", 2000),
        ("gadget", f"«»{LONG}!!!GADGET_START:\n", "y", 2000),
        ("gadget", f"«»{LONG}{SAME}{SAME}", "y", 2000),
        ("gadget", f"«{WORDS}»{SAME}{60 * CALL}{SAME}", "", 2000),
        ("gadget", "!!!GADGET_START:A:a:b\n!!!GADGET_END\nx\n!!!GADGET_START:B:«c»\n!!!GADGET_END\n", "b", 2000),
        ("custom-blocks", "<!-- llmblocks: ignore-file[T002] -->\nx\n<think></think>\n«»\n", "</think>", 2000),
        # one finding for another, of which a comment silences one alone
        ("custom-blocks", f"{SILENCED}«</think>»\n", "<THINK>", 1),
        ("custom-blocks", f"<!-- llmblocks: ignore -->\n{BLANK}«»{BLANK}{TWICE}", "x", 2000),
        ("stf", f"@# llmblocks: ignore\n@ai\n«»{CALL}x\n{UNNAMED}", "@user\n", 2000),
        ("stf", f"@# llmblocks: ignore\n@ai\n{CALL}«»x\n{UNNAMED}", "@user\n", 2000),
    ],
    ids=[
        "a line in front",
        "the same long line",
        "a place in the same long line that a finding names",
        "all that stands in front of a place that a finding names",
        "a call that another waits for",
        "the first use of a comment",
        "how many are not shown",
        "where a comment ends to silence",
        "the message that a comment silences",
        "a message after the one that a comment silences",
    ],
)
def test_an_edit_changes_what_is_reported_of_text_that_it_does_not_touch(
    language_id: str, text: str, new: str, most: int
) -> None:
    languages = Languages(Settings(max_diagnostics=most))
    start, end = text.index("«"), text.index("»") - 1
    before = text.replace("«", "").replace("»", "")
    edited_text = opened(languages, before, language_id, "utf-16")
    told = edited_text.diagnostics()
    edited_text.apply(LspChange(span(before, start, end), new))
    fresh = opened(languages, before[:start] + new + before[end:], language_id, "utf-16")
    assert edited_text.diagnostics() == fresh.diagnostics() != told


def span(text: str, start: int, end: int) -> LspRange:
    """Return the range of code points of a text for a client that counts in UTF-16."""
    places = Places(text, "utf-16").range(start, end)
    first, last = places["start"], places["end"]
    return LspRange(first["line"], first["character"], last["line"], last["character"])


def opened(languages: Languages, text: str, language_id: str, encoding: Encoding) -> AnalysedText:
    found = languages.open(text, language_id, "file:///a%20b", encoding)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("start", "text"), [(0, "s"), (4, "\U0001f600"), (24, "y"), (24, "\r"), (4, "\n"), (0, "@user\n")]
)
def test_a_line_outside_of_messages_is_marked_as_a_whole(start: int, text: str) -> None:
    languages = Languages(Settings(select=("S009",)))
    before = "see !!!GADGET_START:Search\r\n!!!GADGET_END\n"
    opened_first = opened(languages, before, "stf", "utf-16")
    (told,) = opened_first.diagnostics()
    assert told["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 26}}
    opened_first.apply(LspChange(LspRange(0, start, 0, start), text))
    fresh = opened(languages, before[:start] + text + before[start:], "stf", "utf-16")
    assert opened_first.diagnostics() == fresh.diagnostics()


def test_a_finding_moves_up_where_the_last_lone_return_before_it_goes() -> None:
    languages = Languages(Settings())
    call = "!!!GADGET_START:A\n!!!ARG:a\n!!!ARG:a\n!!!GADGET_END\n"
    text = opened(languages, "\rx\n" + call, "gadget", "utf-16")
    text.diagnostics()
    text.apply(LspChange(LspRange(0, 0, 1, 0), "y"))
    assert text.diagnostics() == opened(languages, "yx\n" + call, "gadget", "utf-16").diagnostics()


def test_a_dependency_that_an_earlier_response_may_define_is_not_unknown() -> None:
    languages = Languages(Settings())
    call = "!!!GADGET_START:Write:w1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
    for uri, expected in (("file:///a/0002.response", False), ("file:///a/0002.gadget", True)):
        text = languages.open(call, "gadget", uri, "utf-16")
        assert text is not None
        assert ("G111" in codes(text)) is expected


def test_what_is_silenced_before_a_comment_at_the_end_is_counted_once() -> None:
    text = "<!-- llmblocks: ignore -->\n</think></think>\n</think>\n<!-- llmblocks: ignore -->\n"
    for most in (1, 2):
        told = opened(Languages(Settings(max_diagnostics=most)), text, "custom-blocks", "utf-16").diagnostics()
        assert [each.get("code") for each in told].count("T002") == 1
        assert any("1 more finding" in each["message"] for each in told) is (most == 1)


def codes(text: AnalysedText) -> list[str]:
    return [each["code"] for each in text.diagnostics()]


@pytest.mark.parametrize(
    ("other", "with_it", "without"),
    [("", [], ["T002", "T002"]), ("<!-- llmblocks: ignore[T001] -->\n<think>x\n", ["C010"], ["T002", "C010"])],
)
def test_a_comment_for_the_file_silences_what_is_far_from_it_until_it_goes(
    other: str, with_it: list[str], without: list[str]
) -> None:
    comment = "<!-- llmblocks: ignore-file[T002] -->"
    before = f"{comment}\n</think>\n\n{other}</think>\n"
    text = opened(Languages(Settings()), before, "custom-blocks", "utf-16")
    assert codes(text) == with_it
    text.apply(LspChange(LspRange(0, 0, 0, len(comment)), ""))
    assert codes(text) == without


def test_the_place_of_the_first_of_two_equal_ids_moves_with_it() -> None:
    call = "!!!GADGET_START:A:a\n!!!GADGET_END\n"
    text = opened(Languages(Settings()), f"{call}x\n{call}", "gadget", "utf-16")
    for line, new, places in ((0, "\n", (4, 1)), (3, "\n", (5, 1)), (0, "x\n", (6, 2))):
        text.apply(LspChange(LspRange(line, 0, line, 0), new))
        (told,) = text.diagnostics()
        (first,) = told["relatedInformation"]
        assert (told["range"]["start"]["line"], first["location"]["range"]["start"]["line"]) == places


def test_the_place_of_the_first_of_two_equal_ids_moves_on_its_line() -> None:
    text = opened(
        Languages(Settings()), "ab !!!GADGET_START:A:a\n!!!GADGET_END\n!!!GADGET_START:A:a\n", "gadget", "utf-16"
    )
    text.diagnostics()
    for end, new, place in ((2, "", 20), (1, "x", 21), (2, "\U0001f600", 22)):
        text.apply(LspChange(LspRange(0, 1, 0, end), new))
        told = text.diagnostics()
        ((first,),) = [each["relatedInformation"] for each in told if each["code"] == "G110"]
        assert first["location"]["range"]["start"] == {"line": 0, "character": place}


def test_a_comment_is_still_used_where_its_finding_has_become_another() -> None:
    before = "@# llmblocks: ignore\nx\n@# llmblocks: ignore\n@ai\n!!!GADGET_START:\n"
    text = opened(Languages(Settings()), before, "stf", "utf-16")
    assert codes(text) == []
    text.apply(LspChange(LspRange(4, 10, 4, 11), "x"))
    assert codes(text) == []


def test_diagnostics_move_when_the_last_lone_return_goes() -> None:
    text = opened(Languages(Settings()), "\r\n<think>", "custom-blocks", "utf-8")
    text.apply(LspChange(LspRange(0, 0, 0, 0), "\r"))
    before = text.diagnostics()
    text.apply(LspChange(LspRange(0, 0, 1, 0), ""))
    after = opened(Languages(Settings()), text.document.text, "custom-blocks", "utf-8").diagnostics()
    assert text.diagnostics() == after != before


def test_a_return_that_is_typed_ends_the_line() -> None:
    text = opened(Languages(Settings()), "ab\n", "gadget", "utf-16")
    for place, new in (((0, 0), "x"), ((0, 2), "\r"), ((0, 3), "y")):
        text.apply(LspChange(LspRange(*place, *place), new))
    assert text.document.text == "xay\rb\n"


@pytest.mark.parametrize(
    ("encoding", "text", "place", "offset"),
    [
        ("utf-16", "ab\ncd", (0, 99), 2),
        ("utf-16", "ab\r\ncd", (0, 99), 2),
        ("utf-16", "ab\rcd", (1, 1 << 31), 5),
        ("utf-16", "ab\u2028\x85\n", (0, 4), 4),
        ("utf-16", "ab\n", (1, 0), 3),
        ("utf-16", "ab\ncd", (2, 0), 5),
        ("utf-16", "\U0001f600x", (0, 1), 0),
        ("utf-16", "\U0001f600x", (0, 2), 1),
        ("utf-8", "éx", (0, 1), 0),
        ("utf-8", "\ud83dx", (0, 3), 1),
        ("utf-32", "\U0001f600x", (0, 1), 1),
    ],
)
def test_a_place_past_the_end_or_inside_a_character_is_before_it(
    encoding: Encoding, text: str, place: tuple[int, int], offset: int
) -> None:
    assert opened(Languages(Settings()), text, "gadget", encoding).offset(*place) == offset
