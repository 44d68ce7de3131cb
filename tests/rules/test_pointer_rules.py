"""The rules of pointers and values on texts with marked places, and near misses."""

from __future__ import annotations

import pytest

from llmblocks import check
from marked import unmark

START = "!!!GADGET_START:G\n"
END = "!!!GADGET_END\n"
FENCE = "`" * 3


def codes(body: str, language_id: str = "gadget") -> list[str]:
    return [each.code for each in check(START + body, language_id)]


@pytest.mark.parametrize(
    ("code", "body"),
    [
        ("G104", "!!!ARG:a\nx\n!!!ARG:a/b\n       ^^^ G104\n1\n"),
        ("G104", "!!!ARG:a\nx\n!!!ARG:a/0\n       ^^^ G104\n1\n"),
        ("G104", "!!!ARG:a\n5\n!!!ARG:a/b/c\n       ^^^^^ G104\n1\n"),
        ("G105", "!!!ARG:a/b\nx\n!!!ARG:a\n       ^ G105\n1\n"),
        ("G106", "!!!ARG:\n^^^^^^^ G106\nx\n!!!ARG: \n^^^^^^^ G106\n1\n"),
        ("G107", "!!!ARG:a/__proto__/b\n         ^^^^^^^^^ G107\nx\n"),
        ("G107", "!!!ARG:a\nx\n!!!ARG:a/at/b\n         ^^ G107\n1\n"),
        ("G108", "!!!ARG:/a//b/\n       ^ G108\n          ^ G108\n            ^ G108\n1\n"),
        ("G109", "!!!ARG:a/0\nx\n!!!ARG:a/1.5\n         ^^^ G109\n1\n"),
        ("G115", f"!!!ARG:a\n{FENCE}js\nx\n{FENCE}\n^^^ G115\n"),
        ("G115", f"!!!ARG:a\nsee {FENCE}js x{FENCE}\n           ^^^ G115\n"),
        ("G115", f"!!!ARG:a\nClose it with ({FENCE}\n               ^^^ G115\n"),
        ("G115", f"!!!ARG:a\n{FENCE}\n^^^ G115\n"),
        ("G115", f"!!!ARG:a\nx\n!!!ARG:b\n {FENCE}\n ^^^ G115\n"),
        ("G121", "!!!ARG:__proto__\n       ^^^^^^^^^ G121\nx\n"),
        ("G121", "!!!ARG:a/b\n1\n!!!ARG:a/__proto__\n         ^^^^^^^^^ G121\nx\n"),
        ("G106", "!!!ARG:\n^^^^^^^ G106\n9007199254740993\n!!!ARG:\n^^^^^^^ G106\na\rb\n!!!ARG:a\nx\n"),
        ("G106", "!!!ARG:\n^^^^^^^ G106\na\rb\n"),
        ("G116", "!!!ARG:a\nx  \n ^^ G116\n"),
        ("G118", "!!!ARG:a\n -9007199254740993 \n ^^^^^^^^^^^^^^^^^ G118\n"),
        ("G119", "!!!ARG:a~1b~0\n        ^^ G119\n           ^^ G119\nx\n"),
    ],
)
def test_a_problem_is_marked_at_its_place(code: str, body: str) -> None:
    text, marks = unmark(START + body + END)
    found = check(text, "gadget")
    assert {mark.code for mark in marks} == {code}
    assert [(each.code, each.start, each.end) for each in found] == [tuple(mark) for mark in marks]


@pytest.mark.parametrize(
    "body",
    [
        "!!!ARG:a/b\nx\n!!!ARG:a/c\n1\n",
        "!!!ARG:a/b\n1\n!!!ARG:a/0\n2\n",  # an object takes any name
        "!!!ARG:constructor\n1\n!!!ARG:toString\n1\n",  # its own name
        "!!!ARG:a b / c\n1\n",
        "!!!ARG:01\n1\n!!!ARG:a/01x\n1\n",  # keys, not indices
        "!!!ARG:a~b~2\n1\n",
        f"{FENCE}\n!!!ARG:a\n1\n{FENCE}\n",  # around the arguments
        f"!!!ARG:a\nx\n{FENCE}\n",  # opened nowhere
        f"!!!ARG:a\n{FENCE}js\nx\n{FENCE}\n!!!ARG:b\n1\n",
        f"!!!ARG:a\n{FENCE}js\nx\n{FENCE}\n{FENCE}\n",  # llmist takes one of the two
        "!!!ARG:a\nx\n \t",  # before the end marker
        "!!!ARG:a\n ",
        "!!!ARG:a\n42  \n",  # the number is the same
        "!!!ARG:a\nx  \n!!!ARG:b\n1\n",
        "!!!ARG:a\r\n42\r\n!!!ARG:b\r\nx\r\n",  # trimmed, both
        "!!!ARG:a\n123456789012345678.0x\n!!!ARG:b\n9007199254740992\n!!!ARG:c\n0.10000000000000000\n",
        "!!!ARG:a\n" + "1" * 310 + "\n",  # too large for a number: it stays text
    ],
)
def test_a_near_miss_is_not_reported(body: str) -> None:
    assert codes(body + END) == []


def test_white_space_at_the_end_of_a_call_without_an_end_marker_is_not_reported() -> None:
    assert codes("!!!ARG:a\nx  \n\n") == ["G008"]


def test_a_carriage_return_is_marked_once_for_each_value_that_keeps_it() -> None:
    text = START + "!!!ARG:a\r\nx\r\ny\r\n!!!ARG:b\r\n1\r\n!!!ARG:c\r\nz\r\nz\r\n" + END
    found = check(text, "gadget")
    assert [(each.code, text[each.start - 1 : each.end]) for each in found] == [("G117", "x\r\n"), ("G117", "z\r\n")]


@pytest.mark.parametrize(("header", "wanted"), [("@ai\r\n", []), (";ai\n", ["G117"])])
def test_crlf_ends_a_line_of_a_chat_of_one_dialect(header: str, wanted: list[str]) -> None:
    text = header + START + "!!!ARG:a\r\nx\r\n!!!ARG:b\n1\n" + END
    assert [each.code for each in check(text, "stf") if each.code != "S301"] == wanted


def test_what_has_no_effect_is_unnecessary() -> None:
    found = check(START + "!!!ARG:\nx\n!!!ARG:a/b\n1\n!!!ARG:a\nx  \n" + END, "gadget")
    assert {each.code: each.unnecessary for each in found} == {"G105": False, "G106": True, "G116": True}


def test_a_value_that_is_in_the_way_is_quoted_as_it_is_now() -> None:
    """A long call is judged by its pointers, and by the values that they lead below."""
    from llmblocks.languages.registry import find_language
    from llmblocks.rules.checker import Checker
    from llmblocks.settings.values import DEFAULTS

    filler = "".join(f"!!!ARG:b{number}\n{'x' * 100}\n" for number in range(1000))
    text = START + "!!!ARG:a\nold\n" + filler + "!!!ARG:a/c\n1\n" + END
    language = find_language("gadget")
    checker = Checker(language, DEFAULTS)
    document = language.open(text, DEFAULTS, checker.count_findings)
    for value, told in (("old", "string 'old'"), ("7", "number '7'"), ("true", "boolean 'true'"), ("", "string ''")):
        at = document.text.index("!!!ARG:a\n") + len("!!!ARG:a\n")
        document.edit(at, document.text.index("\n", at), value)
        (found,) = checker.all(document)
        assert str(found.message).startswith(f"Cannot create property 'c' on {told} — ")
