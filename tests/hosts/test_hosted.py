"""Embedded texts are checked, fixed and formatted like separate files, and nothing else of the host changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import strategies as st

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


def ended(text: str) -> tuple[str, ...]:
    """Return a text, and as the host may have to write it: the closing fence is on its own line."""
    return text, f"{text}\n", f"{text}\r\n"


@pytest.mark.parametrize("around", AROUND)
def test_a_fix_is_made_after_the_signs_of_the_host(around: Callable[[str, str], str]) -> None:
    text = around("gadget", CALL.rstrip("\n"))
    done = fix(text, "markdown")
    assert ([each.finding.code for each in done.applied], done.left) == (["G101"], ())
    assert [each.text.count("!!!ARG") for each in HOST.find(done.text)] == [1]


@pytest.mark.parametrize("around", AROUND)
def test_lines_that_a_fix_adds_have_the_signs_of_the_host(around: Callable[[str, str], str]) -> None:
    text = around("custom-blocks", "<think>\nwhere\n")
    done = fix(text, "markdown", unsafe=True)
    (now,) = HOST.find(done.text)
    assert done.left == ()
    assert now.text.replace("\r", "").rstrip("\n").endswith("</think>")
    assert outside(done.text) == outside(text)


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
