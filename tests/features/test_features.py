"""Hover and folding, from text with a cursor to words and lines."""

from __future__ import annotations

import pytest

from llmblocks.features.hover import hover
from llmblocks.features.structure import Fold, folding
from llmblocks.languages.ask import Ask, ask_all
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS
from marked import cursor


def hovered(marked: str, language_id: str) -> tuple[str, str] | None:
    """Return the hovered text, and the explanation."""
    text, offset = cursor(marked)
    language = find_language(language_id)
    found = hover(Ask(language.open(text, DEFAULTS), language, DEFAULTS, offset, offset))
    return found and (text[found.start : found.end], found.text)


def folds(text: str, language_id: str) -> list[tuple[int, int]]:
    language = find_language(language_id)
    found = folding(ask_all(language.open(text, DEFAULTS), language, DEFAULTS))
    return [(fold.start_line, fold.end_line) for fold in found]


CALL = "see\n!!!GADGET_START:Write:w1:a,b\n!!!ARG:path/0\nx\n!!!GADGET_END\n"


@pytest.mark.parametrize(
    ("marked", "about", "says"),
    [
        (CALL.replace("GADGET_START", "GAD$0GET_START"), "!!!GADGET_START:", "`Write w1`: gadget call, never ran: "),
        (CALL.replace("Write", "Wr$0ite"), "Write:w1:a,b", "Waits for `a`, `b`."),
        (CALL.replace("ARG", "A$0RG"), "!!!ARG:", "`path/0`: "),
        (CALL.replace("path", "p$0ath"), "path/0", "text, 1 character\n"),
        (CALL.replace("END\n", "END$0x <think>\n"), "!!!GADGET_END", "End of the call `Write w1`."),
        (CALL.replace("END\n", "E$0ND\n"), "!!!GADGET_END", "End of the call `Write w1`."),
        ("text !!!A$0RG:x\n", "!!!ARG:", "outside of any call"),
        ("!!!GADGET_START:G$0", "G", "reads the whole line as text"),
        ("!!!GADGET_START:$0\n!!!GADGET_END", "!!!GADGET_START:", "`(unnamed)`: gadget call, rejected: "),
    ],
)
def test_hovering_a_gadget_marker_explains_it(marked: str, about: str, says: str) -> None:
    found = hovered(marked, "gadget")
    assert found is not None
    assert found[0] == about
    assert says in found[1]


@pytest.mark.parametrize(
    ("marked", "about", "says"),
    [
        ("@a$0i\nhello\n", "ai", "the same as `@assistant`"),
        (";met$0a\n{}\n;end\n", "meta", "metadata"),
        ("@met$0a\n", "meta", "command of the `;` dialect only"),
        ("@user\n@$0@x\n", "@", "text that begins with one `@`"),
        ("@/$0*\n@*/\n", "/*", "up to the matching `@*/`"),
        ("@*$0/\n", "*/", "none is open"),
        ("@wh$0at\n", "what", "is not a command"),
        ("@e$0nd\n", "end", "no block command to end"),
    ],
)
def test_hovering_a_command_explains_it(marked: str, about: str, says: str) -> None:
    found = hovered(marked, "stf")
    assert found is not None
    assert found[0] == about
    assert says in found[1]


@pytest.mark.parametrize(
    ("marked", "about", "says"),
    [
        ("a <thi$0nk depth=2>b</think>", "think", "Attributes: `depth` = `2`"),
        ("a <think>b</thi$0nk>", "think", "End of the custom block"),
        ("a <think de$0pth='2'>b</think>", "depth", "`depth` of `think`: `2`"),
        ("a <thi$0nk>b", "think", "Nothing closes it with `</think>`"),
        ("a <thi$0nk x=1", "think", "reads it as text"),
    ],
)
def test_hovering_a_tag_explains_it(marked: str, about: str, says: str) -> None:
    found = hovered(marked, "custom-blocks")
    assert found is not None
    assert found[0] == about
    assert says in found[1]


def test_hovering_plain_text_says_nothing() -> None:
    assert hovered("plain te$0xt\n", "gadget") is None
    assert hovered("@user\nplain te$0xt\n", "stf") is None


def test_calls_and_their_arguments_fold() -> None:
    assert folds(CALL, "gadget") == [(1, 4), (2, 3)]


@pytest.mark.parametrize("blank", [0, 8100])
def test_a_run_of_comment_lines_folds_wherever_the_text_is_cut(blank: int) -> None:
    before = " " * 70 + "\r\n"
    comments = "@# first\r\n" + "@# and more of it\r\n" * 1000
    text = "@user\r\n" + before * (blank // len(before)) + comments + "@user\r\nHello\r\n"
    start = 1 + blank // len(before)
    assert (start, start + 1000) in folds(text, "stf")


def test_a_fold_counts_lines_as_editors_do_at_a_lone_return() -> None:
    assert folds("a\rb\r" + CALL, "gadget") == [(3, 6), (4, 5)]
    assert folds("!!!GADGET_START:G\n!!!ARG:a\n1\r2\r\n3", "gadget") == [(0, 4), (1, 4)]


def test_a_lone_return_moves_the_folds_of_all_blocks_of_sections() -> None:
    text = "a\rb\n" + CALL * 200
    assert folds(text, "gadget")[-2:] == [(998, 1001), (999, 1000)]


def test_messages_blocks_and_comments_fold_without_the_blank_lines_after_them() -> None:
    text = "@user\nhi\n\n@ai\n@/*\nx\n@/*\n@*/\n@*/\nyo\n@raw\n{}\n@end\n"
    assert folds(text, "stf") == [(0, 1), (3, 9), (4, 8), (6, 7), (10, 12)]


@pytest.mark.parametrize(("header", "sign"), [("@", "#"), ("@ ", "//"), (";", "#")])
def test_line_comments_below_each_other_fold_as_a_comment(header: str, sign: str) -> None:
    comment = f"{header}{sign} a\n"
    text = f"{comment}{comment}{header}user\nhi\n{comment}x\n{comment * 3}\n{comment}{comment.strip()}"
    language = find_language("stf")
    found = folding(ask_all(language.open(text, DEFAULTS), language, DEFAULTS))
    assert [fold for fold in found if fold.comment] == [Fold(0, 1, True), Fold(6, 8, True), Fold(10, 11, True)]


def test_line_comments_in_a_comment_or_apart_do_not_fold() -> None:
    assert folds("@/*\n@# a\n@# b\n@*/\n@# c\ntext\n@# d\n\n@# e\n", "stf") == [(0, 3)]


def test_a_message_folds_with_the_calls_and_blocks_inside_it() -> None:
    assert folds("@ai\n" + CALL + "<think>\nx\n</think>\nbye\n\n@user\nhi\n", "stf") == [
        (0, 9),
        (2, 5),
        (3, 4),
        (6, 8),
        (11, 12),
    ]
    assert folds(";ai\n" + CALL + "bye\n;flush\nx\n", "stf") == [(0, 7), (2, 5), (3, 4)]


def test_a_comment_does_not_end_the_call_around_it() -> None:
    text = "@ai\n!!!GADGET_START:G\n!!!ARG:a\n@/* a\n@*/\n1\n!!!ARG:b\n2\n!!!GADGET_END\n"
    assert folds(text, "stf") == [(0, 8), (1, 8), (2, 5), (3, 4), (6, 7)]


def test_a_block_command_ends_the_call_around_it_on_the_line_before() -> None:
    text = ";ai\n!!!GADGET_START:A\n!!!ARG:a\n1\n; extra\n{}\n;end\n!!!GADGET_END\n"
    assert folds(text, "stf") == [(0, 7), (1, 3), (2, 3), (4, 6)]


def test_a_last_message_of_one_line_does_not_fold() -> None:
    assert folds("@user\nhi\n@ai\n", "stf") == [(0, 1)]


def test_a_message_folds_over_a_line_end_that_is_all_there_is_between_two_blocks() -> None:
    assert folds("@ai\n<think></think>\n!!!GADGET_START:A\n!!!GADGET_END\n", "stf") == [(0, 3), (2, 3)]


def test_a_fold_is_found_where_an_edit_moved_it() -> None:
    language = find_language("gadget")
    document = language.open(CALL, DEFAULTS)
    document.edit(0, 0, "one more line\n")
    assert folding(ask_all(document, language, DEFAULTS)) == [Fold(2, 5, False), Fold(3, 4, False)]


def test_folds_after_many_sections_count_lone_returns_too() -> None:
    call = "!!!GADGET_START:A\n!!!ARG:a\n1\n!!!GADGET_END\n"
    text = "x\r" + call * 300
    assert folds(text, "gadget")[-2:] == [(1 + 4 * 299, 4 + 4 * 299), (2 + 4 * 299, 3 + 4 * 299)]


def test_every_message_of_a_long_chat_folds() -> None:
    assert folds("@user\nhi\n" * 600, "stf") == [(line, line + 1) for line in range(0, 1200, 2)]
