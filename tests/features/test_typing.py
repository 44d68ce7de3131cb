"""Edits while somebody types: at `$0`, after the character."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import LAWS
from llmblocks.core.edits import edited
from llmblocks.features.formatting import format_text, on_type
from llmblocks.gadget import Markers
from llmblocks.settings.values import DEFAULTS, Settings
from marked import asked, whole
from oracle.texts import texts

CALL = "!!!GADGET_START:A\n"
END = "!!!GADGET_END\n"


def after(marked: str, language_id: str, chosen: Settings = DEFAULTS) -> str:
    """Return the text after the edits; the character that was typed is the one before `$0`."""
    ask = asked(marked, language_id, chosen)
    text = ask.document.text
    return edited(text, on_type(ask, text[ask.start - 1 : ask.start]))


def stays(marked: str, language_id: str, chosen: Settings = DEFAULTS) -> None:
    assert after(marked, language_id, chosen) == marked.replace("$0", "")


@pytest.mark.parametrize("around", ["{}", "a\n{} b\n", "@ai\n{}\n", ";ai\nx {}", f"{CALL}{END}" + "{}"])
@pytest.mark.parametrize("tag", ["<think>", '<think a="1">', "<answer >"])
def test_a_block_is_closed_as_soon_as_it_is_opened(around: str, tag: str) -> None:
    language_ids = ("stf",) if around[0] in "@;" else ("gadget", "custom-blocks")
    name = tag[1:].partition(" ")[0].rstrip(">")
    for language_id in language_ids:
        assert after(around.format(f"{tag}$0"), language_id) == around.format(f"{tag}</{name}>")


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [
        ("<think>$0x</think>", "custom-blocks"),
        ("<think>$0\n\n</think>\n", "gadget"),
        ("<other>$0", "custom-blocks"),
        ("</think>$0", "custom-blocks"),
        ("<think/>$0", "custom-blocks"),
        ("a > b >$0", "custom-blocks"),
        ("<think>a<think>$0", "custom-blocks"),  # the content of a block
        (f"{CALL}!!!ARG:a\n<think>$0\n{END}", "gadget"),  # a value
        ("!!!GADGET_START:<think>$0", "gadget"),
        ("@# <think>$0\n", "stf"),
        ("@user\n@/*\n<think>$0\n@*/\n", "stf"),
        ("@user name=<think>$0\n", "stf"),
        ("@raw\n<think>$0\n@end\n", "stf"),
        ("@ai\n<think>$0\n@# a comment\n</think>\n", "stf"),
    ],
)
def test_what_is_not_an_open_block_is_not_closed(marked: str, language_id: str) -> None:
    stays(marked, language_id)


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [
        ("<think>$0 <think>x</think>", "custom-blocks"),
        ("@ai\n<think>$0\n@user\n<think>x</think>\n", "stf"),
        ("<think>$0\n<answer>x</answer>", "custom-blocks"),
    ],
)
def test_the_closing_tag_of_a_later_block_closes_none_before_it(marked: str, language_id: str) -> None:
    assert after(marked, language_id) == marked.replace("$0", "</think>")


@pytest.mark.parametrize("around", ["{}", "@ai\nhi\n{}", ";ai\n{}", "<think>x</think>\n{}"])
def test_a_call_gets_its_end_marker_with_its_first_line(around: str) -> None:
    language_id = "stf" if around[0] in "@;" else "gadget"
    assert after(around.format(f"{CALL}$0"), language_id) == around.format(f"{CALL}\n{END[:-1]}")
    assert after(around.format(f"{CALL}$0\nrest\n"), language_id) == around.format(f"{CALL}\n{END}rest\n")
    assert after(around.format(f"{CALL}$0\n{CALL}{END}"), language_id) == around.format(f"{CALL}\n{END}{CALL}{END}")
    crlf = around.replace("\n", "\r\n").format(CALL.replace("\n", "\r\n$0"))
    assert after(crlf, language_id) == crlf.replace("$0", f"\r\n{END[:-1]}")


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [
        (f"{CALL}$0!!!ARG:a\n1\n{END}", "gadget"),
        (f"{CALL}$0\n{END}", "gadget"),
        (f"{CALL}!!!ARG:a\n$0\n", "gadget"),
        (f"{CALL}$0name\n", "gadget"),
        ("text\n$0", "gadget"),
        (f"@# {CALL}$0", "stf"),
        (f"@ai\n{CALL}$0@# comment\n{END}", "stf"),
        (CALL + "$0", "custom-blocks"),
    ],
)
def test_a_call_that_has_an_end_or_is_none_gets_no_marker(marked: str, language_id: str) -> None:
    stays(marked, language_id)


def test_the_end_marker_is_that_of_the_settings() -> None:
    chosen = Settings(markers=Markers("<<CALL:", "<<END", "<<ARG:"))
    assert after("<<CALL:A\n$0", "gadget", chosen) == "<<CALL:A\n\n<<END"


@pytest.mark.parametrize(
    ("begun", "end"),
    [
        ("@raw\n", "@end"),
        (";raw\n", ";end"),
        (";meta\n", ";end"),
        (";user\n;extra\n", ";end"),
        ("@/*\n", "@*/"),
        ("@user\nx\n@ /* why\n", "@*/"),
        (";/*\n", ";*/"),
    ],
)
def test_blocks_of_a_chat_get_their_ends(begun: str, end: str) -> None:
    assert after(f"{begun}$0", "stf") == f"{begun}\n{end}"
    assert after(f"{begun}$0\n{begun[0]}user\n", "stf") == f"{begun}\n{end}\n{begun[0]}user\n"
    stays(f"{begun}$0\n{end}\n", "stf")
    stays(f"{begun}x\n$0\n", "stf")


def test_a_nested_comment_gets_an_end_of_its_own() -> None:
    assert after("@/*\n@/*\n$0\n@*/\n", "stf") == "@/*\n@/*\n\n@*/\n@*/\n"
    stays("@/*\n@/*\n$0\n@*/\n@*/\n", "stf")


ARG = f"{CALL}!!!ARG:a\n1\n"


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [
        ("<think>Hm.</think>$0</think> x", "custom-blocks"),
        ("<think>\nHm.\n</think>$0\n</think>\n", "gadget"),
        ("@ai\n<think>Hm.</think>$0</think>", "stf"),
        (f"{ARG}!!!GADGET_END$0\n!!!GADGET_END\n{CALL}", "gadget"),
        (f"{ARG}!!!GADGET_END\n$0\n!!!GADGET_END\n{CALL}", "gadget"),
        (f"{ARG}!!!GADGET_END$0\r\n!!!GADGET_END", "gadget"),
        (f"@ai\n{ARG}!!!GADGET_END$0\n\n!!!GADGET_END\n@user\n", "stf"),
        ("@raw\n{}\n@end$0\n@end\n@user\n", "stf"),
        (";meta\n{}\n;end\n$0\n;end\n", "stf"),
        ("@user\n@/* x\n@*/$0\n@*/\nhi\n", "stf"),
    ],
)
def test_an_end_that_is_typed_again_is_typed_over(marked: str, language_id: str) -> None:
    before, _, behind = marked.partition("$0")
    again = before.split()[-1].rpartition("<")
    end = f"<{again[2]}" if again[1] else again[2]
    assert after(marked, language_id) == before + behind.lstrip().removeprefix(end)


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [
        ("<think>Hm.</think>$0 <think>x</think>", "custom-blocks"),
        ("<think>Hm.</think>$0</answer>", "custom-blocks"),
        ("</think>$0</think>", "custom-blocks"),  # neither closes a block
        (f"{ARG}!!!GADGET_END$0\nx !!!GADGET_END\n", "gadget"),
        ("x !!!GADGET_END$0\n!!!GADGET_END\n", "gadget"),
        ("@/*\n@/* x\n@*/$0\n@*/\n", "stf"),  # the second one ends the comment around it
        ("@raw\n{}\n@end$0\nx\n@end\n", "stf"),
        ("@user\nand$0\n@end\n", "stf"),
        ("D$0", "gadget"),
        ("/$0", "stf"),
    ],
)
def test_other_ends_after_the_caret_stay(marked: str, language_id: str) -> None:
    stays(marked, language_id)


@pytest.mark.parametrize(
    ("marked", "language_id", "becomes"),
    [
        ("!!!GADGET_START:A:a : b:c\n$0\n!!!GADGET_END", "gadget", "!!!GADGET_START:A:a:b,c\n\n!!!GADGET_END"),
        (f"{CALL}!!!ARG:i/0\n1\n!!!ARG: i/1 \n$0\n{END}", "gadget", f"{CALL}!!!ARG:i/0\n1\n!!!ARG:i/1\n\n{END}"),
        ('@user  name="x" \n$0', "stf", '@user name="x"\n'),
        ("@user  name='x' \n$0", "stf", "@user  name='x' \n"),
        ("@user {name:'x',  id: \"it's\"}\n$0", "stf", "@user {name:'x',  id: \"it's\"}\n"),
        ("@user  name='it\\'s'  id=1\n$0", "stf", "@user name='it\\'s' id=1\n"),
        (";user\nhi\n;ai  name='x' \n$0\n", "stf", ";user\nhi\n;ai  name='x' \n\n"),
        ("<think  a=1 >\n$0</think>", "custom-blocks", "<think a=1>\n</think>"),
    ],
)
def test_the_line_above_gets_the_style(marked: str, language_id: str, becomes: str) -> None:
    assert after(marked, language_id) == becomes


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [
        ("@user\n@@ai  name='x'\n$0", "stf"),
        ("@user\nai  name='x'  \n$0", "stf"),
        (f"{CALL}!!!ARG:a\n  1  \n$0\n{END}", "gadget"),
        ("@ai\n<think  a=1 >\n$0</think>", "stf"),  # to a chat it is text
        ("@raw\n{role: 'tool',  content: 'ok'}\n$0\n@end\n", "stf"),
        (f"{CALL}{END}\n\n$0\n{CALL}{END}", "gadget"),  # blank lines are what is being typed
        ("$0", "stf"),
        ("\n$0", "gadget"),
    ],
)
def test_values_and_blank_lines_stay(marked: str, language_id: str) -> None:
    stays(marked, language_id)


@pytest.mark.parametrize("language_id", ["gadget", "stf", "custom-blocks"])
def test_the_style_of_a_line_changes_what_formatting_changes(language_id: str) -> None:
    @settings(max_examples=LAWS, deadline=None, suppress_health_check=list(HealthCheck))
    @given(texts(language_id, 8), st.integers(0, 1 << 20))
    def law(text: str, number: int) -> None:
        lines = [at + 1 for at, character in enumerate(text) if character == "\n"]
        if not lines:
            return
        at = lines[number % len(lines)]
        edits = on_type(replace(whole(text, language_id), start=at, end=at), "\n")
        assert [*edits] == sorted(edits)
        styled = [each for each in edits if each.end < at]
        if len(styled) == len(edits):
            assert format_text(edited(text, styled), language_id) == format_text(text, language_id)

    law()
