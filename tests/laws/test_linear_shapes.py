"""Linear work for any mistake, comment or refactoring, many times in one place; counted, not timed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import LAWS, examples
from laws.scanners import SUBJECTS, Subject
from laws.test_linear_told import assert_linear
from laws.texts import texts
from llmblocks import Settings, check
from llmblocks.core.chunks import ScannedChunks
from llmblocks.core.document import Document
from llmblocks.core.scan import Scanned, Scanner
from llmblocks.features.fixes import refactorings
from llmblocks.features.formatting import format_text
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language, language_with
from llmblocks.lsp.documents.text import Languages
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.refactors.refactorings import REFACTORINGS
from llmblocks.settings.rule_names import RULES
from llmblocks.stf import StfStream, decode
from oracle.texts import COMMENTS, HTML

UNITS = 40
"""Of these and of four times as many, the work is compared."""
MARKED = str.maketrans("", "", "«»%")
Unit = tuple[str, str]
"""A language and a text."""


def units() -> list[Unit]:
    rules = [(language_with(rule.layer).id, rule.bad) for rule in RULES]
    refactorings = [(row.language, text.translate(MARKED)) for row in REFACTORINGS for text in (row.before, row.after)]
    comments = [("stf", text) for text in COMMENTS] + [("custom-blocks", text.translate(MARKED)) for text in HTML]
    return [*rules, *refactorings, *comments, *[("stf", raw("".join(parts))) for parts in VALUES.values()]]


def one_line(text: str) -> str:
    return text.replace("\r", "").replace("\n", " ")


def raw(inside: str) -> str:
    return f"@raw\n{{role: 'user', content: '',\n{inside}\n}}\n@end\n"


PLACES: dict[str, Callable[[str, int], str]] = {
    "one after the other": lambda text, count: text * count,
    "in one message": lambda text, count: "@ai\n" + text * count,
    "in one message of the other dialect": lambda text, count: ";ai\n" + text * count,
    "in one value": lambda text, count: f"!!!GADGET_START:A\n!!!ARG:a\n{text * count}\n",
    "in one block": lambda text, count: f"<think>\n{text * count}\n</think>\n",
    "in one comment": lambda text, count: f"@user\n@/*\n{text * count}\n@*/\n",
    "on one line": lambda text, count: one_line(text) * count,
    "on one line of a message": lambda text, count: "@user\n" + one_line(text) * count,
    "in one header": lambda text, count: f"!!!GADGET_START:A:a:{one_line(text) * count}\n",
    "in one command line": lambda text, count: f"@user {one_line(text) * count}\n",
    "in one pointer": lambda text, count: f"!!!GADGET_START:A\n!!!ARG:{one_line(text) * count}\n",
    "in one tag": lambda text, count: f"<think {one_line(text) * count}>\n",
    "in the JSON5 of a message": lambda text, count: raw(f"extra: [\n{text * count}\n]"),
    "in one list of values": lambda text, count: raw(f"tool_calls: [{one_line(text) * count}]"),
}


def type_and_refactor(text: str, language_id: str) -> None:
    """Open a text, type in the middle of it, and ask what can be done with a selection."""
    opened = Languages(Settings()).open(text, language_id, "file:///a", "utf-16")
    assert opened is not None
    opened.diagnostics()
    line, character = opened.position(len(text) // 2)
    opened.apply(LspChange(LspRange(line, character, line, character), "y"))
    opened.diagnostics()
    language = find_language(language_id)
    ask = Ask(opened.document, language, Settings(), len(text) // 2, len(text) * 3 // 4)
    for _ in refactorings(ask):
        pass


def streamed(text: str, _: str) -> None:
    stream = StfStream()
    for at in range(0, len(text), 256):
        stream.feed(text[at : at + 256])
    stream.close()


ACTIONS: dict[str, Callable[[str, str], object]] = {
    "check": lambda text, language_id: check(text, language_id, Settings()),
    "format": lambda text, language_id: format_text(text, language_id),
    "type and refactor": type_and_refactor,
}
READERS = {"decode": lambda text, _: decode(text), "stream": streamed, "check": ACTIONS["check"]}


@pytest.mark.slow
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("place", PLACES)
def test_any_shape_many_times_in_one_place_is_linear(place: str, action: str) -> None:
    @settings(max_examples=max(LAWS // 250, 2), deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(units()))
    def law(unit: Unit) -> None:
        language_id, text = unit
        # the first time, modules are imported
        ACTIONS[action](PLACES[place](text, UNITS), language_id)
        # halves of halves of edits are tried: n log n
        prepare = lambda count: partial(ACTIONS[action], PLACES[place](text, count), language_id)  # noqa: E731
        assert_linear(prepare, UNITS, 5, 1000)

    law()


WRONG = ("1", "null", "[]", "{}")
LISTS = {
    "tool_calls": ("1", "{}", *(f"{{name: 'f', arguments: '', {key}: {{}}}}" for key in ("name", "arguments", "id"))),
    "content": (
        *("1", "null", "'x'", "{}", "{type: 'film'}", "{type: 5}", "{type: 'text'}", "{type: 'text', text: 1}"),
        *(f"{{type: 'image', {key}: {value}}}" for key in ("url", "data", "name") for value in WRONG),
    ),
    "reasoning": ("1", "{type: 'text', text: []}"),
    "refusal": ("[]", "{type: 'audio', format: 1}"),
}
VALUES: dict[str, tuple[str, str, str]] = {
    **{f"{value} in {key}": (f"{key}: [", f"{value},\n", "]") for key, values in LISTS.items() for value in values},
    "a key again": ("", "a: 1,\n", ""),
    "keys again": ("", "a#: 1, a#: 2,\n", ""),
    "comments between misfits": ("tool_calls: [", "1,\n@# note\n", "]"),
}
"""Misfits many times in the JSON5 of a message: the text around them, and each, with its number in place of `#`."""
MANY = {
    **{name: (f"@raw\n{{role: 'user', content: '',\n{a}", b, f"{c}\n}}\n@end\n") for name, (a, b, c) in VALUES.items()},
    "a key again in extra": (";user\n;extra\n[", "{a: 1, a: 2},\n", "]\n;end\n"),
    "a key again in an argument": ("@user {", "id: 'x', ", "}\n"),
    "a key again in a call": ("@ai\n@call name=f\n{", '"a": 1, ', '"b": 1}\n'),
    "an unknown key of a command": ("@user {", "a#: 1, ", "}\n"),
    "bad lines": ("@user\n", "@usr x\n", ""),
}


@pytest.mark.parametrize("misfit", MANY)
def test_misfits_in_a_value_take_linear_work(misfit: str) -> None:
    before, unit, after = MANY[misfit]

    def text(count: int) -> str:
        return before + "".join([unit.replace("#", str(number)) for number in range(count)]) + after

    assert len(check(text(24), "stf")) >= 24 - 1
    for read in READERS.values():
        read(text(24), "stf")
        assert_linear(lambda count, read=read: partial(read, text(count), "stf"), 24, 4.4, 500)  # type: ignore[misc]


HELD_BACK = 100
"""More than any marker, and more than `auto` looks at to tell a dialect."""

ENDLESS = (
    *("!", "!!!GADGET_START:", "!!!GADGET_START:a\n!!!ARG:", "@/*\n", "@", "@user a=", "@user {", "@raw\n"),
    *(";", "@ ", "<", "</", "<think a=", "<think", "[", "[a\n~"),
)

every_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)


class Counting:
    """A scanner that adds up the text it is shown."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self.initial = scanner.initial
        self.seen = 0

    def scan(self, text: str, start: int, stop: int, state: Any, final: bool) -> Scanned:
        scanned = self._scanner.scan(text, start, stop, state, final)
        self.seen += (scanned.end if scanned.end > start else stop) - start
        return scanned


@every_subject
def test_no_more_is_held_back_than_a_marker_is_long(subject: Subject) -> None:
    @settings(max_examples=examples(200), deadline=None)
    @given(texts(*subject.pieces))
    def law(text: str) -> None:
        stream = ScannedChunks(subject.scanner())
        given_back = 0
        for fed, character in enumerate(text, start=1):
            given_back += sum(len(part) for _, part in stream.take(character))
            assert fed - given_back <= HELD_BACK

    law()


@every_subject
@pytest.mark.parametrize("beginning", ENDLESS)
def test_what_never_ends_is_given_back_as_it_comes(subject: Subject, beginning: str) -> None:
    for going_on in ("x", " ", "!", "<", "a=", "/"):
        stream = ScannedChunks(subject.scanner())
        fed = given_back = 0
        for chunk in [beginning, *[going_on] * (HELD_BACK + 50)]:
            given_back += sum(len(part) for _, part in stream.take(chunk))
            fed += len(chunk)
            assert fed - given_back <= HELD_BACK, going_on


@every_subject
def test_an_edit_looks_at_its_own_sections_however_long_the_document_is(subject: Subject) -> None:
    unit = "".join(piece for group in subject.pieces for piece in group if piece.endswith("\n")) + "plain text\n" * 20
    for repeats in (20, 500):
        scanner = Counting(subject.scanner())
        document = Document(scanner, unit * repeats)
        assert scanner.seen <= 2 * len(document)
        middle, _ = document.line_at(len(document) // 2)
        at = middle + document.slice(middle, middle + 2 * len(unit)).index("plain text") + 3
        scanner.seen = 0
        change = document.edit(at, at, "x")
        assert len(change.removed) <= 3
        assert scanner.seen <= 2 * sum(section.length for section in change.removed) + len(unit)


@pytest.mark.parametrize(
    "unit",
    ["some words ", "<think>a</think>", "a <think>b</think> !!! @user ", "a line\n", "- [ ] a <think>b</think>\n"],
)
@every_subject
def test_an_edit_in_one_endless_line_or_section_looks_at_it_twice_at_most(subject: Subject, unit: str) -> None:
    scanner = Counting(subject.scanner())
    document = Document(scanner, unit * (300_000 // len(unit)))
    # a place is tried several times where signs are dense
    assert scanner.seen <= 4 * len(document)
    scanner.seen = 0
    document.edit(150_000, 150_000, "x")
    assert scanner.seen <= 4 * len(document)
