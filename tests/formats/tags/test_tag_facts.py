"""The rules T001 to T010 where a Markdown file cannot show it. See tests/rules/T001.md to T010.md for the others."""

from __future__ import annotations

import pytest
from hypothesis import given

from formats.tags.tag_pieces import NAMES, texts
from llmblocks import Severity, check
from llmblocks.core.document import Document
from llmblocks.core.index import Index
from llmblocks.core.layered import Layered
from llmblocks.core.scan import Scanner
from llmblocks.facts.problem import Problem
from llmblocks.gadget.scanner import GadgetScanner
from llmblocks.rules.name_findings import NameFindings, NameRule
from llmblocks.tags.editor.blocks import begun_in
from llmblocks.tags.editor.layer import CHECK, open_blocks_in
from llmblocks.tags.editor.problems import facts
from llmblocks.tags.rules import RULES
from llmblocks.tags.scanner import TagScanner

TAGS = ("think", "citation", "done", "b1")


ALL = frozenset(RULES)


def problems(scanner: Scanner, text: str, names: tuple[str, ...] = TAGS) -> list[Problem]:
    """Return the problems of a text in their order, places counted from its start."""
    told = facts(names)
    found: list[Problem] = []
    document = Document(scanner, text)
    rules = (NameRule(CHECK, CHECK.rule.severity),)
    for each in NameFindings(document, Index(document.sections, open_blocks_in), rules).findings():
        kind = next(kind for kind in ALL if kind.code == each.code)
        found.append(Problem(kind, each.start, each.end, each.data, each.related))
    for placed in document.placed():
        found += [problem.moved(placed.start) for problem in told.problems(placed.section)]
    return sorted(found, key=lambda problem: (problem.start, problem.end))


def found(text: str) -> list[tuple[str, str]]:
    """Return the names of the problems of a text, and what they point at."""
    return [(each.rule.name, text[each.start : each.end]) for each in problems(TagScanner(TAGS), text)]


@pytest.mark.parametrize(
    ("text", "expected"), [("<think>a< /think\t>b</think>", [("spaced-closing-tag", "< /think\t>")]), ("a <Think", [])]
)
def test_text_has_these_facts(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


WORDS = (
    ("<done a=x/y>z</done>", "ends at its first '/' — the rest is read as other attributes ('y'); quote the value"),
    ("<done a=x/1>z</done>", "ends at its first '/' — the rest is lost; quote the value"),
    ("<done a=/b/c/d/e/f>z</done>", "the rest is read as other attributes ('b', 'c', 'd', …); quote the value"),
    ('<think a="x/>y">', "'/>' closes the tag inside the value of 'a' — the rest of the tag is visible text; "),
    ('<think a="x>y">', "'>' ends the tag inside the value of 'a' — the rest of the tag is content; "),
)


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_a_message_says_what_becomes_of_the_rest(text: str, words: str) -> None:
    messages = [str(each.message) for each in problems(TagScanner(TAGS), text)]
    assert any(words in message for message in messages), messages


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
    found = problems(TagScanner(TAGS), "<done a=1 a=2>x</Done>")
    assert [(each.rule.code, each.start, each.end, dict(each.data)) for each in found] == [
        ("T001", 0, 14, {"tag": "done"}),
        ("T007", 6, 9, {"attribute": "a", "same": False}),
        ("T004", 17, 21, {"name": "Done", "better": "done"}),
    ]
    assert [(each.start, each.end) for each in found[1].related] == [(10, 13)]


@pytest.mark.parametrize(
    "text",
    [
        "List<Done> and Vec<Think>",  # types of a program
        "<thinks>x</thinks>",  # another word
        "<think>\na <think\nb</think>",
        '<done\na="1"\nb="2"/>',
        '<done\na="1\na="\n/>',
    ],
)
def test_a_text_has_nothing_that_is_reported(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<done\na="1"\na="2"/>', [("duplicate-attribute", 'a="1"')]),
        ("<done\n  a=x/y\n  b=1\n/>", [("slash-ends-unquoted-value", "x/y")]),
        ("<done\na=1\n/ >x</done>", [("spaced-self-closing", "/ >")]),
        ("<done\na='x\ny>z</done>", [("angle-bracket-in-attribute", ">")]),
        ("text\n<done a='x\ny'\n a='x\ny'>z</done>", [("duplicate-attribute", "a='x\ny'")]),
        ("<done a\n=\n1 a=2/>\n<b1\nc c/>", [("duplicate-attribute", "a\n=\n1"), ("duplicate-attribute", "c")]),
    ],
)
def test_a_list_over_several_lines_is_judged(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


def test_a_list_that_a_call_interrupts_is_not_judged() -> None:
    text = "<done a=1\n{}a=2/>\n"
    scanner = Layered(GadgetScanner(), TagScanner(TAGS))
    assert [each.rule.code for each in problems(scanner, text.format(""))] == ["T007"]
    assert problems(scanner, text.format("!!!ARG:x\n")) == []


@pytest.mark.parametrize(("lines", "count"), [(6000, 1), (7000, 0)])
def test_a_very_long_list_over_several_lines_is_not_judged(lines: int, count: int) -> None:
    text = "<done a=1\n" + "b=2 c=345\n" * lines + "a=2/>"
    assert len([each for each in found(text) if each[1] == "a=1"]) == count


def test_the_spaces_at_the_end_of_a_list_are_read_once() -> None:
    """Read from each of them to the last one, half a million would take a quarter of an hour."""
    spaces = " " * 500_000
    assert found(f"<done a=1{spaces}/>") == []
    assert [what for what, _ in found(f"<done a=1 a=2{spaces}/>")] == ["duplicate-attribute"]


def test_an_unclosed_block_is_reported_on_one_line() -> None:
    assert found("<think\r\nx=1>\r\nb") == [("unclosed-block", "<think")]


def test_tags_in_the_text_of_a_gadget_file_have_problems() -> None:
    text = "<<think>\n!!!GADGET_START:a\n!!!ARG:x\n</think>\n!!!GADGET_END\n</think>"
    found = problems(Layered(GadgetScanner(), TagScanner(TAGS)), text)
    assert [(each.rule.name, each.start) for each in found] == [
        ("swallowed-opening-bracket", 1),
        ("stray-closing-tag", text.rindex("</think>")),
    ]


def test_a_block_that_a_call_interrupts_is_not_unclosed() -> None:
    text = "<think>\n!!!GADGET_START:a\n!!!GADGET_END\n</think>\n"
    assert problems(Layered(GadgetScanner(), TagScanner(TAGS)), text) == []


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("<think>\n!!!GADGET_START:a\n!!!GADGET_END\nmore\n", [0]),
        ("<think>\n!!!GADGET_START:a\n!!!GADGET_END\n</think> <think>\n!!!GADGET_START:a\n", [49]),
        ("<think \n!!!GADGET_START:a\n!!!GADGET_END\n>x", [0]),
        ("<think \n!!!GADGET_START:a\n!!!GADGET_END\n/>x", []),
        ("<think \n!!!GADGET_START:a\n!!!GADGET_END\n", []),
        ("<think>", [0]),
    ],
)
def test_a_block_that_nothing_closes_is_reported_around_calls(text: str, marked: list[int]) -> None:
    found = problems(Layered(GadgetScanner(), TagScanner(TAGS)), text)
    assert [each.start for each in found if each.rule.code == "T001"] == marked


@given(texts)
def test_no_text_breaks_the_facts_and_the_places_are_right(text: str) -> None:
    for scanner in (TagScanner(NAMES), Layered(GadgetScanner(), TagScanner(NAMES))):
        for problem in problems(scanner, text, NAMES):
            assert 0 <= problem.start < problem.end <= len(text)
            assert "{" not in str(problem.message)
        for section in Document(scanner, text).sections:
            for tag in begun_in(section):
                assert section.text[tag.start + 1 : tag.name_end] == tag.tag
                assert tag.start < tag.name_end <= tag.bracket <= tag.end <= tag.content_end <= tag.block_end
                for attribute in tag.attributes:
                    assert section.text[attribute.start : attribute.name_end] == attribute.name
