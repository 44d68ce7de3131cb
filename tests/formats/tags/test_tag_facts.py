"""Each of T001 to T010: the text that has it, and the nearest text that has not."""

from __future__ import annotations

import pytest
from hypothesis import given

from formats.tags.tag_pieces import NAMES, texts
from llmblocks.core.document import Document
from llmblocks.core.layered import Layered
from llmblocks.gadget.editor.scanner import GadgetScanner
from llmblocks.tags.editor.problems import Fact, _has_odd_tags, _in_tag, facts
from llmblocks.tags.editor.scanner import TagScanner
from llmblocks.tags.editor.view import tags

TAGS = ("think", "citation", "done", "b1")


def found(text: str) -> list[tuple[str, str]]:
    """The facts of a text: their kind, and the text they point at."""
    document = Document(TagScanner(TAGS), text)
    return [
        (fact.kind, placed.section.text[fact.start : fact.end])
        for placed in document.placed()
        for fact in facts(placed.section, TAGS)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # T001
        ("a<think x=1>b", [("unclosed-block", "<think x=1>")]),
        ("a<think x=1>b</think>", []),
        ("a<think x=1", []),
        ("<done/>", []),
        # T002
        ("a</think>b", [("stray-closing-tag", "</think>")]),
        ("<think>a</think></think>", [("stray-closing-tag", "</think>")]),
        ("a</thinker></b>", []),
        ("a</think b", []),
        # T003
        ("<think>a</think >b</think>", [("spaced-closing-tag", "</think >")]),
        ("<think>a</ think>b</think>", [("spaced-closing-tag", "</ think>")]),
        ("<think>a< /think\n>b</think>", [("spaced-closing-tag", "< /think\n>")]),
        ("<think>a</done >b</think>", []),
        # T004
        ("<Think>", [("misspelt-tag", "Think")]),
        ("<thnik>x", [("misspelt-tag", "thnik")]),
        ("<citaton x=1>", [("misspelt-tag", "citaton")]),
        ("<ctaton/>", [("misspelt-tag", "ctaton")]),
        ("</Done>", [("misspelt-tag", "Done")]),
        ("<think>a</THINK>b</think>", [("misspelt-tag", "THINK")]),
        ("<b><thinking><code><br/><i><B>", []),
        ("<think>a</done>b<Think></think>", []),
        ("a <Think", []),
        # T005
        ("<think>a<think>b</think>", [("nested-same-tag", "<think")]),
        ("<think>a<think x=1>b</think>", [("nested-same-tag", "<think")]),
        ("<think>a<think/>b<done>c</think>", []),
        # T006
        ('<think a="x>y">z</think>', [("angle-bracket-in-attribute", ">")]),
        ("<think a='x>z</think>", [("angle-bracket-in-attribute", ">")]),
        ("<think a=x>y</think>", []),
        ('<think a="x" b="y">z</think>', []),
        # T007
        ('<done a="1" b a=2/>', [("duplicate-attribute", 'a="1"')]),
        ("<done a A/>", []),
        # T008
        ("<done a=http://x b=1/>", [("slash-ends-unquoted-value", "http://x")]),
        ("<done a=/x/>", [("slash-ends-unquoted-value", "/x")]),
        ("<done a=x/>", []),
        ("<done a='x/y' b/c/>", []),
        # T009
        ("<<think>x", [("swallowed-opening-bracket", "<think")]),
        ("a<b<done/>", [("swallowed-opening-bracket", "<done")]),
        ("<think>a</</think>b</think>", [("swallowed-opening-bracket", "</think>")]),
        ("<<<done/>", []),
        ("</<done/>", []),
        # T010
        ("<done / >x</done>", [("spaced-self-closing", "/ >")]),
        ("<done a=1/ >x</done>", [("spaced-self-closing", "/ >")]),
        ("<done />", []),
        ("<done / x>y</done>", []),
    ],
)
def test_a_text_has_these_facts(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


def test_a_fact_knows_what_was_meant_and_where_the_other_place_is() -> None:
    section = Document(TagScanner(TAGS), "<done a=1 a=2>x</Done>").section_at(0).section
    assert facts(section, TAGS) == (
        Fact("unclosed-block", 0, 14, "done"),
        Fact("duplicate-attribute", 6, 9, "a", "", (10, 13)),
        Fact("misspelt-tag", 17, 21, "Done", "done", (0, 14)),
    )


def test_the_facts_of_an_unchanged_section_are_computed_once() -> None:
    section = Document(TagScanner(TAGS), "</think>").section_at(0).section
    assert facts(section, TAGS) is facts(section, ("think", "citation", "done", "b1"))
    assert facts(section, ("think",)) is not facts(section, TAGS)


def test_tags_in_the_text_of_a_gadget_file_have_facts() -> None:
    text = "<<think>\n!!!GADGET_START:a\n!!!ARG:x\n</think>\n!!!GADGET_END\n</think>"
    document = Document(Layered(GadgetScanner(), TagScanner(TAGS)), text)
    assert [
        (fact.kind, placed.start + fact.start) for placed in document.placed() for fact in facts(placed.section, TAGS)
    ] == [
        ("swallowed-opening-bracket", 1),
        ("stray-closing-tag", text.rindex("</think>")),
    ]


@given(texts)
def test_no_text_breaks_the_facts_and_the_places_are_right(text: str) -> None:
    for scanner in (TagScanner(NAMES), Layered(GadgetScanner(), TagScanner(NAMES))):
        for section in Document(scanner, text).sections:
            for fact in facts(section, NAMES):
                assert 0 <= fact.start < fact.end <= section.length
            for tag in tags(section):
                assert section.slice(tag.name, tag.name_end) == tag.tag
                assert tag.start < tag.name_end <= tag.bracket <= tag.end <= tag.content_end <= tag.block_end
                for attribute in tag.attributes:
                    assert section.slice(attribute.start, attribute.name_end) == attribute.name


@given(texts)
def test_a_usual_tag_has_nothing_odd_that_is_overlooked(text: str) -> None:
    for section in Document(TagScanner(NAMES), text).sections:
        whole = section.text
        if not _has_odd_tags(whole, list(section.spans())):
            assert not [fact for tag in tags(section) for fact in _in_tag(whole, tag)]
