"""The tokens of tags and their attributes; and rules where a Markdown file cannot show it (see tests/rules/T001.md)."""

from __future__ import annotations

import pytest
from hypothesis import given

from formats.tags.tag_pieces import NAMES, texts
from llmblocks import Finding, Settings, Severity, check
from llmblocks.core.document import Document
from llmblocks.settings.rule_names import BY_CODE
from llmblocks.tags import CustomBlock, TagHandler, TagStream
from llmblocks.tags.editor.blocks import begun_in
from llmblocks.tags.scanner import TagScanner
from llmblocks.tags.syntax import parse_attributes


def shown(text: str, *names: str) -> list[tuple[str, str]]:
    document = Document(TagScanner(names or NAMES), text)
    at = 0
    found = []
    for kind, width in document.tokens():
        found.append((kind.name, text[at : at + width]))
        at += width
    return found


def test_a_block_and_its_attributes() -> None:
    assert shown("a<think k=\"v\" b='w'c = 1 d>x</think>y") == [
        ("text", "a"), ("opening-bracket", "<"), ("tag-name", "think"), ("gap", " "),
        ("attribute", "k"), ("equals", "="), ("quote", '"'), ("attribute-value", "v"), ("quote", '"'), ("gap", " "),
        ("attribute", "b"), ("equals", "="), ("quote", "'"), ("attribute-value", "w"), ("quote", "'"),
        ("attribute", "c"), ("gap", " "), ("equals", "="), ("gap", " "), ("attribute-value", "1"), ("gap", " "),
        ("attribute", "d"), ("opened", ">"), ("content", "x"), ("closing-bracket", "</"), ("tag-name", "think"),
        ("closed", ">"), ("text", "y"),
    ]  # fmt: skip


def test_a_slash_before_the_bracket_closes_also_inside_a_quoted_value() -> None:
    assert shown('<done a="x/>')[-3:] == [("quote", '"'), ("attribute-value", "x"), ("self-closed", "/>")]
    assert shown("<done/>")[-2:] == [("tag-name", "done"), ("self-closed", "/>")]
    assert shown("<done/ >")[-2:] == [("gap", "/ "), ("opened", ">")]


def test_no_registered_tags_is_all_text() -> None:
    assert [name for name, _ in shown("<think>x</think><", "1t")] == ["text"]


@given(texts)
def test_the_blocks_of_a_document_are_those_of_the_stream(text: str) -> None:
    stream = TagStream({name: TagHandler() for name in NAMES})
    streamed = [delta for delta in stream.feed(text) + stream.flush() if isinstance(delta, CustomBlock)]
    sections = Document(TagScanner(NAMES), text).sections
    blocks = [block for section in sections for block in begun_in(section) if block.ended]
    assert [CustomBlock(each.tag, each.content or "", each.values, each.self_closing) for each in blocks] == streamed


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("a=1\u00a0", "1"), ("a=1\u0085", "1\u0085"), ("a=1\x1c", "1\x1c"), ("a=1\ufeff", "1"), ("a = \t\r\n1", "1")),
        *(('a="x ', "x"), ('a="x " ', "x "), ("a= ", ""), ("a=b=c", "b=c"), ("a==b", "=b"), ("a\u00a0=1", "")),
    ],
)
def test_a_value_is_trimmed_as_the_reference_trims_it(text: str, value: str) -> None:
    assert parse_attributes(text) == {"a": value}
    assert parse_attributes(f"__proto__=1 constructor=2 {text}") == {"constructor": "2", "a": value}


@given(texts)
def test_attributes_with_places_are_the_attributes(text: str) -> None:
    for section in Document(TagScanner(NAMES), text).sections:
        for tag in begun_in(section):
            whole, values = section.text, {}
            for each in tag.attributes:
                assert whole[each.start : each.name_end] == each.name
                values[each.name] = whole[each.value : each.value_end]
                if each.quote:
                    assert whole[each.value - 1] == each.quote
                    assert each.closed == (each.end == each.value_end + 1)
                    assert not each.closed or whole[each.value_end] == each.quote
            values.pop("__proto__", None)
            assert {name: value.rstrip() for name, value in values.items()} == {
                name: value.rstrip() for name, value in tag.values.items()
            }


TAGS = ("think", "citation", "done", "b1")


def problems(text: str, names: tuple[str, ...] = TAGS, language_id: str = "custom-blocks") -> tuple[Finding, ...]:
    return check(text, language_id, Settings(tags=names, select=("T0",)))


def found(text: str) -> list[tuple[str, str]]:
    """Return the names of the problems of a text, and what they point at."""
    return [(BY_CODE[each.code].name, text[each.start : each.end]) for each in problems(text)]


def test_a_block_of_a_message_ends_with_it() -> None:
    chat = "@ai\n<think>a\n@user\nb\n@ai\n<think>c\n"
    first, second = [each.message for each in check(chat, "stf") if each.code == "T001"]
    assert "all text from here to the end of its message is its content" in first
    assert "all text from here to the end is its content" in second


def test_a_guess_is_not_a_warning() -> None:
    severities = {"<Think>": Severity.WARNING, "<thing> ": Severity.INFORMATION, "</thnik>": Severity.INFORMATION}
    for text, severity in severities.items():
        assert [each.severity for each in check(text, "custom-blocks") if each.code == "T004"] == [severity]
    assert [each.severity for each in check("<think>a</thnik></think>", "custom-blocks")] == [Severity.WARNING]


def test_a_problem_knows_what_was_meant_and_where_the_other_place_is() -> None:
    found = problems("<done a=1 a=2>x</Done>")
    assert [(each.code, each.start, each.end, dict(each.data)) for each in found] == [
        ("T001", 0, 14, {"tag": "done"}),
        ("T007", 6, 9, {"attribute": "a", "same": False}),
        ("T004", 17, 21, {"name": "Done", "better": "done"}),
    ]
    assert [(each.start, each.end) for each in found[1].related] == [(10, 13)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("text\n<done a='x\ny'\n a='x\ny'>z</done>", [("duplicate-attribute", "a='x\ny'")]),
        ("<done a\n=\n1 a=2/>\n<b1\nc c/>", [("duplicate-attribute", "a\n=\n1"), ("duplicate-attribute", "c")]),
        ("<think\r\nx=1>\r\nb", [("unclosed-block", "<think")]),
    ],
)
def test_an_attribute_over_several_lines_is_marked_whole(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


def test_the_spaces_at_the_end_of_a_list_are_read_once() -> None:
    # from each of them to the last one, it would take a quarter of an hour
    spaces = " " * 500_000
    assert found(f"<done a=1{spaces}/>") == []
    assert [what for what, _ in found(f"<done a=1 a=2{spaces}/>")] == ["duplicate-attribute"]
