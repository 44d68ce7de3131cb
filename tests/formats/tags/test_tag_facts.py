"""The rules T001 to T010 where a Markdown file cannot show it. See tests/rules/T001.md to T010.md for the others."""

from __future__ import annotations

import pytest
from hypothesis import given

from formats.tags.tag_pieces import NAMES, texts
from llmblocks import Finding, Settings, Severity, check
from llmblocks.settings.rule_names import BY_CODE

TAGS = ("think", "citation", "done", "b1")


def problems(text: str, names: tuple[str, ...] = TAGS, language_id: str = "custom-blocks") -> tuple[Finding, ...]:
    return check(text, language_id, Settings(tags=names, select=("T0",)))


def found(text: str) -> list[tuple[str, str]]:
    """Return the names of the problems of a text, and what they point at."""
    return [(BY_CODE[each.code].name, text[each.start : each.end]) for each in problems(text)]


WORDS = (
    ("<done a=x/y>z</done>", "ends at its first '/' — the rest is read as other attributes ('y'); quote the value"),
    ("<done a=x/1>z</done>", "ends at its first '/' — the rest is lost; quote the value"),
    ("<done a=/b/c/d/e/f>z</done>", "the rest is read as other attributes ('b', 'c', 'd', …); quote the value"),
    ('<think a="x/>y">', "'/>' closes the tag inside the value of 'a' — the rest of the tag is visible text; "),
    ('<think a="x>y">', "'>' ends the tag inside the value of 'a' — the rest of the tag is content; "),
)


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_a_message_says_what_becomes_of_the_rest(text: str, words: str) -> None:
    messages = [str(each.message) for each in problems(text)]
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


@pytest.mark.parametrize(("lines", "count"), [(6000, 1), (7000, 0)])
def test_a_very_long_list_over_several_lines_is_not_judged(lines: int, count: int) -> None:
    text = "<done a=1\n" + "b=2 c=345\n" * lines + "a=2/>"
    assert len([each for each in found(text) if each[1] == "a=1"]) == count


def test_the_spaces_at_the_end_of_a_list_are_read_once() -> None:
    """Read from each of them to the last one, half a million would take a quarter of an hour."""
    spaces = " " * 500_000
    assert found(f"<done a=1{spaces}/>") == []
    assert [what for what, _ in found(f"<done a=1 a=2{spaces}/>")] == ["duplicate-attribute"]


@given(texts)
def test_no_text_breaks_the_facts_and_the_places_are_right(text: str) -> None:
    for language_id in ("custom-blocks", "gadget"):
        for problem in problems(text, NAMES, language_id):
            assert 0 <= problem.start < problem.end <= len(text)
            assert "{" not in str(problem.message)
