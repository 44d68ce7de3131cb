"""Fixes of texts with many mistakes: counted in tries, each of which reads the whole text."""

from __future__ import annotations

import pytest

from llmblocks import feedback, fix
from llmblocks.rules import fixing
from llmblocks.rules.fixing import Reader
from rule_examples import settings_of

START, ARG, END = "!!!GADGET_START:", "!!!ARG:", "!!!GADGET_END\n"


def tries(text: str, monkeypatch: pytest.MonkeyPatch, *, unsafe: bool) -> int:
    """The number of times that a text is read to fix it."""
    count = 0
    read = Reader.read

    def counted(self: Reader, text: str) -> fixing.Reading:
        nonlocal count
        count += 1
        return read(self, text)

    monkeypatch.setattr(Reader, "read", counted)
    done = fix(text, "gadget", unsafe=unsafe)
    monkeypatch.undo()
    assert done.finished
    return count


@pytest.mark.parametrize(
    "text",
    [
        START + "G\n" + (ARG + "items/0\n1\n") * 300 + END,
        START + "G\n" + "".join(f"{ARG}items/{at * 2}\n1\n" for at in range(300)) + END,
        (START + "G:x\n" + END) * 300,
        START + "G\n" + "".join(f"{ARG}k{at}\n1\n{ARG}k{at}\n2\n" for at in range(300)) + END,
    ],
    ids=["one index", "gaps", "one id", "pairs"],
)
def test_many_mistakes_take_few_tries(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tries(text, monkeypatch, unsafe=True) < 40
    assert tries(text, monkeypatch, unsafe=False) < 4


def test_an_index_of_any_size_is_no_crash() -> None:
    text = f"{START}G\n{ARG}a/0\n1\n{ARG}a/0\n2\n{ARG}a/{'1' * 310}\n1\n{END}"
    assert fix(text, "gadget", unsafe=True).finished
    assert "Duplicate pointer: a/0" in feedback(text, "gadget")


def test_fixes_that_are_left_untried_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixing, "_MOST_CHARACTERS", 0)
    monkeypatch.setattr(fixing, "_FEWEST_TRIES", 1)
    monkeypatch.setattr(fixing, "_MOST_AT_ONCE", 2)
    text = (f"{START}G\n{ARG}a\n1\n{ARG}a\n1\n{END}") * 6
    done = fix(text, "gadget")
    assert (len(done.applied), done.finished) == (2, False)
    monkeypatch.undo()
    assert fix(done.text, "gadget").finished


def test_feedback_tries_fixes_on_a_bounded_amount_of_text(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Reader.read
    texts: list[str] = []

    def kept(self: Reader, text: str) -> fixing.Reading:
        texts.append(text)
        return read(self, text)

    monkeypatch.setattr(Reader, "read", kept)
    text = "".join(f"{START}G:x{at}:y{at}\n{ARG}a\n1\n{ARG}a\n2\n{END}" for at in range(3000))
    assert feedback(text, "gadget").startswith("There are 6000 problems")
    assert sum(map(len, texts)) < 2**18 + 3 * len(text)


def test_feedback_forges_no_line() -> None:
    text = f"{START}G\n{ARG}a\x1b[2J\u2028Line 9: forged\n1\n{ARG}a\x1b[2J\u2028Line 9: forged\n2\n{END}"
    told = feedback(text, "gadget")
    assert "\\x1b[2J\\u2028Line 9" in told
    assert "\x1b" not in told
    assert "\u2028" not in told


def test_no_rule_whose_fixes_are_unsafe_has_a_safe_one() -> None:
    from llmblocks.settings.rule_names import RULES

    for rule in RULES:
        if rule.fixed is None or not rule.unsafe:
            continue
        language = {"tags": "custom-blocks", "comments": "stf"}.get(rule.layer, rule.layer)
        assert rule.code not in {
            each.finding.code for each in fix(rule.bad, language, settings=settings_of(rule)).applied
        }
