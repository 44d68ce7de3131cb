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

WORDS = "some words of prose "
LONG = WORDS * 2000
TWICE = "<think a=1 a=2></think>\n"
BLANK = "\n" * 1000
CALL = "!!!GADGET_START:A\n!!!GADGET_END\n"
SAME = "!!!GADGET_START:A:a\n!!!GADGET_END\n"
UNNAMED = "!!!GADGET_START:\n!!!GADGET_END\n"
OF_FILE = "<!-- llmblocks: ignore-file[T002] -->"
SILENCED = f"{OF_FILE}\n</think>\n{TWICE}{TWICE}x\n"
PERCENT = "!!!GADGET_START:%\n!!!GADGET_END\nx«»\n!!!GADGET_START:%\n"
OUTSIDE = "see !!!GADGET_START:Search\r\n!!!GADGET_END\n"
REPEATED = "!!!ARG:a\n!!!ARG:a\n!!!GADGET_END\n"
EDITS = {
    "a line in front": ("gadget", "x«»\n!!!GADGET_START:\n", "\n"),
    "the same long line": ("gadget", f"«»{LONG}!!!GADGET_START:\n", "y"),
    "a place in the same long line that a finding names": ("gadget", f"«»{LONG}{SAME}{SAME}", "y"),
    "all in front of a place that a finding names": ("gadget", f"«{WORDS}»{SAME}{60 * CALL}{SAME}", ""),
    "a call that another waits for": (
        *("gadget", "!!!GADGET_START:A:a:b\n!!!GADGET_END\nx\n!!!GADGET_START:B:«c»\n!!!GADGET_END\n", "b"),
    ),
    "the first use of a comment": ("custom-blocks", f"{OF_FILE}\nx\n<think></think>\n«»\n", "</think>"),
    # one finding for another, of which a comment silences one alone
    "the number of those that are not shown": ("custom-blocks", f"{SILENCED}«</think>»\n", "<THINK>"),
    "the end of a comment to silence": ("custom-blocks", f"<!-- llmblocks: ignore -->\n{BLANK}«»{BLANK}{TWICE}", "x"),
    "the message that a comment silences": ("stf", f"@# llmblocks: ignore\n@ai\n«»{CALL}x\n{UNNAMED}", "@user\n"),
    "a message after it": ("stf", f"@# llmblocks: ignore\n@ai\n{CALL}«»x\n{UNNAMED}", "@user\n"),
    "a comment for the file": ("custom-blocks", f"«{OF_FILE}»\n</think>\n\n</think>\n", ""),
    "a comment for the file before another": (
        *("custom-blocks", f"«{OF_FILE}»\n</think>\n\n<!-- llmblocks: ignore[T001] -->\n<think>x\n</think>\n", ""),
    ),
    "a comment whose finding becomes another": (
        "stf",
        "@# llmblocks: ignore\nx\n@# llmblocks: ignore\n@ai\n!!!GADGET_«S»TART:\n",
        "x",
    ),
    "after the limit of one": ("percent", PERCENT, "\n"),
    "after the limit of two": ("percent", PERCENT, "\n"),
    "before the limit": ("percent", "!!!GADGET_START:%\n!!!GADGET_START:%\n!!!GADGET_END\n«»x", "\n"),
    **{
        f"a line outside of messages, {text!r} at {at}": ("outside", f"{OUTSIDE[:at]}«»{OUTSIDE[at:]}", text)
        for at, text in ((0, "s"), (4, "\U0001f600"), (24, "y"), (24, "\r"), (4, "\n"), (0, "@user\n"))
    },
    "the last lone return before a finding": ("gadget", f"«\r»x\n!!!GADGET_START:A\n{REPEATED}", "y"),
    "the last lone return": ("custom-blocks", "«\r»\r\n<think>", ""),
    "the first of two equal ids": ("gadget", f"«»{SAME}x\n{SAME}", "\n"),
    "between two equal ids": ("gadget", f"{SAME}x\n«»{SAME}", "\n"),
    **{
        f"the line of the first of two equal ids, by {text!r}": ("gadget", f"a«b» {SAME}{SAME}", text)
        for text in ("", "xy", "\U0001f600")
    },
}
STAY = {"a comment whose finding becomes another", "after the limit of one", "before the limit"}
"""The rows whose diagnostics are the same after the edit."""
MOST = {"the number of those that are not shown": 1, "after the limit of one": 1, "after the limit of two": 2}


def opened(text: str, language_id: str, most: int = 2000, encoding: Encoding = "utf-16") -> AnalysedText:
    given = Settings(max_diagnostics=most)
    if language_id == "outside":
        language_id, given = "stf", Settings(select=("S009",))
    with pytest.MonkeyPatch.context() as patch:
        if language_id == "percent":
            language_id = "gadget"
            percent.installed(patch)
        found = Languages(given).open(text, language_id, "file:///a%20b", encoding)
    assert found is not None
    return found


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_changes_what_is_reported_of_text_that_it_does_not_touch(name: str) -> None:
    language_id, marked, new = EDITS[name]
    most = MOST.get(name, 1 if language_id == "percent" else 2000)
    before, edited, after = marked.replace("»", "«").split("«")
    text = opened(before + edited + after, language_id, most)
    told = text.diagnostics()
    places = Places(before + edited + after, "utf-16").range(len(before), len(before + edited))
    first, last = places["start"], places["end"]
    text.apply(LspChange(LspRange(first["line"], first["character"], last["line"], last["character"]), new))
    fresh = opened(before + new + after, language_id, most).diagnostics()
    assert text.diagnostics() == fresh
    assert (fresh == told) == (name in STAY)


def test_a_line_outside_of_messages_is_marked_as_a_whole() -> None:
    (told,) = opened(OUTSIDE, "outside").diagnostics()
    assert told["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 26}}


@pytest.mark.parametrize("most", [1, 2])
def test_what_is_silenced_before_a_comment_at_the_end_is_counted_once(most: int) -> None:
    text = "<!-- llmblocks: ignore -->\n</think></think>\n</think>\n<!-- llmblocks: ignore -->\n"
    told = opened(text, "custom-blocks", most).diagnostics()
    assert [each.get("code") for each in told].count("T002") == 1
    assert any("1 more finding" in each["message"] for each in told) is (most == 1)


def test_a_return_that_is_typed_ends_the_line() -> None:
    text = opened("ab\n", "gadget")
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
    assert opened(text, "gadget", encoding=encoding).offset(*place) == offset
