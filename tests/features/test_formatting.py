"""Formatting: what becomes uniform, and values that stay unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module

import pytest

from llmblocks.contract.decoded import DecodedValue
from llmblocks.core.edits import Edit, edited
from llmblocks.features.formatting import _Trial, format_edits, format_text, is_formatted
from llmblocks.gadget import Markers
from llmblocks.gadget.editor import values
from llmblocks.languages.ask import ask_all
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS, Settings
from marked import cursor

START, END = "!!!GADGET_START:", "!!!GADGET_END\n"


def assert_formats(language_id: str, text: str, formatted: str) -> None:
    assert format_text(text, language_id) == formatted
    assert format_text(formatted, language_id) == formatted


@pytest.mark.parametrize(
    ("header", "formatted"),
    [
        ("Sum:s1:a:b", "Sum:s1:a,b"),
        ("Sum:s1 : a , b,", "Sum:s1:a,b"),
        ("Sum  ", "Sum"),
        (" Sum:s1:", "Sum:s1"),
        # the runtime takes the blank as part of the name
        ("Sum :s1", "Sum :s1"),
        ("Sum:", "Sum:"),
    ],
)
def test_headers_have_commas_and_no_spaces(header: str, formatted: str) -> None:
    assert_formats("gadget", f"{START}{header}\n{END}", f"{START}{formatted}\n{END}")


def test_a_pointer_loses_the_spaces_around_it_and_nothing_else() -> None:
    text = f"{START}A\n!!!ARG:i/0\na\n!!!ARG: i/01 \nb\n!!!ARG:o/x\na\n!!!ARG:o/01\nb\n{END}"
    assert_formats("gadget", text, text.replace(" i/01 ", "i/01"))


def test_an_index_that_may_mean_another_stays() -> None:
    text = f"{START}A\n!!!ARG:i/0\na\n!!!ARG:i/1abc\nb\n{END}"
    assert_formats("gadget", text, text)


def test_a_missing_end_marker_is_after_the_last_value() -> None:
    text = f"{START}A\n!!!ARG:a\n1\n\n\n{START}B\n!!!ARG:a\n1"
    assert_formats("gadget", text, f"{START}A\n!!!ARG:a\n1\n{END}\n{START}B\n!!!ARG:a\n1\n{END}")
    assert_formats("gadget", f"{START}A\r\n!!!ARG:a\r\n1\r\n", f"{START}A\r\n!!!ARG:a\r\n1\r\n{END[:-1]}\r\n")
    assert_formats("gadget", f"{START}A\n", f"{START}A\n{END}")


def test_one_blank_line_is_between_two_calls() -> None:
    call = f"{START}A\n{END}"
    assert_formats("gadget", f"{call}{call} \n\n\n{call}", f"{call}\n{call}\n{call}")


def test_text_and_the_blank_lines_beside_it_stay() -> None:
    call = f"{START}A\n{END}"
    text = f"\n\nx\n{call}\n\n\nsome text\n\n\n{call}"
    assert_formats("gadget", text, text)


def test_a_block_around_calls_keeps_its_content() -> None:
    call = f"{START}A\n{END}"
    text = f"<think>{call}{call}</think>"
    assert_formats("gadget", text, text)


def test_custom_markers_are_written() -> None:
    settings = DEFAULTS._replace(markers=Markers("<<<CALL:", "<<<END", "<<<ARG:"))
    assert format_text("<<<CALL:A: :b:c\n", "gadget", settings) == "<<<CALL:A::b,c\n<<<END\n"


def test_command_lines_have_double_quotes_and_single_spaces() -> None:
    text = "@user  name='Jo B'\tid=x \nhi\n@end \t\n@ai\t\n@tool id='a\"b' name=\"c\"\n1\n"
    assert_formats("stf", text, '@user name="Jo B" id=x\nhi\n@end\n@ai\n@tool id=\'a"b\' name="c"\n1\n')


def test_other_dialect_and_carriage_returns() -> None:
    assert_formats("stf", ";user  name='x' \nhi\n", ';user name="x"\nhi\n')
    assert_formats("stf", "@user  name='x' \r\nhi\r\n", '@user name="x"\r\nhi\r\n')
    # in this dialect a return is part of the value
    assert_formats("stf", ";user  id=x\r\nhi\r\n", ";user id=x\r\nhi\r\n")
    for text in ("@user \r ", "@user \r \nhi\n"):
        assert_formats("stf", text, text)


def test_the_text_of_a_message_is_a_value() -> None:
    call = f"{START}A:x:a:b\n{END}"
    text = f'@ai\n{call}{call}<think  a=1 >x\n\n\n@user\n\n\n  hi  \n@raw\n{{role:  "user"}}  \n@end\n'
    assert_formats("stf", text, text)


def test_a_command_line_with_a_mistake_loses_only_the_spaces_at_its_end() -> None:
    assert_formats("stf", "@user  name='x  \nhi\n", "@user  name='x\nhi\n")


def test_tags_have_single_spaces_between_attributes() -> None:
    assert_formats("custom-blocks", "<think a='1'\n b=2 >x</think>", "<think a='1' b=2>x</think>")
    # without the blank, the slash would be part of the value
    assert_formats("custom-blocks", "<think a=1  />", "<think a=1 />")


def test_one_blank_line_is_between_two_blocks_on_lines_of_their_own() -> None:
    assert_formats("custom-blocks", "<think/>\n<think/>\n\n\n\n<think/>", "<think/>\n\n<think/>\n\n<think/>")
    assert_formats("custom-blocks", "<think/> <think/>\n\n\nx", "<think/> <think/>\n\n\nx")


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
    text, at = cursor(marked)
    language = find_language(language_id)
    ask = replace(ask_all(language.open(text, DEFAULTS), language, DEFAULTS), start=at, end=at)
    assert edited(text, format_edits(ask)) == formatted.replace("$0", "")


def test_edits_are_as_small_as_what_changes() -> None:
    text = f"{START}A \n!!!ARG:a\nlong\n{END}{START}B:b:c:d\n{END}"
    language = find_language("gadget")
    edits = format_edits(ask_all(language.open(text, DEFAULTS), language, DEFAULTS))
    assert [text[start:end] for start, end, _ in edits] == [" ", "", ":"]


@pytest.mark.parametrize(
    ("written", "formatted"),
    [
        ("{role: 'user', name: \"it's\"}", '{role: "user", name: "it\'s"}'),
        ("{'role': 'a \\'b\\'', id: 'c\"d'}", "{\"role\": 'a \\'b\\'', id: 'c\"d'}"),
        ("{role: 'user' /* it's 'so' */, id: '1'} // 'x'", "{role: \"user\" /* it's 'so' */, id: \"1\"} // 'x'"),
        ("{role: 'user'", "{role: 'user'"),
    ],
)
def test_strings_in_an_object_of_arguments_have_double_quotes(written: str, formatted: str) -> None:
    assert_formats("stf", f"@msg {written}\nhi\n", f"@msg {formatted}\nhi\n")


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        (
            "@raw\n{role: 'ai',\n  content: ['it', \"is\"]}\n@end\n",
            '@raw\n{role: "ai",\n  content: ["it", "is"]}\n@end\n',
        ),
        # a doubled header character is one
        ("@raw\n{role: 'ai', content: \"a\\\n@@b\"}\n@end\n", '@raw\n{role: "ai", content: "a\\\n@@b"}\n@end\n'),
        (";meta\n{a: 'b'} // it's 'so'\n;end\n", ";meta\n{a: \"b\"} // it's 'so'\n;end\n"),
    ],
)
def test_the_json5_of_a_block_has_double_quotes(text: str, formatted: str) -> None:
    assert_formats("stf", text, formatted)


@pytest.mark.parametrize(
    "text",
    [
        # strict JSON is kept as written, JSON5 is not: other quotes would change the text of the arguments
        "@ai\n@call name=f\n{'a': 1}\n",
        "@raw\n{role: 'ai', content: 'a \"b\" \\'c\\''}\n@end\n".replace("'ai'", '"ai"'),
        # a comment of the file may end inside one of JSON5
        "@raw\n{/* don't\n@# note\n it's */ role: 'ai', content: ''}\n@end\n",
        "@raw\n{role: 'ai', content 'b'}\n@end\n",
        "@raw\n{role: 'ai', content: 'b'}\n",
    ],
)
def test_other_quotes_stay(text: str) -> None:
    assert_formats("stf", text, text)


def test_an_index_of_a_rejected_call_or_that_another_argument_has_stays() -> None:
    for more in ("!!!ARG:i/1\nc\n", "!!!ARG:i/01\nc\n", "!!!ARG:j/x/1\nc\n!!!ARG:j/x\nc\n"):
        text = f"{START}A\n!!!ARG:i/0\na\n!!!ARG:i/01\nb\n{more}{END}"
        assert_formats("gadget", text, text)


TIDY = f"{START}Write:w:a,b\n!!!ARG:path\na.txt\n!!!ARG:text\n{'some words ' * 8}\n{END}\n"
UNTIDY = TIDY.replace("a,b", "a:b ") + "\n\n"
STAYS = "".join(f"<{tag}>{UNTIDY}\n{UNTIDY}</{tag}>\n" for tag in ("think", "answer"))


def characters_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the sizes of the texts whose values are read from now on."""
    read: list[int] = []
    keeps = values.keeps

    def counted(text: str, settings: Settings, values: Sequence[DecodedValue]) -> object:
        read.append(len(text))
        return keeps(text, settings, values)

    monkeypatch.setattr(values, "keeps", counted)
    return read


@pytest.mark.parametrize("every", [100, 10, 1])
def test_a_text_is_read_a_few_times_however_many_changes_would_change_values(
    every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(STAYS if number % every == every // 2 else UNTIDY for number in range(200))
    read = characters_read(monkeypatch)
    formatted = format_text(text, "gadget")
    assert sum(read) < (8 if every == 1 else 6) * len(text)
    assert formatted.count("w:a,b\n") == text.count("w:a:b \n")
    assert "</think>\n<answer>" in formatted
    assert format_text(formatted, "gadget") == formatted
    read.clear()
    assert is_formatted(formatted, "gadget")
    # it is read, and with what would be changed; so is each section in which something would
    assert sum(read) < 6 * len(text)


def test_a_header_without_an_end_costs_no_readings_of_all_other_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    # it is text, as the blank lines before it are
    text = UNTIDY * 200 + f"{START}A "
    read = characters_read(monkeypatch)
    assert format_text(text, "gadget").count("w:a,b\n") == 200
    assert sum(read) < 6 * len(text)


def test_what_cannot_be_formatted_does_not_keep_others_from_it() -> None:
    # the blank lines before a header without an end are text, unchanged
    assert_formats("gadget", f"{UNTIDY}{START}A ", f"{TIDY.strip()}\n\n\n\n{START}A ")
    # as a line after a marker that was missing
    call, open_call = f"{START}A\n{END}", f"{START}A\n"
    assert_formats(
        "gadget", f"<think>{call}{call}</think>\n{open_call}{call}", f"<think>{call}{call}</think>\n{call}\n{call}"
    )
    long = f"{START}A\n!!!ARG:a\n{'x' * 5000}\n"
    assert_formats(
        "gadget", f"<think>{call}{call}</think>\n{long}{call}", f"<think>{call}{call}</think>\n{long}{END}\n{call}"
    )


def test_many_changes_that_would_change_values_cost_little(monkeypatch: pytest.MonkeyPatch) -> None:
    call = f"{START}A\n!!!ARG:a\n1\n{END}"
    block = f"<think>{call}{call}</think>\n"
    text = f"{call}\n\n{call}" + block * 200
    read = characters_read(monkeypatch)
    monkeypatch.setattr(import_module("llmblocks.features.formatting"), "_MOST_CHARACTERS", 0)
    assert format_text(text, "gadget") == text.replace("\n\n\n", "\n\n", 1)
    assert sum(read) < 8 * len(text)


def test_of_changes_across_calls_all_are_made_that_change_no_value() -> None:
    call = f"{START}A\n!!!ARG:a\n1\n{END}"
    text = f"{call}\n\n\n{call}\n\n\n{call}\n\n\n{call}"
    gaps = [at for at in range(len(text)) if text.startswith("\n\n\n", at)]
    fewer = [Edit(at, at + 1, "") for at in gaps]
    joined = Edit(gaps[1] - len(END), gaps[1] + 2 + len(call), "")
    trial = _Trial(values.keeps, find_language("gadget"), DEFAULTS, text, lambda: None)
    assert trial.made(text, fewer) == fewer
    assert trial.made(text, [fewer[0], joined, fewer[2]]) == [fewer[0], fewer[2]]
    assert trial.made(text, [joined, *fewer[2:]]) == fewer[2:]


@pytest.mark.parametrize(
    ("language_id", "text", "scans"),
    [
        ("stf", "@user \nHi\n@ai id='a'  \nHello\n", 1),
        ("gadget", f"{START}A \n!!!ARG:a\n1\n{END}\n\n\n{START}B\n{END}", 1),
        # the end marker makes room for a gap
        ("gadget", f"{START}A\n!!!ARG:a\n1\n{START}B\n{END}", 2),
        ("custom-blocks", "<think  a='1' >x</think>\n", 1),
    ],
)
def test_a_text_is_scanned_again_only_if_edits_may_make_room_for_others(
    language_id: str, text: str, scans: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module("llmblocks.features.formatting")
    scanned, found = module.scanned, 0

    def counted(*given: object, **named: object) -> object:
        nonlocal found
        found += 1
        return scanned(*given, **named)

    monkeypatch.setattr(module, "scanned", counted)
    formatted = format_text(text, language_id)
    assert (formatted != text, found) == (True, scans)
    assert format_text(formatted, language_id) == formatted
