"""Very long lines are cut into pieces where nobody can tell; the laws hold for them, however short "long" is."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.laws import chunking_does_not_matter, edit_equals_reparse, tokens_cover_the_text, trees
from laws.scanners import SUBJECTS, Subject
from laws.test_laws import DOCUMENTS, THOROUGH, edits_of, sizes
from laws.texts import LINES, texts
from llmblocks import check
from llmblocks.core import layered, rescan, tree
from llmblocks.core.document import Document
from llmblocks.core.section import Piece
from llmblocks.languages.registry import find_language
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import DEFAULTS
from llmblocks.tags.editor import scanner as tag_scanner
from oracle.texts import ON_LINES
from oracle.texts import texts as documents

every_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)


@pytest.fixture
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescan, "PIECE", 8)
    monkeypatch.setattr(rescan, "LONG_LINES", 1)
    monkeypatch.setattr(tree, "FAN", 4)
    monkeypatch.setattr(tag_scanner, "LONG", 12)
    monkeypatch.setattr(layered, "LONGEST_PLAIN", 12)


@pytest.mark.usefixtures("short_pieces")
@every_subject
def test_the_laws_hold_where_lines_are_in_many_pieces(subject: Subject) -> None:
    scanner = subject.scanner()

    @settings(THOROUGH, max_examples=max(DOCUMENTS // 2, 25))
    @given(texts(*subject.pieces, LINES, LINES), sizes, edits_of(subject))
    def laws(text: str, chunks: list[int], edits: list) -> None:  # type: ignore[type-arg]
        tokens_cover_the_text(Document(scanner, text), text)
        chunking_does_not_matter(scanner, text, chunks)
        edit_equals_reparse(scanner, subject.nesting, text, edits)

    laws()


@pytest.mark.usefixtures("short_pieces")
@every_subject
def test_a_text_whose_lines_are_cut_is_the_one_whose_lines_are_not(
    subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanner = subject.scanner()

    @settings(THOROUGH, max_examples=max(DOCUMENTS // 2, 25))
    @given(texts(*subject.pieces, LINES, LINES))
    def same(text: str) -> None:
        monkeypatch.setattr(rescan, "LONG_LINES", 1)
        cut = Document(scanner, text)
        monkeypatch.setattr(rescan, "LONG_LINES", 1 << 20)
        whole = Document(scanner, text)
        assert not paused(whole)
        assert cut.tokens() == whole.tokens()
        assert [each.text for each in cut.sections] == [each.text for each in whole.sections]
        assert trees(cut, subject.nesting) == trees(whole, subject.nesting)
        assert cut.end_state == whole.end_state

    same()


@pytest.mark.usefixtures("short_pieces")
@pytest.mark.parametrize("language_id", ON_LINES)
def test_what_is_found_in_lines_that_are_cut_is_found_in_whole_ones(
    language_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    @settings(THOROUGH, max_examples=max(DOCUMENTS // 2, 25))
    @given(documents(language_id, 14, long_lines=True))
    def same(text: str) -> None:
        monkeypatch.setattr(rescan, "LONG_LINES", 1)
        cut = check(text, language_id)
        monkeypatch.setattr(rescan, "LONG_LINES", 1 << 20)
        assert cut == check(text, language_id)

    same()


def paused(document: Document) -> list[tuple[Piece, Piece]]:
    """The neighbouring pieces of a section that share a line."""
    return [
        (one, other)
        for section in document.sections
        for one, other in pairwise(section.pieces)
        if not one.text.endswith("\n")
    ]


def opened(language_id: str, text: str) -> Document:
    return Document(find_language(language_id).scanner(DEFAULTS), text)


WORDS = "some words of prose, and \U0001f600 more "
LONG = {
    "prose": ("gadget", "", WORDS, ""),
    "prose in a value": ("gadget", "!!!GADGET_START:Do\n!!!ARG:a\n", WORDS, "\n!!!GADGET_END\n"),
    "what an assistant says": ("request", "=== ASSISTANT ===\n", WORDS, "\n=== USER ===\nx\n"),
    "a message": ("stf", "@user\n", WORDS, "\n@ai\nx\n"),
    "blocks": ("custom-blocks", "", "<think>a</think>", ""),
    "content": ("custom-blocks", "<think>", WORDS, "</think>"),
    "blocks in prose": ("gadget", "", "word <think a='b'>a</think> !!! ", ""),
    "brackets in prose": ("custom-blocks", "", "if a < b and c > d ", ""),
}


@pytest.mark.parametrize("name", LONG)
def test_an_edit_in_a_very_long_line_leaves_the_other_pieces_of_the_line_the_same_objects(name: str) -> None:
    language_id, before, unit, after = LONG[name]
    text = before + unit * (200_000 // len(unit)) + after
    document = opened(language_id, text)
    assert len(paused(document)) > 20
    assert max(piece.length for piece in document.pieces()) <= rescan.LONG_LINES * rescan.PIECE
    at = len(text) // 2
    old = [*document.pieces()]
    change = document.edit(at, at, "y")
    assert len(change.gone) <= 2
    assert {*map(id, document.pieces())} >= {*map(id, old)} - {*map(id, change.gone)}
    assert document.tokens() == opened(language_id, text[:at] + "y" + text[at:]).tokens()


@pytest.mark.parametrize(
    ("language_id", "text"),
    [
        ("stf", "@ai\n@call name=f\n{a: [" + "1, {b: 'x'}, " * 5_000 + "]}\n@user\nx\n"),
        ("stf", "@# " + WORDS * 3_000 + "\n@user\nx\n"),
        ("custom-blocks", "<think " + "a='b' " * 20_000 + ">x</think>"),
        ("custom-blocks", "<!-- " + WORDS * 3_000),
        ("gadget", "!!!GADGET_START:Do " + "a, " * 30_000 + "\n"),
        ("gadget", "word" * 30_000),
        ("gadget", (WORDS * (2 * rescan.PIECE // len(WORDS)) + "\n") * 10),
    ],
    ids=["json5", "a comment line", "attributes", "an open comment", "a header", "one word", "lines that are not long"],
)
def test_a_line_stays_whole_where_all_of_it_decides(language_id: str, text: str) -> None:
    assert not paused(opened(language_id, text))


@pytest.mark.usefixtures("short_pieces")
@given(st.lists(st.sampled_from((" ", "\r\n", "\r", "word", "word word ", "> ")), max_size=30).map("".join))
def test_a_line_end_is_never_cut(text: str) -> None:
    for language_id, before in (("gadget", ""), ("stf", "@user\n"), ("custom-blocks", "")):
        for one, other in paused(opened(language_id, before + text)):
            assert one.text[-1] in " >"
            assert other.text[0] not in " \r\n"


@pytest.mark.usefixtures("short_pieces")
@pytest.mark.parametrize(
    "typed", ["!!!GADGET_START:B", "!!!ARG:b", "!!!GADGET_END", "\n", "\r\n", "</think>", "> ", " "]
)
@pytest.mark.parametrize(
    ("language_id", "before"),
    [("gadget", "!!!GADGET_START:A\n!!!ARG:a\n"), ("gadget", ""), ("stf", "@ai\n!!!GADGET_START:A\n!!!ARG:a\n")],
)
def test_what_is_typed_exactly_at_a_pause_is_found_as_in_a_fresh_text(
    language_id: str, before: str, typed: str
) -> None:
    language = find_language(language_id)
    checker = Checker(language, DEFAULTS)
    text = f"{before}{'some words of prose ' * 6}\n"
    starts = [*accumulate([piece.length for piece in language.open(text, DEFAULTS).pieces()])]
    pauses = [at for at in starts[:-1] if text[at - 1] != "\n"]
    assert len(pauses) > 5
    for at in pauses:
        document = language.open(text, DEFAULTS)
        document.edit(at, at, typed)
        made = text[:at] + typed + text[at:]
        assert document.text == made
        found = [*checker.all(document)]
        assert found == [*checker.all(language.open(made, DEFAULTS))]
        if typed.startswith("!!!ARG") and before:
            assert "G007" in [each.code for each in found]


@pytest.mark.usefixtures("short_pieces")
@pytest.mark.parametrize(
    "line", ["  llmblocks: ignore % -->", "llmblocks : ignore[T001 , T2] x", " llm blocks: ignore"]
)
def test_a_line_that_looks_as_if_it_silenced_findings_is_not_cut_there(line: str) -> None:
    assert "C011" in [each.code for each in check(f"a b c d e f g h\n{line}\n", "custom-blocks")]
