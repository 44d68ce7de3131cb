"""How a text is cut for storage shows nowhere: not in findings, not in features, not after edits.

Each rule's examples, as they are and grown past every limit, are stored in parts of 1 character to 8 KB, and compared
with the same text in one part.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest

from examples import LAWS
from llmblocks.core import layered, rescan, sequence, tree
from llmblocks.core.document import Document
from llmblocks.core.query import Summary
from llmblocks.core.tree import Node
from llmblocks.facts.rule import Rule
from llmblocks.features.completion import complete
from llmblocks.features.folding import folding
from llmblocks.features.hover import hover
from llmblocks.features.outline import outline
from llmblocks.languages.ask import Ask, ask_all
from llmblocks.languages.language import Language
from llmblocks.languages.registry import LANGUAGES, find_language
from llmblocks.lsp.documents import columns
from llmblocks.lsp.documents.columns import ClientPositions
from llmblocks.lsp.documents.encoded_tokens import Encoded, join, listed, of_block
from llmblocks.rules.checker import Checker
from llmblocks.settings.rule_names import RULES
from llmblocks.settings.values import DEFAULTS, Settings
from llmblocks.tags.editor import scanner as tag_scanner
from rule_examples import settings_of

ONE_PART = 1 << 30
SIZES = (1, 2, 3, 5, 8, 16, 8192)
GROWN = 20_000
"""Longer than a part of 8 KB may get, and than what features read around a place."""
FILLERS = (" ", "\n", "word" * 25 + " ", "word" * 25 + "\n")
TYPED = ("x", " ", "\n", "<", ">", "!!!", "@", "}", "", "", "")


@contextmanager
def parts_of(size: int) -> Iterator[None]:
    """Text is cut into parts of about this size, long lines, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rescan, "PIECE", size)
        if size < 100:
            patch.setattr(tree, "FAN", 4)
            patch.setattr(sequence, "_BLOCK", 3)
            patch.setattr(rescan, "LONG_LINES", 1)
            patch.setattr(tag_scanner, "LONG", 12)
            patch.setattr(layered, "LONGEST_PLAIN", 12)
            patch.setattr(columns, "_LONG", 12)
        yield


class Reader:
    """Everything that is said of documents of a language, under some settings."""

    def __init__(self, language_id: str, settings: Settings) -> None:
        self.language: Language = find_language(language_id)
        self.settings = settings
        self.checker = Checker(self.language, settings)
        # an example is compared many times with the same
        self.whole = lru_cache(maxsize=4)(self._whole)

    def _whole(self, text: str) -> Document:
        with parts_of(ONE_PART):
            return self.opened(text)

    def opened(self, text: str) -> Document:
        return Document(self.language.scanner(self.settings), text, self.checker.count_findings)

    def same(self, document: Document, text: str, places: list[int]) -> None:
        """A document says what one in a single part says."""
        whole = self.whole(text)
        assert document.text == text
        assert [each.text for each in document.sections] == [each.text for each in whole.sections]
        assert document.tokens() == whole.tokens()
        assert [*self.checker.all(document)] == [*self.checker.all(whole)]
        assert document.sections.finding_count == whole.sections.finding_count
        one, other = (ask_all(each, self.language, self.settings) for each in (document, whole))
        assert folding(one) == folding(other)
        assert outline(one) == outline(other)
        assert self.colours(document) == self.colours(whole)
        for place in places:
            one, other = (Ask(each, self.language, self.settings, place, place) for each in (document, whole))
            assert hover(one) == hover(other), place
            offered = [[each._replace(more=None) for each in complete(ask)] for ask in (one, other)]
            assert offered[0] == offered[1], place

    def colours(self, document: Document) -> str:
        find = of_block(self.language.paints(self.settings), "utf-16")
        return listed(join([find(block) for block, _ in document.sections.blocks()]))


def grown(document: Document, filler: str) -> Iterator[str]:
    """A text with each of its tokens that can be of any length grown past every limit."""
    text, at = document.text, 0
    for kind, width in document.tokens():
        if kind.merges and width:
            middle = at + width // 2
            yield text[:middle] + (filler * GROWN)[:GROWN] + text[middle:]
        at += width


def places_in(document: Document) -> list[int]:
    """The ends of tokens, and places inside them."""
    ends = [0]
    for _, width in document.tokens():
        ends.append(ends[-1] + width)
    return sorted({*ends, *[(one + other) // 2 for one, other in pairwise(ends)]})


CASES = [
    pytest.param(rule, language.id, id=f"{rule.code}-{language.id}")
    for rule in RULES
    for language in LANGUAGES
    if rule.layer in language.layers and not language.repeats
]


@pytest.mark.parametrize(("rule", "language_id"), CASES)
def test_an_example_in_parts_of_any_size_is_the_one_in_a_single_part(rule: Rule, language_id: str) -> None:
    reader = Reader(language_id, settings_of(rule))
    chosen = random.Random(rule.code)
    for text in (rule.bad, rule.good):
        text = f"@ai\n{text}" if language_id == "stf" != rule.layer else text
        for size in chosen.sample(SIZES, max(min(LAWS // 25, len(SIZES)), 2)):
            with parts_of(size):
                document = reader.opened(text)
                places = places_in(document)
                reader.same(document, text, chosen.sample(places, min(len(places), max(LAWS // 10, 4))))
                edited = text
                for _ in range(3):
                    start = chosen.randrange(len(edited) + 1)
                    end = min(start + chosen.choice((0, 0, 1, 4)), len(edited))
                    typed = chosen.choice(TYPED)
                    document.edit(start, end, typed)
                    edited = edited[:start] + typed + edited[end:]
                    reader.same(document, edited, [min(start + len(typed), len(edited))])
                document.edit(0, len(edited), text)
                reader.same(document, text, [])


@pytest.mark.parametrize(("rule", "language_id"), CASES)
def test_an_example_that_has_grown_past_every_limit_is_the_one_in_a_single_part(rule: Rule, language_id: str) -> None:
    reader = Reader(language_id, settings_of(rule))
    chosen = random.Random(rule.code)
    several = [
        (text, longer)
        for text in (rule.bad, rule.good)
        for filler in FILLERS
        for longer in grown(reader.opened(text), filler)
    ]
    for text, longer in chosen.sample(several, min(len(several), max(LAWS // 10, 2))):
        document = reader.opened(longer)
        places = places_in(document)
        reader.same(document, longer, chosen.sample(places, min(len(places), 5)))
        # grow and shrink
        again = reader.opened(text)
        start = next((at for at, (one, other) in enumerate(zip(text, longer, strict=False)) if one != other), len(text))
        again.edit(start, start, longer[start : start + GROWN])
        reader.same(again, longer, [])
        again.edit(start, start + GROWN, "")
        reader.same(again, text, [])


REQUEST = """\
=== SYSTEM ===
!!!GADGET_START:Name:id
!!!ARG:a

=== ASSISTANT ===
!!!GADGET_START:Sum:s1
!!!ARG:a
1
!!!ARG:a
2
!!!GADGET_END

=== USER ===
Result (s1): 3
[Media: m1 (image)]

"""


@pytest.mark.parametrize("size", SIZES)
def test_a_request_in_parts_of_any_size_is_the_one_in_a_single_part(size: int) -> None:
    reader = Reader("request", DEFAULTS)
    chosen = random.Random(size)
    with parts_of(size):
        document = reader.opened(REQUEST * 2)
        edited = REQUEST * 2
        reader.same(document, edited, chosen.sample(places_in(document), 6))
        for _ in range(max(LAWS // 10, 3)):
            start = chosen.randrange(len(edited) + 1)
            end = min(start + chosen.choice((0, 0, 1, 4, 20)), len(edited))
            typed = chosen.choice((*TYPED, "=", "\n=== USER ===\n", "Result (s1): ", "\n[Media: "))
            document.edit(start, end, typed)
            edited = edited[:start] + typed + edited[end:]
            reader.same(document, edited, [min(start + len(typed), len(edited))])


BLOCKS = ("<think>", "<think>", "</think>", "</think>", "<think a='1'>", "<tool/>", "\n", "\n" * 40, "  \n", "x")
AROUND = {
    "custom-blocks": (),
    "gadget": ("!!!GADGET_START:A\n!!!GADGET_END\n",),
    "stf": ("\n@user\n", "\n@# note\n", "\n@/*\n", "\n@/*\n", "\n@*/\n", "\n@*/\n"),
}


@pytest.mark.parametrize("language_id", AROUND)
def test_what_is_found_in_many_blocks_is_the_same_in_parts_of_any_size(language_id: str) -> None:
    reader = Reader(language_id, DEFAULTS)
    chosen = random.Random(language_id)
    for _ in range(max(LAWS, 100)):
        text = "@ai\n" * (language_id == "stf") + "".join(chosen.choices((*BLOCKS, *AROUND[language_id]), k=24))
        with parts_of(chosen.choice((1, 3, 8))):
            document = reader.opened(text)
            found = [*reader.checker.all(document)]
            start = chosen.randrange(len(text))
            document.edit(start, start + 1, "")
            edited = [*reader.checker.all(document)]
        with parts_of(ONE_PART):
            assert found == [*reader.checker.all(reader.opened(text))]
            assert edited == [*reader.checker.all(reader.opened(text[:start] + text[start + 1 :]))]


def nodes(part: Any) -> Iterator[Node[Any]]:
    if type(part) is Node:
        yield part
        for child in part.children:
            yield from nodes(child)


def remembered(document: Document) -> Iterator[tuple[Summary[Any], Node[Any], Any]]:
    for root in (document.sections.root, *[section.pieces for section in document.sections]):
        for node in nodes(root):
            for query, found in (node.memory or {}).items():
                if isinstance(query, Summary):
                    yield query, node, found


def plain(found: Any) -> Any:
    """An answer, without how it is grouped."""
    return found._replace(parts=()) if isinstance(found, Encoded) else found


def test_what_nodes_of_nodes_show_is_what_their_leaves_show_together() -> None:
    met = set()
    chosen = random.Random(0)
    for language_id, head in (("gadget", ""), ("stf", "@ai\n"), ("custom-blocks", ""), ("request", "=== USER ===\n")):
        texts = [head + text for rule in RULES for text in (rule.bad, rule.good)]
        more = [f"{head}!!!GADGET_START:A\n!!!ARG:a\n```\n{end}" for end in ("a\r\n```\n```\n", "```\n" * 20)]
        more += [f"{head}<think>{blank}</think>\n" for blank in ("\n" * 40, " " * 40)]
        more.append(f"{head}!!!GADGET_START:A\nlost\n\ntoo\n!!!ARG:a\n1\n")
        more.append(f"{head}!!!GADGET_START:A\n!!!ARG:a\n" + "a\r\n" * 20)
        more.append(head + "@/*\n!!!GADGET_START:A\n!!!GADGET_END\n@*/\n" * 8 + "@embed\nb.png\n" * 8)
        reader = Reader(language_id, DEFAULTS)
        for number in range(max(LAWS // 10, 5)):
            # the first has everything that summaries are about, whatever the rules' examples have
            text = "".join(chosen.sample((*chosen.choices(texts, k=8), *more), 12) if number else more)
            with parts_of(chosen.choice((1, 3, 8))):
                document = reader.opened(text)
                reader.same(document, text, chosen.sample(places_in(document), 2))
                ClientPositions(document, "utf-16").position(len(text))
            for summary, node, found in remembered(document):
                met.add(summary.name)
                assert plain(found) == plain(summary.join(map(summary.of, node))), summary.name
    assert len(met) >= 15, sorted(met)
