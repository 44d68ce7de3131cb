"""The pieces of a long section: a sequence like a tuple, of which an edit makes a part anew."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmblocks.core import rescan
from llmblocks.core.scan import Kind, Token
from llmblocks.core.section import Joined, Piece
from llmblocks.core.tree import FAN, Node
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS

LONG = 20 * FAN
SUMS = "leaves", "length", "newlines", "returns", "kinds", "_ends"
edits = st.lists(st.tuples(st.integers(0, 2 * LONG), st.integers(0, 4 * FAN), st.integers(0, 4 * FAN)), max_size=12)


KINDS = Kind("one"), Kind("other")


def piece(text: str) -> Piece:
    return Piece(text, [Token(KINDS[len(text) % 2], len(text))], None, None, False)


def same(section: Joined, expected: list[Piece]) -> None:
    pieces, every = section.pieces, tuple(expected)
    assert (*pieces,) == every
    assert len(pieces) == len(every)
    assert [*reversed(pieces)] == [*reversed(every)]
    assert (pieces[0], pieces[-1]) == (every[0], every[-1])
    middle = len(every) // 2
    assert pieces[middle] in pieces
    assert piece("a") not in pieces
    for start, end in ((0, 1), (middle - 1, middle + FAN + 1), (middle, None), (None, middle), (-2, None), (9, 3)):
        assert pieces[start:end] == every[start:end]
    chosen = [
        *section.where(lambda part: part is every[-1] or (isinstance(part, Node) and every[-1] in part), [0, middle])
    ]
    assert [each for each, _ in chosen] == [every[number] for number in sorted({0, middle, len(every) - 1})]
    assert [before for _, before in chosen] == [section.up_to(number) for number in sorted({0, middle, len(every) - 1})]
    assert [each for each, _ in section.where(lambda _: True)] == expected
    for number in (0, 1, middle, len(every)):
        assert [*pieces.onward(number)] == expected[number:]
        assert [*pieces.backward(number)] == expected[:number][::-1]
    assert section.length == sum(each.length for each in every)
    assert section.newlines == sum(each.newlines for each in every)
    ends = [0, *accumulate(each.length for each in every)]
    for number in {0, 1, middle, len(every) - 1}:
        assert section.up_to(number).length == ends[number]
        assert section.piece_at(ends[number]) == (number, 0)


def nodes(part: Piece | Node[Piece]) -> Iterator[Node[Piece]]:
    if isinstance(part, Node):
        yield part
        for child in part.children:
            yield from nodes(child)


def filled(node: Node[Piece], *, is_root: bool) -> None:
    """Nodes with few children do not pile up, all leaves are at one depth, and nodes say what is in them."""
    new: Node[Piece] = Node(node.children, node.height)
    assert [getattr(node, name) for name in SUMS] == [getattr(new, name) for name in SUMS]
    assert len(node.children) <= FAN
    assert is_root or len(node.children) >= FAN // 4
    for child in node.children:
        assert (child.height if isinstance(child, Node) else 0) == node.height - 1
        if isinstance(child, Node):
            filled(child, is_root=False)


@given(edits)
def test_the_pieces_of_a_long_section_are_those_that_edits_leave(edits: list[tuple[int, int, int]]) -> None:
    expected = [piece(f"{number}\n") for number in range(LONG)]
    section = Joined((*expected,))
    same(section, expected)
    for head, gone, come in edits:
        at = head % len(expected)
        new = [piece(f"new {number}\r\r\n" * (1 + number % 3)) for number in range(come)]
        old = expected[at : at + gone]
        if len(expected) - len(old) + come < 2:
            continue
        section = section.renewed(at, at + len(old), new)
        expected[at : at + gone] = new
        same(section, expected)
        assert isinstance(section.pieces, Node)
        filled(section.pieces, is_root=True)


def test_an_edit_in_a_long_section_makes_one_path_of_its_tree_anew() -> None:
    section = Joined(tuple([piece(f"{number}\n") for number in range(FAN**3)]))
    changed = section.pieces[FAN**3 // 2]
    before = {*nodes(section.pieces)}
    number = [*section.pieces].index(changed)
    renewed = section.renewed(number, number + 1, [piece("new\r\n\r")])
    assert len({*nodes(renewed.pieces)} - before) == 3
    assert isinstance(renewed.pieces, Node)
    filled(renewed.pieces, is_root=True)


@pytest.mark.parametrize("unit", ["some words that are a line\n", "!!!ARG:a#\nsome words\n"])
def test_after_an_edit_in_a_long_section_the_next_one_there_scans_a_short_piece(unit: str) -> None:
    units = "".join(unit.replace("#", str(number)) for number in range(4 * rescan.PIECE // len(unit)))
    text = f"!!!GADGET_START:Do\n!!!ARG:a\n{units}!!!GADGET_END\n"
    document = find_language("gadget").open(text, DEFAULTS)
    near = rescan.PIECE // rescan.NEAR
    for at in (text.rindex("words"), len(text) // 2, text.index("words")):
        first, second = document.edit(at, at, "x"), document.edit(at, at, "y")
        assert sum(piece.length for piece in second.gone) <= 4 * near
        # or the pieces of a section would become many
        assert len(first.come) == 1 or all(2 * piece.length >= near for piece in first.come)


@pytest.mark.parametrize("number", [0, 1, -1])
def test_all_leaves_of_a_node_are_removed(number: int) -> None:
    expected = [piece(f"{number}\n") for number in range(FAN * FAN)]
    section = Joined((*expected,))
    assert isinstance(section.pieces, Node)
    child = section.pieces.children[number]
    at = [*section.pieces].index(child[0])
    del expected[at : at + child.leaves]
    same(section.renewed(at, at + child.leaves, ()), expected)
