"""Texts of ours in the fences of Markdown: which they are, their places, and their fixes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from examples import examples
from llmblocks import check, fix, parse
from llmblocks.core.edits import Edit, edited
from llmblocks.hosts.hosted import edits_outside
from llmblocks.hosts.markdown import Markdown
from llmblocks.languages.registry import LANGUAGES, language_ids, language_with
from llmblocks.settings.rule_names import RULES

HOST = Markdown(language_ids())
CALL = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!ARG:path\na\n!!!GADGET_END\n"

BAD = [
    (language_with(rule.layer).id, rule.bad) for rule in RULES if rule.layer in {each.layers[0] for each in LANGUAGES}
]
AROUND: tuple[Callable[[str, str], str], ...] = (
    lambda name, text: f"```{name}\n{text}\n```\n",
    lambda name, text: f"~~~~ llmblocks {name}\n{text}\n~~~~\n",
    lambda name, text: "- one\n\n" + _led("  ", f"```{name}\n{text}\n```") + "\n",
    lambda name, text: _led("> ", f"```{name.upper()} {{.x}}\n{text}\n```") + "\n",
    lambda name, text: "12. > " + _led("    > ", f"```{name}\n{text}\n```").removeprefix("    > ") + "\n\n",
    lambda name, text: f"   ```{name}\r\n{_led('   ', text)}\r\n   ```\r\n",
    lambda name, text: _led("> > ", f"```{name}\n{text}"),
)


def _led(lead: str, text: str) -> str:
    return "\n".join(f"{lead}{line}" for line in text.split("\n"))


@st.composite
def hosts(draw: st.DrawFn) -> str:
    parts = draw(st.lists(st.tuples(st.sampled_from(BAD), st.sampled_from(AROUND)), min_size=1, max_size=3))
    return "".join(f"# head\n\nprose\n\n{around(*bad)}\n" for bad, around in parts)


def outside(text: str) -> list[str]:
    """Return the lines of a host that hold nothing of an embedded text."""
    inside = [(each.outside(0), each.outside(len(each.text))) for each in HOST.find(text)]
    lines, at = [], 0
    for line in text.splitlines(keepends=True):
        if not any(start <= at + len(line) - 1 and at < end for start, end in inside):
            lines.append(line)
        at += len(line)
    return lines


@pytest.mark.parametrize(("language_id", "text"), [("gadget", CALL), ("custom-blocks", "<think>\nwhere\n\n")])
@pytest.mark.parametrize("around", AROUND)
def test_a_fix_writes_the_signs_of_the_host(around: Callable[[str, str], str], language_id: str, text: str) -> None:
    host = around(language_id, text[:-1])
    done = fix(host, "markdown", unsafe=True)
    (now,) = HOST.find(done.text)
    lines = [each for each in now.text.splitlines() if each]
    assert lines == [each for each in fix(text, language_id, unsafe=True).text.splitlines() if each]
    assert done.left == ()
    assert outside(done.text) == outside(host)


def test_a_fix_that_would_end_the_fence_is_not_made() -> None:
    text = "```stf\n@user\nhi\n@ai\n!!!GADGET_START:a\n!!!ARG:b\n```\n"
    assert outside(fix(text, "markdown", unsafe=True).text) == outside(text)


def test_an_edit_that_would_end_its_fence_keeps_no_other_from_being_made() -> None:
    text = "```gadget\na\n```\n" * 5
    edits = [(each, [Edit(0, 1, "```" if number == 2 else "b")]) for number, each in enumerate(HOST.find(text))]
    made = edited(text, edits_outside(text, HOST, edits))
    assert [each.text for each in HOST.find(made)] == ["b\n", "b\n", "a\n", "b\n", "b\n"]


def test_a_host_is_not_a_language_to_parse() -> None:
    with pytest.raises(ValueError, match="Markdown embeds texts of other languages"):
        parse("# a\n", "markdown")


def test_a_name_says_that_a_text_is_a_host(tmp_path: Path) -> None:
    text = f"```gadget\n{CALL}```\n"
    assert [each.code for each in check(text, None, name=str(tmp_path / "prompts.MDX"))] == ["G101"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n```stf\n@user\nhi\n```\n@user\n", [("stf", "@user\nhi\n")]),
        ("~~~~ GADGET {.x}\n```\n~~~\n~~~~\n", [("gadget", "```\n~~~\n")]),
        ("```custom-blocks: a.blocks\n<think>", [("custom-blocks", "<think>")]),
        ("```stf\n```\n```stf\n", [("stf", ""), ("stf", "")]),
        ("```stfx\n@user\n```\n```\n@user\n```\n", []),
        ("    ```stf\n    @user\n    ```\n", []),
        ("`` ```stf `` is inline\n", []),
    ],
)
def test_a_fence_that_names_a_language_is_a_document(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(each.language_id, each.text) for each in HOST.find(text)] == expected


MARKDOWN = [
    *("```stf\n", "~~~stf\n", "```", "~~~", "- ", "  ", "> ", "1. ", "\t", "\n", "\r\n", "\r", "x", "@user"),
    *("\0", "é"),
]


@settings(max_examples=examples(400), deadline=None)
@given(st.lists(st.sampled_from(MARKDOWN), max_size=30).map("".join))
@example("- one\n\n  ```stf\n  @user\n    hi\n\n  x\n  ```\n")
@example("- ```stf\n  @user\nbehind the list\n")
@example("12. > ```stf\n    > @user\n    >hi\n    > ```\n")
@example("   ```stf\n @user\n     hi\n   ```\n")
@example("- ```stf\n\thi\n  \tyou\n  ```\n")
@example("- ```stf\r  a\0b\r  ```\r")
def test_places_correspond_in_any_document_and_texts_are_what_commonmark_says(text: str) -> None:
    blocks = HOST.find(text)
    for each in blocks:
        inner, outsides = each.text, [*map(each.outside, range(len(each.text) + 1))]
        for offset, place in enumerate(outsides[:-1]):
            # a tab may leave spaces
            is_tab = (text[place], inner[offset]) == ("\t", " ")
            assert is_tab or (text[place], each.inside(place)) == (inner[offset], offset)
        insides = [offset for offset in map(each.inside, range(len(text) + 1)) if offset is not None]
        assert (outsides, insides) == (sorted(outsides), sorted(insides))
        assert insides[-1] == len(inner)
    normal = [each.text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd") for each in blocks]
    assert normal == [
        token.content
        for token in MarkdownIt("commonmark").parse(text)
        if token.type == "fence" and token.info.split()[:1] == ["stf"]
    ]
