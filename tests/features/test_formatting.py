"""Formatting: what becomes uniform, and values that stay unchanged."""

from __future__ import annotations

import pytest

from laws.test_linear_told import steps
from llmblocks.core.edits import edited
from llmblocks.features.formatting import format_edits, format_text
from llmblocks.gadget import Markers
from llmblocks.settings.values import DEFAULTS, Settings
from marked import asked, whole

START, END = "!!!GADGET_START:", "!!!GADGET_END\n"


def assert_formats(language_id: str, text: str, formatted: str) -> None:
    assert format_text(text, language_id) == formatted
    assert format_text(formatted, language_id) == formatted


ONE = f"{START}A\n{END}"
INDEXED = f"{START}A\n!!!ARG:i/0\na\n!!!ARG:i/01\nb\n{{}}{END}"


@pytest.mark.parametrize(
    ("language_id", "text", "formatted"),
    [
        *[
            ("gadget", f"{START}{header}\n{END}", f"{START}{formatted}\n{END}")
            for header, formatted in (
                *(
                    ("Sum:s1:a:b", "Sum:s1:a,b"),
                    ("Sum:s1 : a , b,", "Sum:s1:a,b"),
                    ("Sum  ", "Sum"),
                    (" Sum:s1:", "Sum:s1"),
                ),
                # the runtime takes the blank as part of the name
                *(("Sum :s1", "Sum :s1"), ("Sum:", "Sum:")),
            )
        ],
        ("gadget", INDEXED.replace("i/01", " i/01 ").format(""), INDEXED.format("")),
        # an end marker comes after the last value
        (
            "gadget",
            f"{START}A\n!!!ARG:a\n1\n\n\n{START}B\n!!!ARG:a\n1",
            f"{START}A\n!!!ARG:a\n1\n{END}\n{START}B\n!!!ARG:a\n1\n{END}",
        ),
        ("gadget", f"{START}A\r\n!!!ARG:a\r\n1\r\n", f"{START}A\r\n!!!ARG:a\r\n1\r\n{END[:-1]}\r\n"),
        ("gadget", f"{START}A\n", ONE),
        # one blank line is between two calls
        ("gadget", f"{ONE}{ONE} \n\n\n{ONE}", f"{ONE}\n{ONE}\n{ONE}"),
        ("stf", "@user  name='Jo B'\tid=x \nhi\n@end \t\n@ai\t\n", '@user name="Jo B" id=x\nhi\n@end\n@ai\n'),
        ("stf", '@tool id=\'a"b\' name="c"\n1\n', '@tool id=\'a"b\' name="c"\n1\n'),
        ("stf", ";user  name='x' \nhi\n", ';user name="x"\nhi\n'),
        ("stf", "@user  name='x' \r\nhi\r\n", '@user name="x"\r\nhi\r\n'),
        # in this dialect a return is part of the value
        ("stf", ";user  id=x\r\nhi\r\n", ";user id=x\r\nhi\r\n"),
        ("stf", "@user  name='x  \nhi\n", "@user  name='x\nhi\n"),
        *[
            ("stf", f"@msg {written}\nhi\n", f"@msg {formatted}\nhi\n")
            for written, formatted in (
                ("{role: 'user', name: \"it's\"}", '{role: "user", name: "it\'s"}'),
                ("{'role': 'a \\'b\\'', id: 'c\"d'}", "{\"role\": 'a \\'b\\'', id: 'c\"d'}"),
                (
                    "{role: 'user' /* it's 'so' */, id: '1'} // 'x'",
                    "{role: \"user\" /* it's 'so' */, id: \"1\"} // 'x'",
                ),
                ("{role: 'user'", "{role: 'user'"),
            )
        ],
        ("stf", "@raw\n{role: 'ai',\n  b: ['it', \"is\"]}\n@end\n", '@raw\n{role: "ai",\n  b: ["it", "is"]}\n@end\n'),
        # a doubled header character is one
        ("stf", "@raw\n{role: 'ai', b: \"a\\\n@@b\"}\n@end\n", '@raw\n{role: "ai", b: "a\\\n@@b"}\n@end\n'),
        ("stf", ";meta\n{a: 'b'} // it's 'so'\n;end\n", ";meta\n{a: \"b\"} // it's 'so'\n;end\n"),
        ("custom-blocks", "<think a='1'\n b=2 >x</think>", "<think a='1' b=2>x</think>"),
        # without the blank, the slash would be part of the value
        ("custom-blocks", "<think a=1  />", "<think a=1 />"),
        ("custom-blocks", "<think/>\n<think/>\n\n\n\n<think/>", "<think/>\n\n<think/>\n\n<think/>"),
        # the blank lines before a header without an end are text, as a line after a marker that was missing
        ("gadget", f"{START}A:a:b:c\n{END}\n\n\n{START}A ", f"{START}A:a:b,c\n{END}\n\n\n{START}A "),
        ("gadget", f"<think>{ONE}{ONE}</think>\n{START}A\n{ONE}", f"<think>{ONE}{ONE}</think>\n{ONE}\n{ONE}"),
        (
            "gadget",
            f"<think>{ONE}{ONE}</think>\n{START}A\n!!!ARG:a\n{'x' * 5000}\n{ONE}",
            f"<think>{ONE}{ONE}</think>\n{START}A\n!!!ARG:a\n{'x' * 5000}\n{END}\n{ONE}",
        ),
    ],
)
def test_a_text_gets_the_style(language_id: str, text: str, formatted: str) -> None:
    assert_formats(language_id, text, formatted)


@pytest.mark.parametrize(
    ("language_id", "text"),
    [
        # an index that may mean another, of a rejected call, or that another argument has
        ("gadget", f"{START}A\n!!!ARG:i/0\na\n!!!ARG:i/1abc\nb\n{END}"),
        *[
            ("gadget", INDEXED.format(more))
            for more in ("!!!ARG:i/1\nc\n", "!!!ARG:i/01\nc\n", "!!!ARG:j/x/1\nc\n!!!ARG:j/x\nc\n")
        ],
        ("gadget", f"\n\nx\n{ONE}\n\n\nsome text\n\n\n{ONE}"),
        ("gadget", f"<think>{ONE}{ONE}</think>"),
        ("stf", "@user \r "),
        ("stf", "@user \r \nhi\n"),
        # the text of a message is a value
        ("stf", f'@ai\n{ONE}{ONE}<think  a=1 >x\n\n\n@user\n\n\n  hi  \n@raw\n{{role:  "user"}}  \n@end\n'),
        ("custom-blocks", "<think/> <think/>\n\n\nx"),
        # strict JSON is kept as written, JSON5 is not: other quotes would change the text of the arguments
        ("stf", "@ai\n@call name=f\n{'a': 1}\n"),
        ("stf", "@raw\n{role: \"ai\", content: 'a \"b\" \\'c\\''}\n@end\n"),
        # a comment of the file may end inside one of JSON5
        ("stf", "@raw\n{/* don't\n@# note\n it's */ role: 'ai', content: ''}\n@end\n"),
        ("stf", "@raw\n{role: 'ai', content 'b'}\n@end\n"),
        ("stf", "@raw\n{role: 'ai', content: 'b'}\n"),
    ],
)
def test_values_and_other_text_stay(language_id: str, text: str) -> None:
    assert_formats(language_id, text, text)


def test_custom_markers_are_written() -> None:
    settings = DEFAULTS._replace(markers=Markers("<<<CALL:", "<<<END", "<<<ARG:"))
    assert format_text("<<<CALL:A: :b:c\n", "gadget", settings) == "<<<CALL:A::b,c\n<<<END\n"


@pytest.mark.parametrize("character", ["\u3000", "\u2028", "\x85", "\f", "\x1f"])
def test_a_character_that_is_not_a_blank_stays_between_blocks_and_calls(character: str) -> None:
    for language_id, one in (("custom-blocks", "<think>a</think>"), ("gadget", f"{START}A\n{END.strip()}")):
        text = f"{one}\n{character}\n{one}\n"
        assert_formats(language_id, text, text)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        # in this dialect and with a default role, a byte-order mark is text, and the line is too
        (Settings(default_role="user"), "\ufeff;user  name='x' \n"),
        # the decoder reads the first line as text of the other dialect
        (Settings(default_role="user"), "@foo  name='x' \n;user\nHi\n"),
        (Settings(default_role="user", dialect=";"), "@user  name='x' \n"),
    ],
)
def test_what_looks_like_a_command_line_and_is_text_stays(settings: Settings, text: str) -> None:
    assert format_text(text, "stf", settings) == text


@pytest.mark.parametrize(
    ("language_id", "marked", "formatted"),
    [
        (
            "gadget",
            f"{START}A \n{END}{START}$0B \n{END}{START}C \n{END}",
            f"{START}A \n{END}\n{START}B\n{END}{START}C \n{END}",
        ),
        ("stf", "@user \nhi\n@ai$0 \nx\n", "@user \nhi\n@ai\nx\n"),
        ("custom-blocks", "<think a=1 >$0</think>\nx<think b=1  />", "<think a=1></think>\nx<think b=1  />"),
    ],
)
def test_a_range_is_formatted_alone(language_id: str, marked: str, formatted: str) -> None:
    ask = asked(marked, language_id)
    assert edited(ask.document.text, format_edits(ask)) == formatted


def test_edits_are_as_small_as_what_changes() -> None:
    text = f"{START}A \n!!!ARG:a\nlong\n{END}{START}B:b:c:d\n{END}"
    edits = format_edits(whole(text, "gadget"))
    assert [text[start:end] for start, end, _ in edits] == [" ", "", ":"]


TIDY = f"{START}Write:w:a,b\n!!!ARG:path\na.txt\n!!!ARG:text\n{'some words ' * 8}\n{END}\n"
UNTIDY = TIDY.replace("a,b", "a:b ") + "\n\n"
STAYS = "".join(f"<{tag}>{UNTIDY}\n{UNTIDY}</{tag}>\n" for tag in ("think", "answer"))


@pytest.mark.parametrize("every", [30, 10, 1])
def test_changes_that_would_change_values_are_left_out_by_linear_work(every: int) -> None:
    few, many = ("".join(STAYS if at % every == every // 2 else UNTIDY for at in range(n)) for n in (30, 120))
    # a header without an end is text, and so are the blank lines before it; calls in a block stay as written
    formatted = format_text(f"{many}{START}A ", "gadget")
    assert formatted.count("w:a,b\n") == many.replace(STAYS, "").count("w:a:b \n")
    assert formatted.count(STAYS) == many.count(STAYS)
    assert "</think>\n<answer>" in formatted
    assert format_text(formatted, "gadget") == formatted
    assert format_text(formatted, "gadget") == formatted
    assert steps(lambda: format_text(many, "gadget")) <= 5 * steps(lambda: format_text(few, "gadget"))
