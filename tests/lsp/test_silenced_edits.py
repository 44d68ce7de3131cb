"""Edits around comments that silence findings: what is reported is what a fresh look at the text tells."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from examples import LAWS
from llmblocks import check
from llmblocks.core import sequence
from llmblocks.facts.finding import Finding
from llmblocks.lsp.documents.text import AnalysedText, Languages
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.settings.values import DEFAULTS

LANGUAGES = Languages(DEFAULTS)
FEW = Languages(DEFAULTS._replace(max_diagnostics=1))
HISTORIES = min(LAWS, 200)
CALL = "!!!GADGET_START:Do:{id}\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"
BLOCK = "<think a=1 a=2>x</think>\n"
COMMENTS = {
    "gadget": ("<!-- llmblocks: ignore[{code}] -->\n", "<!-- llmblocks: ignore-file[{code}] -->\n"),
    "stf": ("@# llmblocks: ignore[{code}]\n", "@# llmblocks: ignore-file[{code}]\n"),
    "custom-blocks": ("<!-- llmblocks: ignore[{code}] -->\n", "<!-- llmblocks: ignore-file[{code}] -->\n"),
}
CODES = ("G101", "G110", "T", "S203", "S201", "G, T", "S")
TEXTS = {
    "gadget": (CALL, BLOCK, "Some words.\n", "!!!GADGET_END\n", "\n"),
    "stf": (CALL, BLOCK, "Some words.\n", "@user id={id}\n", "@ai id={id}\n", "@nothing\n", "@*/\n", "\n"),
    "custom-blocks": (BLOCK, "</think>\n", "Some words.\n", "<think>\n", "\n"),
}
SMALL = ("x", " ", "\n", "1", "a", "@", "<", "!!!ARG:a\n3\n", "")


def open_as(text: str, language_id: str) -> AnalysedText:
    opened = LANGUAGES.open(text, language_id, "file:///a", "utf-32")
    assert opened is not None
    return opened


def told(text: AnalysedText) -> list[Any]:
    return sorted(text.diagnostics(), key=str)


def places(findings: Iterable[Finding]) -> list[tuple[int, int, str]]:
    return sorted([(each.start, each.end, each.code) for each in findings])


def test_a_check_finds_what_is_reported_and_what_is_not_shown_is_counted() -> None:
    block = COMMENTS["custom-blocks"][0].format(code="T002")
    examples = [
        ("stf", COMMENTS["stf"][0].format(code="G101") + "@ai\n" + CALL.format(id="a") + "words\n"),
        ("custom-blocks", f"{block}</think>\nwords\n</think>\n</think>\n{block.strip()}"),
    ]
    for seed in range(HISTORIES):
        random = Random(seed)
        language_id = random.choice(sorted(TEXTS))
        # a comment at the very end reaches nothing
        last = random.choice((COMMENTS[language_id][0].format(code="T").strip(), ""))
        examples.append((language_id, some_text(random, language_id, 8) + last))
    for language_id, text in examples:
        limited = FEW.open(text, language_id, "file:///a", "utf-32")
        assert limited is not None
        every = told(open_as(text, language_id))
        assert sorted([each["code"] for each in every]) == sorted([each.code for each in check(text, language_id)])
        shown, *more = sorted(told(limited), key=lambda each: "code" not in each) or [None]
        counted = (shown is not None) + sum([int(each["message"].split()[0]) for each in more])
        assert counted == len(every), (language_id, text)


def some_text(random: Random, language_id: str, most: int) -> str:
    found = []
    for _ in range(random.randrange(1, most)):
        every = COMMENTS[language_id] if random.random() < 0.25 else TEXTS[language_id]
        piece = random.choice(every)
        found.append(piece.replace("{code}", random.choice(CODES)).replace("{id}", random.choice("abcdef")))
    return "".join(found)


@pytest.mark.parametrize("many", ["", "many blocks"])
@pytest.mark.parametrize("language_id", sorted(TEXTS))
def test_edits_where_comments_silence_findings_tell_what_a_fresh_look_tells(
    language_id: str, many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if many:
        monkeypatch.setattr(sequence, "_SIZE", 4)
    for seed in range(HISTORIES):
        random = Random(seed)
        text = open_as(some_text(random, language_id, 14), language_id)
        text.diagnostics()
        for _ in range(5):
            written = text.document.text
            start = random.randrange(len(written) + 1)
            end = min(len(written), start + random.choice((0, 0, 1, 1, 12, 60)))
            put = random.choice(SMALL) if random.random() < 0.7 else some_text(random, language_id, 3)
            (line, column), (last, behind) = text.document.position(start), text.document.position(end)
            text.apply(LspChange(LspRange(line, column, last, behind), put))
            fresh = open_as(text.document.text, language_id)
            assert told(text) == told(fresh), (seed, written, start, end, put)
            found = places(text.told.findings(0, len(text.document)))
            assert found == places(check(text.document.text, language_id)), (seed, written, start, end, put)


def test_what_a_comment_silences_may_are_added_and_removed_anywhere_in_a_long_message() -> None:
    words = "some words\n" * 20
    text = open_as(f"@# llmblocks: ignore[T002]\n@user\n{words}{words}@ai\nbye\n", "stf")
    line = 20
    for start, end, put, codes in (
        (0, 0, "", ["C010"]),
        (0, 0, "</think>", []),
        (0, 8, "", ["C010"]),
        (0, 0, "<think a=1 a=2>x</think>", ["C010", "T007"]),
    ):
        text.apply(LspChange(LspRange(line, start, line, end), put))
        fresh = open_as(text.document.text, "stf")
        assert told(text) == told(fresh)
        assert sorted([each["code"] for each in told(text)]) == codes
