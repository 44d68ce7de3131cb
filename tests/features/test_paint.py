"""Return the coloured texts with their roles."""

from __future__ import annotations

import pytest

from llmblocks.features.marks import paint
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS, Settings


def colours(text: str, language_id: str, settings: Settings | None = None) -> list[tuple[str, str]]:
    language, settings = find_language(language_id), settings or DEFAULTS
    document = language.open(text, settings)
    return [
        (each.role, placed.section.text[each.start : each.end])
        for placed in document.placed()
        for each in paint(placed.section, language.paints(settings).by_kind)
    ]


def modified(text: str, language_id: str) -> list[tuple[str, str]]:
    """Return the texts with these modifiers."""
    language = find_language(language_id)
    return [
        (placed.section.text[each.start : each.end], " ".join(each.modifiers))
        for placed in language.open(text, DEFAULTS).placed()
        for each in paint(placed.section, language.paints(DEFAULTS).by_kind)
        if each.modifiers
    ]


def test_a_call_shows_its_markers_names_and_pointers() -> None:
    text = "see !!!GADGET_START:Write:w1: a ,b\n!!!ARG:files/0/path\nx 1 true\n!!!GADGET_END\n"
    assert colours(text, "gadget") == [
        ("keyword", "!!!GADGET_START:"),
        ("function", "Write"),
        ("variable", "w1"),
        ("variable", "a"),
        ("variable", "b"),
        ("keyword", "!!!ARG:"),
        ("property", "files"),
        ("number", "0"),
        ("property", "path"),
        ("keyword", "!!!GADGET_END"),
    ]


def test_custom_markers_are_coloured_and_the_defaults_are_not() -> None:
    settings = Settings(markers=Markers("<<<START:", "<<<END:", "@param:"))
    text = "<<<START:G\n@param:a\n1\n<<<END:\n!!!GADGET_START:H\n"
    assert [text for role, text in colours(text, "gadget", settings) if role == "keyword"] == [
        "<<<START:",
        "@param:",
        "<<<END:",
    ]


@pytest.mark.parametrize(("language_id", "front"), [("gadget", ""), ("stf", "@ai\n")])
def test_the_grammars_of_editors_give_way_to_custom_markers(language_id: str, front: str) -> None:
    settings = Settings(markers=Markers("<<<START:", "<<<END:", "<<<ARG:"))
    text = (
        f"{front}!!!GADGET_START:H\n!!!ARG:a\n2\n<think>x</think>\n<<<START:G\n<<<ARG:a\n!!!ARG:b\n<<<END:\n<<<ARG:\n"
    )
    found = colours(text, language_id, settings)
    # what only looks like a call is text, and what looks like an argument in a value is part of it
    assert [each for role, each in found if role == "text"] == ["!!!GADGET_START:H", "!!!ARG:a", "2", "x", "<<<ARG:"]
    assert [each for role, each in found if role == "string"] == ["!!!ARG:b"]
    assert ("type", "think") in found
    assert not [each for role, each in colours(text, language_id) if role == "text"]


@pytest.mark.parametrize(
    ("language_id", "front"), [("custom-blocks", ""), ("gadget", ""), ("stf", "@ai\n"), ("gadget", "<citation>")]
)
def test_the_grammars_of_editors_give_way_to_other_tags(language_id: str, front: str) -> None:
    text = f"{front}a <think n='1'>x</think> <thinker> </answer\n<citation>y</citation>"
    found = colours(text, language_id, Settings(tags=("citation",)))
    assert [each for role, each in found if role == "text"] == ["<think n='1'>", "</think>", "<thinker>", "</answer"]
    assert ("type", "citation") in found
    more = colours(text, language_id, Settings(tags=(*DEFAULTS.tags, "citation")))
    assert [each for role, each in more if role == "text"] == ["<thinker>"]


def test_a_definition_and_a_directive_have_modifiers() -> None:
    assert modified("!!!GADGET_START:Write:w1:a\n", "gadget") == [("w1", "declaration readonly")]
    text = "@user id=q1 name=Ada\n@# llmblocks: ignore[S001]\n@# plain\n@tool call_id=c1\n"
    assert modified(text, "stf") == [("q1", "declaration readonly"), ("# llmblocks: ignore[S001]", "documentation")]
    assert modified("<think id='a'>x</think>", "custom-blocks") == []
    assert modified("@ai\n!!!GADGET_START:Write:w1:a\n", "stf") == [("w1", "declaration readonly")]
    assert ("variable", "c1") in colours(text, "stf")
    assert ("function", "f") in colours("@ai\n@call name=f id=1\n{}\n", "stf")


def test_what_the_runtime_drops_is_a_comment() -> None:
    assert ("comment", "well") in colours("!!!GADGET_START:A\nwell\n!!!ARG:a\n1\n", "gadget")


def test_a_header_that_never_ends_is_text() -> None:
    assert colours("see !!!GADGET_START:Write:w1", "gadget") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@ai name=x\n", [("keyword", "@"), ("keyword", "ai"), ("property", "name"), ("string", "x")]),
        ("@msg {role: 'a'}\n", [("keyword", "@"), ("keyword", "msg"), ("property", "role"), ("string", "'a'")]),
        ("@user\n@@x\n", [("keyword", "@"), ("keyword", "user"), ("keyword", "@")]),
        ("@# a\r\n", [("comment", "@"), ("comment", "# a")]),
        ("; // a\n", [("comment", ";"), ("comment", "// a")]),
        (
            "@ /* a\n@*/\n",
            [("comment", "@"), ("comment", "/*"), ("comment", " a"), ("comment", "@"), ("comment", "*/")],
        ),
        ("@*/\n", [("keyword", "@")]),
        ("@what x\n", [("keyword", "@")]),
    ],
)
def test_a_command_line_shows_its_name_and_arguments(text: str, expected: list[tuple[str, str]]) -> None:
    assert colours(text, "stf") == expected


def test_arguments_after_a_byte_order_mark_are_coloured() -> None:
    assert colours("\ufeff@user name=''\n", "stf") == colours("@user name=''\n", "stf")


def test_a_comment_block_is_coloured_line_by_line() -> None:
    found = colours("@/* one\r\ntwo\n\n@*/ three\n", "stf")
    assert [text for role, text in found if role == "comment"] == ["@", "/*", " one", "two", "@", "*/", " three"]


def test_a_tag_shows_its_name_and_attributes() -> None:
    found = colours("a <think n='1' b>x</think>\n", "custom-blocks")
    assert [(role, text) for role, text in found if role not in ("operator",)] == [
        ("type", "think"),
        ("property", "n"),
        ("string", "'"),
        ("string", "1"),
        ("string", "'"),
        ("property", "b"),
        ("type", "think"),
    ]


def test_json5_shows_its_keys_strings_numbers_keywords_and_comments() -> None:
    text = "@raw\n{role: 'ai', \"n\" : [-1.5, true], // a 'b'\n x: null, y: ai} /* c\n * d: 1 */\n@end\n"
    assert [each for each in colours(text, "stf") if each[1] not in ("@", "raw", "end")] == [
        ("property", "role"),
        ("string", "'ai'"),
        ("property", '"n"'),
        ("number", "-1.5"),
        ("keyword", "true"),
        ("comment", "// a 'b'"),
        ("property", "x"),
        ("keyword", "null"),
        ("property", "y"),
        ("comment", "/* c"),
        ("comment", " * d: 1 */"),
    ]


@pytest.mark.parametrize(
    "text", ["@ai\n@call name=f\n{a: 1}\n", "; \n;extra\n{a: 1}\n;end\n", "@msg {role:\n@msg {a: 1}\n"]
)
def test_the_json5_of_each_command_is_coloured(text: str) -> None:
    found = colours(text, "stf")
    assert ("property", "a") in found
    assert ("number", "1") in found


def test_nested_values_of_arguments_are_coloured() -> None:
    found = colours("@msg {id: 'q', name: {id: 'x', b: [true, 'y']}}\n", "stf")
    assert [each for each in found if each[0] != "property"][2:] == [
        ("variable", "'q'"),
        ("string", "'x'"),
        ("keyword", "true"),
        ("string", "'y'"),
    ]


@pytest.mark.parametrize("text", ["@user\n@embed\nhttps://x/1: true\n", "@user\n{a: 1}\n", "@raw\n" + "1" * 70_000])
def test_what_is_not_a_json5_is_not_coloured_as_such(text: str) -> None:
    assert {role for role, _ in colours(text, "stf")} == {"keyword"}
