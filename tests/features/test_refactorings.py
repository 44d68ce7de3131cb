"""Refactorings: what is offered where, and what it makes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Literal

import pytest

from llmblocks import check, fix
from llmblocks.core.edits import edited
from llmblocks.features.refactoring import made_later, refactorings
from llmblocks.gadget import Markers
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.gadget.stream import read_calls
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language
from llmblocks.refactors.messages import is_split
from llmblocks.refactors.promises import LONGEST, RefactoredLines
from llmblocks.refactors.refactoring import Offer, Refactoring
from llmblocks.refactors.registry import REFACTORINGS
from llmblocks.refactors.selected import said_in, tokens_of
from llmblocks.settings.values import DEFAULTS, Settings

CALL = "!!!GADGET_START:G\n{}!!!GADGET_END\n"


def asked(marked: str, language_id: str, settings: Settings = DEFAULTS) -> Ask:
    """Shape: `«` and `»` mark the selection."""
    start, end = marked.index("«"), marked.index("»") - 1
    text = marked.replace("«", "").replace("»", "")
    language = find_language(language_id)
    return Ask(language.open(text, settings), language, settings, start, end)


def offers(marked: str, language_id: str, name: str, settings: Settings = DEFAULTS) -> list[tuple[str, str]]:
    """The offers of one refactoring: titles, and the texts that they make, or why they make none."""
    ask = asked(marked, language_id, settings)
    found: Iterable[tuple[Refactoring, Offer]] = refactorings(ask)
    return [
        (offer.title, offer.refused or edited(ask.document.text, offer.edits))
        for each, offer in found
        if each.name == name
    ]


def made(marked: str, language_id: str, name: str, settings: Settings = DEFAULTS) -> list[str]:
    return [text for _, text in offers(marked, language_id, name, settings)]


@pytest.mark.parametrize("row", REFACTORINGS, ids=lambda row: row.name)
def test_the_example_of_a_refactoring_is_true(row: Refactoring) -> None:
    assert made(row.before, row.language, row.name)[:1] == [row.after]


def test_names_are_unique() -> None:
    assert len({row.name for row in REFACTORINGS}) == len(REFACTORINGS)


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [("«»", "gadget"), ("«»", "stf"), ("«»", "custom-blocks"), ("«»words", "gadget"), ("@user\nw«»x\n", "stf")],
)
def test_nothing_is_offered_at_a_cursor_in_plain_text(marked: str, language_id: str) -> None:
    assert [*refactorings(asked(marked, language_id))] == []


@pytest.mark.parametrize("around", ["{}", "@ai\nhi\n{}bye\n", ";ai\n{}", "<think>\na</think>\n{}"])
def test_json_becomes_arguments_and_a_call_with_arguments_stays_as_it_is(around: str) -> None:
    language = "stf" if around[0] in "@;" else "gadget"
    arguments = CALL.format("!!!ARG:q\nbees\n!!!ARG:o/a/0\ntrue\n!!!ARG:o/a/1\nx\ny\n!!!ARG:n\n-1.5\n")
    json = CALL.format(
        '{\n  "q": "bees",\n  "o": {\n    "a": [\n      true,\n      "x\\ny"\n    ]\n  },\n  "n": -1.5\n}\n'
    )
    for mark in ("!!!«»GADGET", "«»!!!GADGET", "START:«»G"):
        marked = around.format(arguments).replace(mark.replace("«»", ""), mark, 1)
        # the runtime reads no JSON in place of arguments
        for selected in (marked, re.sub("«»(.*\n)", r"«\1»", marked)):
            assert made(selected, language, "arguments-to-json") == []
        marked = around.format(json).replace(mark.replace("«»", ""), mark, 1)
        assert made(marked, language, "json-to-arguments") == [around.format(arguments)]


def test_one_object_becomes_json_and_arguments_again() -> None:
    rest = "!!!ARG:z\n1\n"
    arguments = CALL.format(f"{rest}!!!ARG:o/a\n1\n!!!ARG:o/b/0\ntwo\n{rest.replace('z', 'y')}")
    json = CALL.format(f'{rest}!!!ARG:o\n{{\n  "a": 1,\n  "b": [\n    "two"\n  ]\n}}\n{rest.replace("z", "y")}')
    marked = arguments.replace("ARG:o/b", "ARG:«»o/b")
    assert offers(marked, "gadget", "arguments-to-json") == [
        ("Write `o` as JSON, which the runtime reads as text", json)
    ]
    assert made(json.replace('"two', '"«»two'), "gadget", "json-to-arguments") == [arguments]
    assert made(json.replace("ARG:z", "ARG:«»z"), "gadget", "json-to-arguments") == []
    # the cursor may stand behind the pointer; in a value there is nothing to say about pointers
    assert made(arguments.replace("o/b/0\n", "o/b/0«»\n"), "gadget", "arguments-to-json") == [json]
    assert made(arguments.replace("two", "«»two"), "gadget", "arguments-to-json") == []


def test_lines_of_an_argument_are_escaped_in_a_chat() -> None:
    json = '@ai\n{"a": "x\\n@user\\n@@y"}\n'.replace("{", "!!!GADGET_START:G\n{").replace("}\n", "}\n!!!GADGET_END\n")
    (text,) = made(json.replace('"a', '"«»a'), "stf", "json-to-arguments")
    assert "!!!ARG:a\nx\n@@user\n@@@y\n" in text


@pytest.mark.parametrize(
    ("json", "reason"),
    [
        ('{"a": null}', "a: null has no way to be written"),
        ('{"a": []}', "a: an empty list or dict has no value to write"),
        ('{"a": "1"}', "a: '1' would come back as 1"),
        ('{"a": "!!!ARG\\u003ab"}', "a: it holds the marker"),
        ('{"a/b": 1}', "a/b: the key 'a/b' holds a slash"),
    ],
)
def test_json_that_arguments_cannot_hold_is_refused(json: str, reason: str) -> None:
    ((title, refused),) = offers(CALL.format(f"«»{json}\n"), "gadget", "json-to-arguments")
    assert title == "Write this JSON as arguments"
    assert refused.startswith(reason)


@pytest.mark.parametrize("body", ["", "{}\n", "[1]\n", '{"a": 1, "a": 2}\n', "{a: 1}\n", '"x"\n', "{" * 5000])
def test_what_is_no_json_object_is_no_arguments(body: str) -> None:
    assert made(CALL.format("«»" + body), "gadget", "json-to-arguments") == []


def test_a_gadget_that_wants_text_keeps_it() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "object"}}}
    settings = Settings(gadgets=Gadgets.of((GadgetSchema("G", "", schema),)))
    text = CALL.format('!!!ARG:a«»\n{"x": 1}\n')
    assert made(text, "gadget", "json-to-arguments", settings) == []
    assert made(text.replace(":a", ":b"), "gadget", "json-to-arguments", settings) != []
    # with the schema, text that looks like a number is still text
    assert made(CALL.format('{"a": "1"«»}\n'), "gadget", "json-to-arguments", settings) == [
        CALL.format("!!!ARG:a\n1\n")
    ]


@pytest.mark.parametrize(
    "marked",
    [
        "!!!GADGET_START:«G\n»!!!ARG:a\n1\n",  # no end
        CALL.format("!!!ARG:a\n1\n!!!ARG:a\n2\n").replace(":G\n", ":«G\n»"),  # rejected
        CALL.format("").replace(":G\n", ":«G\n»"),
        CALL.format("!!!ARG:a\n1\n").replace(":G\n", ":«G»\n"),  # a word
        CALL.format("!!!ARG:/a\n1\n").replace("ARG:", "ARG:«»"),
        CALL.format("!!!ARG:o/a\n1\n!!!ARG:z\n2\n!!!ARG:o/b\n3\n").replace("ARG:o/a", "ARG:«»o/a"),
        CALL.format("!!!ARG:a\n1\n") + "«te»xt",
    ],
)
def test_arguments_that_nobody_reads_become_no_json(marked: str) -> None:
    assert made(marked, "gadget", "arguments-to-json") == []


def test_a_call_with_a_comment_in_it_stays() -> None:
    text = "@ai\n" + CALL.format("!!!ARG:a\n1\n@# why\n!!!ARG:b\n2\n").replace(":G\n", ":«G\n»")
    assert made(text, "stf", "arguments-to-json") == []


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        (("i/0", "i/0", "i/1"), ("i/0", "i/1", "i/2")),
        (("i/1", "i/5"), ("i/0", "i/1")),
        (("i/0/a", "i/0/b", "i/2/a", "i/2/b"), ("i/0/a", "i/0/b", "i/1/a", "i/1/b")),
        (("i/0/a", "i/0/b", "i/0/a", "i/0/b"), ("i/0/a", "i/0/b", "i/1/a", "i/1/b")),
        (("i/0/x/1", "i/0/x/2"), ("i/0/x/0", "i/0/x/1")),
        (("i/0", "i/0", "other"), ("i/0", "i/1", "other")),
        (("i/1", "i/1/5"), ("i/0", "i/0/5")),
    ],
)
def test_elements_are_numbered_as_they_stand(given: tuple[str, ...], becomes: tuple[str, ...]) -> None:
    text = CALL.format("".join([f"!!!ARG:{each}\nv\n" for each in given]))
    wanted = CALL.format("".join([f"!!!ARG:{each}\nv\n" for each in becomes]))
    for around, language in (("{}", "gadget"), ("@ai\n{}", "stf")):
        for mark in ("ARG:«»", "ARG:i/0«»", "ARG:i/1«»"):
            marked = around.format(text).replace(mark.replace("«»", ""), mark, 1)
            if "«" in marked:
                assert made(marked, language, "renumber") == [around.format(wanted)]


@pytest.mark.parametrize("pointers", [("i/0", "i/1"), ("i/a", "i/a"), ("i", "i"), ("i/1/a", "i/x")])
def test_what_is_numbered_or_no_array_stays(pointers: tuple[str, ...]) -> None:
    text = CALL.format("".join([f"!!!ARG:{each}\nv\n" for each in pointers]))
    assert made(text.replace("ARG:", "ARG:«»", 1), "gadget", "renumber") == []


@pytest.mark.parametrize(
    ("marked", "becomes"),
    [
        ("@ai\na\n«b»\nc\n", "@ai\na\n@ai\nb\n@ai\nc\n"),
        ("@ai\na\n«b\n»@user\n", "@ai\na\n@ai\nb\n@user\n"),
        ("@ai\n«a\n»b\n", "@ai\na\n@ai\nb\n"),
        ("@ai\na «b» c\n", "@ai\na \n@ai\nb\n@ai\n c\n"),
        ("@ai\r\na\r\n«b»\r\nc\r\n", "@ai\r\na\r\n@ai\r\nb\r\n@ai\r\nc\r\n"),
        (";sys\na\n«b\n»c", ";sys\na\n;sys\nb\n;sys\nc"),
        ("@msg {role: 'x', id: '1'}\na\n«b»\n", "@msg {role: 'x', id: '1'}\na\n@msg {role: 'x'}\nb\n"),
        (f"@ai\na\n«{CALL}»b\n", f"@ai\na\n@ai\n{CALL}@ai\nb\n"),
    ],
)
def test_a_selection_becomes_a_message(marked: str, becomes: str) -> None:
    assert made(marked, "stf", "new-message") == [becomes]


@pytest.mark.parametrize(
    "marked",
    [
        "@ai\n«a\n»",  # all of it
        "@ai\na\n«\n»b\n",
        "@ai\na\n«b\n@user\n»c\n",  # two messages
        "@raw\n{role: 'u',\n«content: 'x'}\n»@end\n",
        "@ai\na\n@/*\n«b\n»@*/\nc\n",
        "«a\n»b\n",
        "@ai\na\n" + CALL.format("!!!ARG:a\n«1\n»2\n"),  # half of a call
        "@ai\na\n<think>\n«b\n»c</think>\n",
        "@ai\na\n@call name=f\n«{}\n»b\n",
        "@a«i i»d=1\nx\n",
        "@ai i«d=1\na\n»b\n",
    ],
)
def test_what_is_no_text_of_one_message_becomes_none(marked: str) -> None:
    assert made(marked, "stf", "new-message") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("@user name=Ada\nhi\n@ai\n@@x\n", ";user name=Ada\nhi\n;ai\n@x"),
        ("@user\n;a\n", ";user\n;;a"),
        ("@# c\n@user\n@/*\n@/*\n@*/\n@*/\nhi\n", ";# c\n;user\n;/*\n;/*\n;*/\n;*/\nhi"),
        ("@raw\n{role: 'u', content: 'c'}\n@end\n", ";raw\n{role: 'u', content: 'c'}\n;end"),
        ("@user\n\n\n", ";user\n\n"),
    ],
)
def test_a_chat_in_the_other_dialect_has_its_comments(one: str, other: str) -> None:
    assert made(one[0] + "«»" + one[1:], "stf", "convert-dialect") == [other]
    assert made(other[0] + "«»" + other[1:], "stf", "convert-dialect") == [one]


def test_a_conversion_says_what_is_lost() -> None:
    embed = "@«»user\nlook\n@# c\n@embed type=image\na.png\n"
    ((title, text),) = offers(embed, "stf", "convert-dialect")
    assert title == "Convert the chat to the `;` dialect, without its comments"
    assert text.startswith(";raw\n")
    assert "a.png" in text
    ((title, text),) = offers(embed.replace("@# c\n", ""), "stf", "convert-dialect")
    assert title == "Convert the chat to the `;` dialect"
    assert made(";«»meta\n{a: 1}\n;end\n;user\nx", "stf", "convert-dialect") == [
        "the `@` dialect has no place for metadata"
    ]
    assert made("@us«»er\n@@hi", "stf", "convert-dialect") == [";user\n@hi"]
    assert made("@us«»er\r\nhi\r\n", "stf", "convert-dialect") == [";user\nhi"]
    assert made("«»@user\nhi\n", "stf", "convert-dialect") == [";user\nhi"]
    assert made("hi\n@us«»er\nyes\n", "stf", "convert-dialect", Settings(default_role="ai")) == ["hi\n;user\nyes"]
    assert made("@«»user\n@nothing\n", "stf", "convert-dialect") == ["the chat has a mistake: S003 on line 2"]


def test_a_conversion_is_offered_on_command_lines_only() -> None:
    for marked in ("@user\nh«»i\n", "@user\n«hi»\n", "«@user»\n", "@# c«»\n@user\n"):
        assert made(marked, "stf", "convert-dialect") == []


@pytest.mark.parametrize(
    ("marked", "becomes"),
    [
        ("@user\n«@ai\nx\n»y\n", "@user\n@@ai\nx\ny\n"),
        ("@user\n«  x\n@/* c\n@@z\n»y\n", "@user\n  x\n@@/* c\n@@@z\ny\n"),
        (";user\n«;ai\n»", ";user\n;;ai\n"),
        ("@user\r\n«@ai\r\n»y\r\n", "@user\r\n@@ai\r\ny\r\n"),
        ("@user\na @«b\n@ai»\n", "@user\na @b\n@@ai\n"),
    ],
)
def test_pasted_lines_are_text(marked: str, becomes: str) -> None:
    assert made(marked, "stf", "escape-lines") == [becomes]


@pytest.mark.parametrize(
    "marked",
    ["@user\n«a\n»", "«@user\n»", "@user\n«@@a\n»", "@/*\n«@x\n»@*/\n", "@raw\n«@x\n»@end\n", "@user\n«»@ai\n"],
)
def test_lines_that_are_text_or_have_no_message_stay(marked: str) -> None:
    assert made(marked, "stf", "escape-lines") == []


@pytest.mark.parametrize(
    ("marked", "language_id", "becomes"),
    [
        ("«<think>x</think>»", "custom-blocks", "< think>x</think>"),
        ("<think>x«</think>»", "gadget", "<think>x< /think>"),
        ("a «!!!ARG:x» b", "gadget", "a !!! ARG:x b"),
        ("@user\n«!!!GADGET_START:A\n»", "stf", "@user\n !!! GADGET_START:A\n"),
        (
            "«!!!GADGET_START:A\n!!!ARG:a\n1\n!!!GADGET_END»",
            "gadget",
            " !!! GADGET_START:A\n !!! ARG:a\n1\n !!! GADGET_END",
        ),
    ],
)
def test_markers_and_tags_are_broken(marked: str, language_id: str, becomes: str) -> None:
    assert made(marked, language_id, "break-markers") == [becomes]


def test_a_broken_marker_is_no_misspelt_one() -> None:
    (broken,) = made("!!!GADGET_START:A\n!!!ARG:a\n«!!!ARG:b\n!!!GADGET_END\n»", "gadget", "break-markers")
    assert {each.code for each in check(broken, "gadget")} == {"G008"}
    assert " !!! ARG:b\n" in fix(broken, "gadget", unsafe=True).text


def test_what_is_broken_is_said() -> None:
    ((title, _),) = offers("«<think>x</think>»", "custom-blocks", "break-markers")
    assert title == "Break the selected tags with a blank: there is no escape"
    ((title, _),) = offers("<think>x«</think>»", "gadget", "break-markers")
    assert title == "Break the selected markers and tags with a blank: there is no escape"


def test_what_would_be_another_marker_with_a_blank_is_not_broken() -> None:
    call, chosen = "!!!S:G\n«!!!E\n»!!!E\n", Settings(markers=Markers("!!!S:", "!!!E", "!!! E"))
    assert made(call, "gadget", "break-markers", chosen) == []
    assert made(call, "gadget", "break-markers", Settings(markers=Markers("!!!S:", "!!!E", "!!!A"))) != []
    assert made("a «b» c", "gadget", "break-markers") == []


def test_comments_come_and_go() -> None:
    for one in ("@user\n«a\n\n b\n»c\n", ";user\n«a\n»", "@user\r\n«a\r\nb»\r\n"):
        header, text = one[0], one.replace("«", "").replace("»", "")
        lines, block = made(one, "stf", "toggle-comment")
        assert (
            lines.count(f"{header}# ")
            == one[one.index("«") : one.index("»")].replace("\r", "").strip().replace("\n\n", "\n").count("\n") + 1
        )
        start = lines.index(f"{header}#")
        end = len(lines) - len(text[one.index("»") - 1 :])
        assert made(f"{lines[:start]}«{lines[start:end]}»{lines[end:]}", "stf", "toggle-comment") == [text]
        at = block.index(f"{header}/*")
        assert made(f"{block[:at]}«»{block[at:]}", "stf", "uncomment-block") == [text]


@pytest.mark.parametrize("inside", ["@/* x\n@*/\n", "@/* x\n", "@*/\n"])
def test_lines_with_a_part_of_a_comment_block_become_no_block(inside: str) -> None:
    lines = "".join(f"@# {line}\n" for line in ["a", *inside.splitlines()])
    assert made(f"@user\n«a\n{inside}»b\n", "stf", "toggle-comment") == [f"@user\n{lines}b\n"]


def test_what_is_in_a_comment_block_is_commented() -> None:
    assert made("@/*\n«a\n»@*/\n", "stf", "toggle-comment") == []
    assert made("«@/*»\na\n@/*\nb\n@*/\nc\n@*/\n", "stf", "uncomment-block") == ["a\n@/*\nb\n@*/\nc\n"]
    assert made("@/* words«»\na\n@*/\n", "stf", "uncomment-block") == []
    assert made("@/*«»\na\n", "stf", "uncomment-block") == []
    assert made("@user\n«»a\n@/*\nb\n@*/\n", "stf", "uncomment-block") == []
    # a line of comment would begin with the byte-order mark
    assert made("«\ufeff@user\nb\n»", "stf", "toggle-comment") == []


SEARCH = GadgetSchema(
    "Search", "", {"type": "object", "properties": {"n": {"type": "number"}, "q": {"type": "string"}}}
)
COUNT = GadgetSchema("Count", "", {"type": "object", "properties": {"n": {"type": "number"}}})


def test_a_selection_becomes_the_value_of_a_gadget_that_takes_text() -> None:
    settings = Settings(gadgets=Gadgets.of((SEARCH, COUNT)))
    for around, language in (("a\n{}c\n", "gadget"), ("@ai\n@@a\n{}c\n", "stf"), ("<think>x</think>\n{}", "gadget")):
        (found,) = offers(
            around.format("«@@b\nbb\n»" if language == "stf" else "«b\nbb\n»"), language, "wrap-in-call", settings
        )
        assert found[0] == "Wrap the selection in a call of `Search`"
        value = "@@b\nbb\n" if language == "stf" else "b\nbb\n"
        assert found[1] == around.format(f"!!!GADGET_START:Search\n!!!ARG:q\n{value}!!!GADGET_END\n")


def test_a_line_that_would_be_the_arguments_of_a_call_is_not_escaped() -> None:
    text = "@ai\nLet me look.\n@call name=look\n@user{}\nDo!\n"
    assert made(text.replace("@user{}", "«@user»"), "stf", "escape-lines") == []
    # with a part of the line selected, too
    assert made(text.replace("{}\n", "«\n»"), "stf", "escape-lines") == []


def test_lines_of_which_some_stay_the_arguments_of_a_call_are_not_escaped() -> None:
    text = "@ai\n@call name=look\n«{}\n@user\nDo!\n@ai»\n"
    assert made(text, "stf", "escape-lines") == []
    text = text.replace("«", "").replace("Do!\n", "«Do!\n")
    assert made(text, "stf", "escape-lines") == ["@ai\n@call name=look\n{}\n@user\nDo!\n@@ai\n"]


def test_a_value_that_would_lose_a_return_becomes_no_json() -> None:
    # a command behind the call says that `\r\n` ends no line
    settings = Settings(default_role="user")
    text = "!!!GADGET_START:G\r\n!!!ARG:«»o/a\r\nx\r\ny\r\n!!!GADGET_END\r\n{}user\nHi\n"
    (json,) = made(text.format("@"), "stf", "arguments-to-json", settings)
    assert '"x\\ny"' in json
    assert made(text.format(";"), "stf", "arguments-to-json", settings) == []


def test_a_gadget_without_a_schema_takes_a_text() -> None:
    settings = Settings(gadgets=Gadgets.of((GadgetSchema("Note"),)))
    wrapped = "!!!GADGET_START:Note\n!!!ARG:text\nb\n!!!GADGET_END\n"
    assert offers("«b\n»", "gadget", "wrap-in-call", settings) == [("Wrap the selection in a call of `Note`", wrapped)]


@pytest.mark.parametrize("text", ["12345678901234567890", "12", "007", "1.50", "true", " x ", "text\n\n", "a ```"])
def test_a_text_that_the_runtime_would_change_is_not_wrapped(text: str) -> None:
    ((title, reason),) = offers(f"a\n«{text}»\nb\n", "gadget", "wrap-in-call")
    assert title == "Wrap the selection in a gadget call"
    kept = text.removesuffix("\n")
    value = read_calls(f"!!!GADGET_START:G\n!!!ARG:text\n{text}\n!!!GADGET_END", Markers())[0][0].parameters
    assert value is not None
    assert value["text"] != kept
    assert reason == f"the runtime would read {json.dumps(value['text'])}, not {json.dumps(kept)}"


def test_a_gadget_that_wants_text_gets_digits_as_text() -> None:
    wrapped = "a\n!!!GADGET_START:Search\n!!!ARG:q\n007\n!!!GADGET_END\nb\n"
    settings = Settings(gadgets=Gadgets.of((SEARCH,)))
    assert made("a\n«007\n»b\n", "gadget", "wrap-in-call", settings) == [wrapped]


def test_a_blank_line_behind_wrapped_lines_stays() -> None:
    call = "!!!GADGET_START:Name\n!!!ARG:text\nb\n!!!GADGET_END\n"
    assert made("a\n«b\n»\nc\n", "gadget", "wrap-in-call") == [f"a\n{call}\nc\n"]


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [
        (CALL.format("!!!ARG:a\n«1\n»"), "gadget"),
        ("«a" + CALL.format("") + "»", "gadget"),
        ("<think>«a»</think>", "gadget"),
        ("@us«er\n»a\n", "stf"),
        ("@user\n@# «a\n»", "stf"),
        ("«a\n»@user\n", "stf"),
        ("«  \n»", "gadget"),
        ("<think>«a»</think>", "custom-blocks"),
    ],
)
def test_what_is_no_free_text_is_not_wrapped(marked: str, language_id: str) -> None:
    assert made(marked, language_id, "wrap-in-call") == []
    assert made(marked, language_id, "wrap-in-block") == []


@pytest.mark.parametrize(
    ("around", "language_id"), [("a {} c", "custom-blocks"), ("a {} c", "gadget"), ("@ai\na {} c\n", "stf")]
)
def test_words_of_a_line_become_a_block_in_it(around: str, language_id: str) -> None:
    settings = Settings(tags=("note",))
    assert made(around.format("«b»"), language_id, "wrap-in-block", settings) == [around.format("<note>b</note>")]


@pytest.mark.parametrize(
    ("marked", "language_id", "becomes"),
    [
        ("a <note x=1>b</no«»te> c", "custom-blocks", "a b c"),
        ("«»<note>\nb\n</note>\n", "gadget", "b\n"),
        ("a <no«»te></note> b\n", "gadget", "a  b\n"),
        ("@ai\n<no«»te>b\n</note>\nc\n", "stf", "@ai\nb\nc\n"),
        ("«»<note>\nb\n  </note>", "custom-blocks", "b\n"),
    ],
)
def test_a_block_loses_its_tags(marked: str, language_id: str, becomes: str) -> None:
    title = "Remove the tags of this block `note`"
    assert offers(marked, language_id, "unwrap-block", Settings(tags=("note",))) == [(title, becomes)]


@pytest.mark.parametrize(
    "marked", ["<note>«»b</note>", "<no«»te>b", "<no«»te/>", "<other«»>b</other>", "<no«te>»b</note>"]
)
def test_what_has_no_two_tags_keeps_them(marked: str) -> None:
    assert made(marked, "custom-blocks", "unwrap-block", Settings(tags=("note",))) == []


@pytest.mark.parametrize("marked", ["<no«»te><note></note>", "<no«»te><note>\n</note><note>"])
def test_a_block_whose_text_would_begin_one_keeps_its_tags(marked: str) -> None:
    # in the second, the block that begins takes in the next: there are as many tags as there should be
    assert made(marked, "custom-blocks", "unwrap-block", Settings(tags=("note",))) == []


@pytest.mark.parametrize(
    "marked",
    [
        "@us«»er\na\n",
        "@ai\na\n@us«»er\nb\n",
        "@user\na\n@us«»er id=1\nb\n",
        "@raw\n{}\n@end\n@us«»er\nb\n",
        "@user\n!!!GADGET_START:A\n@us«»er\nb\n",
    ],
)
def test_messages_that_differ_are_not_joined(marked: str) -> None:
    assert made(marked, "stf", "join-message") == []


def test_messages_of_one_author_are_joined() -> None:
    assert made("@user name=A\n@@a\n@us«»er name=A\nb\n@ai\n", "stf", "join-message") == ["@user name=A\n@@a\nb\n@ai\n"]
    assert made(";user\n;u«»ser\nb", "stf", "join-message") == [";user\nb"]
    assert made("hi\n@us«»er\nb\n", "stf", "join-message", Settings(default_role="user")) == ["hi\nb\n"]
    assert made("hi\n@us«»er\nb\n", "stf", "join-message", Settings(default_role="ai")) == []


def test_a_message_that_stays_one_is_not_split() -> None:
    ask = asked("@user\na b«»\n", "stf")
    assert not is_split(RefactoredLines("@user\na b\n", ask), RefactoredLines("@user\na  b\n", ask))


def test_behind_an_open_bracket_no_block_begins() -> None:
    assert made("a <«b» c", "custom-blocks", "wrap-in-block", Settings(tags=("note",))) == []
    chosen = Settings(markers=Markers("<<<CALL:", "<<<END", "<<<ARG:"), tags=("note",))
    # the runtime reads a marker that ends no call as text
    assert made("<<<END«b» c", "gadget", "wrap-in-block", chosen) == []
    assert made("<<<END> «b» c", "gadget", "wrap-in-block", chosen) == ["<<<END> <note>b</note> c"]


@pytest.mark.parametrize(
    ("marked", "name", "becomes"),
    [
        ("@user\n<th«»ink>@ai\nfoo</think>\n", "unwrap-block", "@user\n@@ai\nfoo\n"),
        ("@user\n<th«»ink>@# c\nfoo</think>\n", "unwrap-block", "@user\n@@# c\nfoo\n"),
        ("@user\n<th«»ink>@/* c\nfoo</think>\n", "unwrap-block", "@user\n@@/* c\nfoo\n"),
        (";user\n<th«»ink>;flush\nfoo</think>\n", "unwrap-block", ";user\n;;flush\nfoo\n"),
        (";user\n<th«»ink>x\n</think>;flush\n", "unwrap-block", ";user\nx\n;;flush\n"),
        (
            "@ai\nx «@ai name=q»\nbye\n",
            "wrap-in-call",
            "@ai\nx \n!!!GADGET_START:Name\n!!!ARG:text\n@@ai name=q\n!!!GADGET_END\nbye\n",
        ),
        (
            "@ai\nmail «bob»@ai\nbye\n",
            "wrap-in-call",
            "@ai\nmail \n!!!GADGET_START:Name\n!!!ARG:text\nbob\n!!!GADGET_END\n@@ai\nbye\n",
        ),
        ("@ai\nx «@user\nbye\n»", "wrap-in-block", "@ai\nx \n<think>\n@@user\nbye\n</think>\n"),
        ("@user\n«@@x\n»", "wrap-in-block", "@user\n<think>\n@@x\n</think>\n"),
        ("@user\na «@ai»\n", "new-message", "@user\na \n@user\n@@ai\n"),
        ("@user\na «b»@ai\n", "new-message", "@user\na \n@user\nb\n@user\n@@ai\n"),
    ],
)
def test_text_that_comes_to_the_start_of_a_line_is_escaped(marked: str, name: str, becomes: str) -> None:
    assert made(marked, "stf", name)[:1] == [becomes]


def test_text_that_leaves_the_start_of_a_line_loses_its_escape() -> None:
    assert made("@user\n«@@x»\n", "stf", "wrap-in-block")[:1] == ["@user\n<think>@x</think>\n"]


@pytest.mark.parametrize(
    "marked",
    [
        ";user\na\n;extra\n{x: 1}\n;end\n;u«»ser\nb\n;extra\n{y: 2}\n;end\n",
        ";user\na\n;u«»ser\nb\n;extra\n{y: 2}\n;end\n",
        ";user\na\n;extra\n{x: 1}\n;end\n;u«»ser\nb\n",  # without a line end, the texts would become one word
    ],
)
def test_a_message_with_more_than_text_is_not_joined(marked: str) -> None:
    assert made(marked, "stf", "join-message") == []


@pytest.mark.parametrize(
    "marked",
    [
        ";user\na\n«b\n»;extra\n{x:1}\n;end\n",  # the extra would belong to an empty message
        "@user\n@# c\n«hello\n»",
        "@user\nhello\n«@# c\n»",
    ],
)
def test_no_empty_message_is_made(marked: str) -> None:
    assert made(marked, "stf", "new-message") == []


def test_what_is_no_content_of_the_new_block_is_not_wrapped() -> None:
    # the stray end would end the block, and another be stray
    assert made("«</think>» <think>", "custom-blocks", "wrap-in-block", Settings(tags=("think",))) == []


def test_a_call_that_others_wait_for_by_its_number_keeps_it() -> None:
    call = "!!!GADGET_START:A\n!!!GADGET_END\n"
    assert made(f"a «b» c\n{call}", "gadget", "wrap-in-call") != []
    assert made(f"a «b» c\n{call}{call.replace(':A', ':B:b:gadget_1')}", "gadget", "wrap-in-call") == []


@pytest.mark.parametrize(
    ("marked", "name"),
    [
        ("@ai\n!!!GADGET_START:A\n!!!GADGET_END\n@a«»i\n{}!!!GADGET_START:C:c:{}\n!!!GADGET_END\n", "join-message"),
        ("@ai\n!!!GADGET_START:A\n!!!GADGET_END\n«{}»text\n!!!GADGET_START:C:c:{}\n!!!GADGET_END\n", "new-message"),
    ],
)
def test_a_call_waits_for_the_same_one_in_another_message(marked: str, name: str) -> None:
    # in each message, those without an id are counted
    numbered = "!!!GADGET_START:B\n!!!GADGET_END\n"
    assert made(marked.format(numbered, ""), "stf", name) != []
    assert made(marked.format(numbered, "gadget_1"), "stf", name) == []


def test_words_beside_a_resource_become_a_block() -> None:
    text = "@ai\n@embed type=image\na.png\nsome {} here\n"
    (found, *_) = made(text.format("«words»"), "stf", "wrap-in-block")
    assert found == text.format("<think>words</think>")


@pytest.mark.parametrize(("dialect", "newline"), [(";", "\\r\\n"), ("@", "\\n")])
def test_text_for_a_default_role_has_the_line_ends_of_its_dialect(dialect: Literal["@", ";"], newline: str) -> None:
    text = "!!!GADGET_START:G\r\n!!!ARG:«»o/name\r\nAda\r\nHello\r\n!!!GADGET_END\r\n"
    (made_one,) = made(text, "stf", "arguments-to-json", Settings(dialect=dialect, default_role="x"))
    assert f'"Ada{newline}Hello"' in made_one


def test_a_call_in_a_message_that_holds_none_is_no_call() -> None:
    settings = Settings(gadget_roles=("assistant",))
    assert made("@user\nlook «here»\n", "stf", "wrap-in-call", settings) == []
    assert made("@ai\nlook «here»\n", "stf", "wrap-in-call", settings) != []


def test_the_first_words_of_a_line_become_a_block_in_it() -> None:
    assert made("@ai\n«x» y\n", "stf", "wrap-in-block")[0] == "@ai\n<think>x</think> y\n"


def test_elements_are_numbered_from_their_pointers_only() -> None:
    call = CALL.format("!!!ARG:i/1\nx\n")
    for marked in (call.replace("x", "«»x"), call.replace("START:", "START:«»"), "«»a\n" + call):
        assert made(marked, "gadget", "renumber") == []
    assert made(call.replace("i/1", "i«»/1"), "gadget", "renumber") == [call.replace("i/1", "i/0")]


def test_a_conversion_keeps_its_comments_where_the_last_line_is_an_escape() -> None:
    assert made("@us«»er\n@# why\n@@\n", "stf", "convert-dialect") == [";user\n;# why\n@"]


LONG = "some words\n" * 7000


def test_a_long_chat_is_converted_later() -> None:
    ask = asked(f"@us«»er\n@# why\n{LONG}", "stf")
    ((title, edits),) = [
        (offer.title, offer.edits) for row, offer in refactorings(ask) if row.name == "convert-dialect"
    ]
    assert not edits
    later = made_later(ask, "convert-dialect", title)
    assert later is not None
    assert edited(ask.document.text, later.edits).startswith(";user\n;# why\nsome words\n")


@pytest.mark.parametrize(("before", "behind", "count"), [(LONG, LONG, 0), (LONG + "@user\n", "@ai\n" + LONG, 1)])
def test_words_of_a_long_chat_are_wrapped_where_their_message_is_short(before: str, behind: str, count: int) -> None:
    assert len(made(f"@user\n{before}see «these words» here\n{behind}", "stf", "wrap-in-call")) == count


def test_a_message_with_an_argument_that_nobody_reads_is_not_joined() -> None:
    assert made("@us«»er\nHello\n@user name=\nHello\n", "stf", "join-message") == []
    assert made("@user\nHello\n@us«»er name=\nHello\n", "stf", "join-message") == []
    assert made("@user\nHello\n@us«»er\nHello\n", "stf", "join-message") != []


def test_the_message_of_a_long_chat_is_the_one_around_the_selection() -> None:
    assert made(f"@user\n{LONG}@ai\na\n«b\n»", "stf", "new-message") == [f"@user\n{LONG}@ai\na\n@ai\nb\n"]
    assert made(f"@ai\na\n«b\n»{LONG}", "stf", "new-message") == []


@pytest.mark.parametrize(
    ("language_id", "name", "marked"),
    [
        ("gadget", "wrap-in-call", "«{}»"),
        ("custom-blocks", "unwrap-block", "<thi«»nk>{}</think>"),
        ("stf", "convert-dialect", "@us«»er\n{}"),
        ("stf", "toggle-comment", "«@# {}»"),
        ("stf", "escape-lines", "@user\n«@ai {}»"),
        ("gadget", "break-markers", "!!!GADGET_START:G\n!!!ARG:a\n{}«!!!GADGET_END»"),
    ],
)
def test_what_is_longer_than_is_read_is_left_alone(language_id: str, name: str, marked: str) -> None:
    before, after = marked.split("{}")
    counted = before.partition("«")[2] + after.partition("»")[0] if "«»" not in marked else marked
    if name == "break-markers":
        counted = before
    size = LONGEST - len(re.sub("[«»]|{}", "", counted))
    edits = [
        [
            bool(offer.edits)
            for each, offer in refactorings(asked(before + "x" * more + after, language_id))
            if each.name == name
        ]
        for more in (size, size + 1)
    ]
    assert edits == [[True], [False]] if name == "convert-dialect" else [[True], []]


def test_a_selection_is_wrapped_in_the_first_eight_gadgets_and_tags() -> None:
    names = [f"a{number}" for number in range(9)]
    settings = Settings(gadgets=Gadgets.of([GadgetSchema(each) for each in names]), tags=tuple(names))
    assert len(made("«b\n»", "gadget", "wrap-in-call", settings)) == 8
    assert len(made("«b\n»", "gadget", "wrap-in-block", settings)) == 8


def test_made_lines_end_as_those_around_them() -> None:
    json = '!!!GADGET_START:G\r\n{"a": «»1}\r\n!!!GADGET_END\r\n'
    assert made("@ai\r\n" + json, "stf", "json-to-arguments") == [
        "@ai\r\n!!!GADGET_START:G\r\n!!!ARG:a\r\n1\r\n!!!GADGET_END\r\n"
    ]
    (block, *_) = made("a\r\n«b\r\n»", "custom-blocks", "wrap-in-block")
    assert block == "a\r\n<think>\r\nb\r\n</think>\r\n"


def test_the_tokens_of_a_stretch_have_text_in_it() -> None:
    ask = asked("@user\n@@x«»\n", "stf")
    assert [(start, end) for _, start, end in tokens_of(ask.document, 7, 8)] == [(7, 10)]
    assert [(start, end) for _, start, end in tokens_of(ask.document, 6, 8)] == [(6, 7), (7, 10)]
    assert said_in(asked("@user\n«@@x»\n", "stf")) == "@x"
