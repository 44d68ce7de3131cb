"""Answers about the whole of a document, made of what is remembered of sections, equal those of its text read again."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import LAWS
from laws import texts
from llmblocks.core import sequence
from llmblocks.features.outline import Entry, outline
from llmblocks.languages.ask import ask_all
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.table import TABLE
from llmblocks.lsp.documents.text import AnalysedText, Languages
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.lsp.wire.rpc import encode
from llmblocks.settings.values import DEFAULTS

FEATURES = {feature.method.removeprefix("textDocument/"): feature for feature in TABLE}
METHODS = ("documentSymbol", "foldingRange", "semanticTokens/full")


def answers(text: AnalysedText) -> list[Any]:
    """Return the answers to a client, by method; folds are unordered."""
    found = [FEATURES[method].reply(Asker(text, {})) for method in METHODS]
    symbols, folds, tokens = [json.loads(encode(each)) for each in found]
    return [symbols, sorted(folds, key=lambda fold: (fold["startLine"], fold["endLine"])), tokens["data"]]


def opened(text: str, language_id: str) -> AnalysedText:
    made = Languages(DEFAULTS).open(text, language_id, "file:///a", "utf-16")
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("language_id", "groups"),
    [
        ("gadget", (texts.GADGET, texts.TAGS)),
        ("stf", (texts.STF, texts.GADGET, texts.TAGS)),
        ("custom-blocks", (texts.TAGS,)),
    ],
)
def test_they_do_not_show_what_was_edited(
    language_id: str, groups: tuple[tuple[str, ...], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    change = st.tuples(st.integers(0, 200), st.integers(0, 30), texts.texts(*groups, longest=4))

    @settings(max_examples=max(LAWS // 2, 50), deadline=None, database=None, suppress_health_check=[*HealthCheck])
    @given(texts.texts(*groups, longest=40), st.lists(change, max_size=4))
    def holds(text: str, changes: list[tuple[int, int, str]]) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(sequence, "_SIZE", 4)
            edited = opened(text, language_id)
            told = [answers(edited)]
            for line, length, new in changes:
                lines = edited.document.text.count("\n")
                start = min(line, lines)
                edited.apply(LspChange(LspRange(start, length % 7, start + length // 20, length), new))
                told.append(answers(edited))
        assert told[-1] == answers(opened(edited.document.text, language_id))

    holds()


def test_a_new_line_moves_the_places_of_symbols_and_not_their_names() -> None:
    text = '@ai id=a\n!!!GADGET_START:Do\n!!!ARG:"line":7\n{"line":8}\n!!!GADGET_END\n' * 40
    edited = opened(text, "stf")
    before = answers(edited)
    edited.apply(LspChange(LspRange(3, 0, 3, 0), "\n"))
    after = answers(edited)
    assert after == answers(opened(edited.document.text, "stf")) != before
    assert '"line":7' in str(after[0])


def nested(entries: list[Entry]) -> list[Any]:
    """Return the entries of an outline as a tree of their names."""
    levels: list[list[Any]] = [[]]
    for entry in entries:
        del levels[entry.depth + 1 :]
        inside: list[Any] = []
        levels[-1].append((entry.name, inside))
        levels.append(inside)
    return levels[0]


def named(symbols: list[Any]) -> list[Any]:
    return [(symbol["name"], named(symbol.get("children", []))) for symbol in symbols]


@pytest.mark.parametrize(
    ("language_id", "one", "outermost"),
    [
        ("gadget", "!!!GADGET_START:Do:a\n!!!ARG:b\nc\n!!!GADGET_END\n", [("Do:a", [])]),
        (
            "stf",
            "@ai\n!!!GADGET_START:Do:a\n!!!ARG:b\nc\n!!!GADGET_END\n@user id=u\nd\n",
            [("assistant: !!!GADGET_START:Do:a", []), ("user u: d", [])],
        ),
        (
            "request",
            "=== USER ===\nhi\n\n=== ASSISTANT ===\n!!!GADGET_START:Do:a\n!!!GADGET_END\n",
            [("user: hi", []), ("assistant", [])],
        ),
    ],
)
def test_an_outline_of_too_many_symbols_has_what_is_outermost(
    language_id: str, one: str, outermost: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = opened(one * 20, language_id)
    ask = ask_all(edited.document, edited.language, DEFAULTS)
    monkeypatch.setattr(import_module("llmblocks.lsp.answers.outline"), "MAX_OUTLINED", len(outline(ask)))
    complete = answers(edited)[0]
    assert named(complete) == nested(outline(ask))
    for _ in range(2):
        edited.apply(LspChange(LspRange(0, 0, 0, 0), one))
        told = answers(edited)[0]
        ask = ask_all(edited.document, edited.language, DEFAULTS)
        assert named(told) == nested(outline(ask, only_outermost=True)) == outermost * 21
        edited.apply(LspChange(LspRange(0, 0, one.count("\n"), 0), ""))
        assert answers(edited)[0] == complete


OUTLINE_ENDS = "… (the outline ends here)"


@pytest.mark.parametrize("language_id", ["gadget", "stf", "request", "custom-blocks"])
def test_an_outline_ends_where_the_outermost_symbols_are_too_many(
    language_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = {
        "gadget": "!!!GADGET_START:Do:a\n!!!ARG:b\nc\n!!!GADGET_END\n",
        "stf": "@user\nd\n!!!GADGET_START:Do:a\n!!!GADGET_END\n",
        "request": "=== USER ===\nhi\n\n",
        "custom-blocks": "<think>a</think>\n",
    }[language_id]
    edited = opened(one * 200, language_id)
    every = answers(opened(one * 20, language_id))[0]
    monkeypatch.setattr(import_module("llmblocks.lsp.answers.outline"), "MAX_OUTLINED", 99)
    lines = one.count("\n")
    for _ in range(3):
        *first, rest = answers(edited)[0]
        assert len(first) == 99
        assert named(first[:20]) == [(name, []) for name, _ in named(every)]
        assert rest["name"] == OUTLINE_ENDS
        start = {"line": 99 * lines, "character": 0}
        assert rest["range"] == {"start": start, "end": {"line": edited.text.count("\n"), "character": 0}}
        assert rest["selectionRange"] == {"start": start, "end": start}
        assert all(symbol["range"]["end"]["line"] <= 99 * lines for symbol in first)
        assert language_id != "stf" or first[-1]["range"]["end"] == start
        assert answers(opened(edited.text, language_id))[0] == [*first, rest]
        edited.apply(LspChange(LspRange(lines * 150, 0, lines * 150, 0), "\n"))
        edited.apply(LspChange(LspRange(lines * 50, 0, lines * 60, 0), one * 10))


@pytest.mark.parametrize("limit", [1, 401, 700])
@pytest.mark.parametrize(
    ("language_id", "one"),
    [
        ("gadget", "!!!GADGET_START:Do:a\n!!!ARG:b\nc\nd\n!!!GADGET_END\n"),
        ("stf", "@ai\nd\n!!!GADGET_START:Do:a\n!!!ARG:b\nc\n!!!GADGET_END\n"),
    ],
)
def test_folds_and_lenses_begin_on_the_first_lines(
    language_id: str, one: str, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(text: AnalysedText) -> list[tuple[int, str]]:
        asker = Asker(text, {})
        folds, lenses = (FEATURES[each].reply(asker) for each in ("foldingRange", "codeLens"))
        found = [(fold["startLine"], f"fold to {fold['endLine']}") for fold in folds]
        return sorted([*found, *[(lens["range"]["start"]["line"], lens["data"]["kind"]) for lens in lenses]])

    edited = opened(one * 300, language_id)
    for _ in range(3):
        complete = told(opened(edited.text, language_id))
        assert max(complete)[0] > 1400
        with monkeypatch.context() as patch:
            patch.setattr(import_module("llmblocks.lsp.answers.convert"), "MAX_FOLDED_LINES", limit)
            assert told(edited) == [each for each in complete if each[0] < limit] != []
            edited.apply(LspChange(LspRange(0, 0, 0, 0), one))
            told(edited)
        edited.apply(LspChange(LspRange(1200, 0, 1200, 0), "\n"))


class CancelledError(Exception):
    """The client waits no more."""


CALL = "!!!GADGET_START:Do:i#\n!!!ARG:a\n#\n!!!GADGET_END\n"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("text", ["@ai\n" + CALL * 200, "@user id=a\nhi\n" * 800], ids=["one section", "many sections"])
def test_they_pause_and_can_be_cancelled_and_asked_again(
    method: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("llmblocks.lsp.documents.tokens"), "_STEP", 256)
    left = 0

    def pause() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise CancelledError

    def ask(asked: AnalysedText) -> Any:
        found = FEATURES[method].reply(Asker(asked, {}, pause=pause))
        return json.loads(encode(found))

    asked = opened(text, "stf")
    for pauses in range(2):
        left = pauses
        with pytest.raises(CancelledError):
            ask(asked)
    left = 10_000
    found = ask(asked)
    left = 10_000
    assert found == ask(opened(text, "stf"))
