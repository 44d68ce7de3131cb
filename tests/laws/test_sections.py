"""The tree of a document's sections: each piece is found at its place, and no earlier tree is kept."""

from __future__ import annotations

from weakref import ref

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from llmblocks.core import tree
from llmblocks.core.sequence import Address, Block, Sections
from llmblocks.core.tree import Node
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS

PARTS = ("!!!GADGET_START:A\n", "!!!ARG:a\n", "x\n", "!!!GADGET_END\n", "words\n", "\r\r\n", "")


def nodes(part: Block) -> list[Block]:
    return [part, *[each for child in part.children if isinstance(child, Node) for each in nodes(child)]]


def consistent(sections: Sections) -> None:
    for number, placed in enumerate(sections.all()):
        assert sections.placed(number) == placed
        assert [sections.find(piece) for piece in placed.section.pieces] == [
            Address(number, inside) for inside in range(len(placed.section.pieces))
        ]
    for node in nodes(sections.root):
        assert [child.around and child.around() for child in node.children] == [node] * len(node.children)
    assert sections.finding_count == sum(section.finding_count for section in sections)


@settings(deadline=None, suppress_health_check=[*HealthCheck], max_examples=100)
@given(
    st.integers(0, 60),
    st.lists(st.tuples(st.integers(0, 999), st.integers(0, 200), st.lists(st.sampled_from(PARTS), max_size=40))),
)
def test_every_piece_is_found_at_its_place_after_edits(calls: int, edits: list[tuple[int, int, list[str]]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree, "FAN", 4)
        text = "!!!GADGET_START:A\n!!!ARG:a\nx\n!!!GADGET_END\nwords\n" * calls
        document = find_language("gadget").open(text, DEFAULTS, lambda section: section.text.count("x"))
        consistent(document.sections)
        for start, length, come in edits:
            gone, earlier = [*document.pieces()], ref(document.sections.root)
            document.edit(start, start + length, "".join(come))
            consistent(document.sections)
            assert earlier() in (None, document.sections.root)
            left = {*document.pieces()}
            assert all(document.sections.find(piece) is None for piece in gone if piece not in left)
