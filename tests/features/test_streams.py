"""The events and the held-back text of a stream, step by step."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from llmblocks.features.streams import LanguageStream, steps
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS

PIECES = (
    *("!!!GADGET_START:", "!!!ARG:", "!!!GADGET_END", "!!!", "\n", "text", "<", "<thinking", "</", "=", "'"),
    *("\ud83d", "\ude00"),
)
CALL = "Hi.\n!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!GADGET_END\nBye."


@pytest.mark.parametrize("sizes", [(1,), (7,), (3, 1, 10), (1000,)])
def test_steps_cover_the_text_and_end_with_it(sizes: tuple[int, ...]) -> None:
    found = list(steps(CALL, find_language("gadget"), DEFAULTS, sizes))
    ends = [step.end for step in found]
    assert ends == sorted(ends)
    assert ends[-2:] == [len(CALL), len(CALL)]
    emitted = [event for step in found for event in step.events]
    assert "".join(event["delta"] for event in emitted if event["event"] == "ArgDelta") == "a"
    assert "".join(event["delta"] for event in emitted if event["event"] == "TextDelta").strip() == "Hi.\n\nBye."
    assert all(bool(step.held) == bool(step.why) for step in found)


@pytest.mark.parametrize(
    ("language_id", "text", "reason"),
    [
        ("gadget", "Text !!!GAD", "it may become !!!GADGET_START: or !!!GADGET_END"),
        ("gadget", "!!!GADGET_START:Re", "the line of !!!GADGET_START: is not complete"),
        ("gadget", "!!!GADGET_START:A\n!!!ARG:x\n1\n!!!A", "it may become !!!ARG:"),
        ("gadget", "!", "it may become !!!GADGET_START: or !!!ARG: or !!!GADGET_END"),
        (
            "gadget",
            "!!!GADGET_START:A\n!!!ARG:x\n1\n",
            "a line end before !!!ARG: or !!!GADGET_END is not part of the value",
        ),
        ("gadget", "Text <thi", "it may become a tag"),
        ("custom-blocks", "Text <", "it may become a tag"),
        ("custom-blocks", "<thinking a=", "the tag <thinking> is not complete"),
        ("stf", "hello", "no complete line has determined the dialect yet"),
        ("stf", "@user\nhello\n@a", "the line may be a command; its end decides"),
        ("stf", "@user\n@raw\nabc\n", "the body of a command is given when it ends"),
        ("stf", "@user\nx\r", "it may be the first half of a line end"),
        ("gadget", "Text. ", ""),
        ("gadget", "!!!GADGET_START:A\n!!!ARG:x\n1", ""),
    ],
)
def test_what_is_held_back_has_a_reason(language_id: str, text: str, reason: str) -> None:
    found = [step.why for step in steps(text, find_language(language_id), DEFAULTS, (1000,)) if step.held]
    assert found == [reason] * bool(reason)


@pytest.mark.parametrize(
    ("language_id", "begin", "reason"),
    [
        ("stf", "", "no complete line has determined the dialect yet"),
        ("stf", "@user\n@raw\n", "the body of a command is given when it ends"),
        ("stf", "@user\nx\n@user id=", "the line may be a command; its end decides"),
        ("gadget", "!!!GADGET_START:", "the line of !!!GADGET_START: is not complete"),
        ("gadget", "!!!GADGET_START:A\n!!!ARG:", "the line of !!!ARG: is not complete"),
        ("custom-blocks", "<thinking a='", "the tag <thinking> is not complete"),
    ],
)
def test_of_a_long_text_held_back_each_step_has_the_end_and_the_size(language_id: str, begin: str, reason: str) -> None:
    text = begin + "".join(chr(97 + number % 26) for number in range(3000))
    *_, last, end = steps(text, find_language(language_id), DEFAULTS, (1,))
    assert (last.held, last.why) == (text[-200:], reason)
    assert last.size >= 3000
    assert (end.held, end.size) == ("", 0)


@pytest.mark.parametrize("line", ["@raw\n", "@line\n", "@embed\n", "@", "", ";"])
@given(st.lists(st.sampled_from((*PIECES, "@/* ", "*/", "@user", "@@", "\r", "\r\n", ";assistant\n")), max_size=12))
@example(["\ud83d", "\ude00"])
def test_the_size_of_what_a_stream_holds_is_that_of_its_text(line: str, pieces: list[str]) -> None:
    for language_id in ("stf", "gadget", "custom-blocks"):
        stream = LanguageStream(find_language(language_id), DEFAULTS)
        stream.feed(line)
        for piece in pieces:
            stream.feed(piece)
            assert stream.held_size == len(stream.held)
