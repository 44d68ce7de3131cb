"""The grammars inside each other see the tokens of our layered scanners.

The injection queries say which text goes to which grammar. They are applied here as editors apply them: the text of a
node is that without its children, and combined nodes are one text.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from tree_sitter import Node, Parser, Point, Query, QueryCursor, Range, Tree

from editors.treesitter.grammars import HOME, language, parser
from editors.treesitter.leaves import GADGET, REQUEST, STF, TAGS, spans, tokens_of_scanner
from editors.treesitter.test_agreement import (
    DOCUMENTS,
    GADGET_PIECES,
    REQUEST_PIECES,
    STF_PIECES,
    TAG_PIECES,
    documents,
)
from llmblocks.core.layered import Layered
from llmblocks.core.scan import Kind, Scanner, Token, canonical
from llmblocks.gadget.scanner import GadgetScanner
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.request.scanner import RequestScanner
from llmblocks.settings.values import DEFAULT_TAGS
from llmblocks.stf.scanner import StfScanner
from llmblocks.tags.scanner import TagScanner

Spans = list[tuple[int, int]]
LEAVES = {"stf": STF, "request": REQUEST, "gadget": GADGET, "custom-blocks": TAGS}
IN_GADGET = Layered(GadgetScanner(), TagScanner(DEFAULT_TAGS))
SUBJECTS: tuple[tuple[str, Scanner, tuple[str, ...]], ...] = (
    ("gadget", IN_GADGET, (*GADGET_PIECES, *TAG_PIECES)),
    ("stf", Layered(StfScanner(has_default=True), GadgetScanner()), (*STF_PIECES, *GADGET_PIECES)),
    ("stf", Layered(StfScanner(has_default=True), IN_GADGET), (*STF_PIECES, *GADGET_PIECES, *TAG_PIECES)),
    ("request", Layered(RequestScanner(Markers()), IN_GADGET), (*REQUEST_PIECES, *GADGET_PIECES, *TAG_PIECES)),
)


@pytest.mark.parametrize(
    ("name", "scanner", "pieces"), SUBJECTS, ids=["tags in gadget", "gadget in stf", "all", "request"]
)
def test_the_trees_of_a_text_have_the_tokens_of_the_layers(
    name: str, scanner: Scanner, pieces: tuple[str, ...]
) -> None:
    deepest = "gadget" if scanner is SUBJECTS[1][1] else "custom-blocks"

    @DOCUMENTS
    @given(documents(pieces))
    def agree(text: str) -> None:
        source = text.encode()
        found = sorted(layers(name, deepest, source, [(0, len(source))]), key=lambda span: span[1])
        tokens = [Token(kind, len(source[start:end].decode())) for kind, start, end in found]
        assert canonical(tokens) == tokens_of_scanner(scanner, text)

    agree()


def layers(name: str, deepest: str, source: bytes, inside: Spans) -> Iterator[tuple[Kind, int, int]]:
    """Yield the tokens of some stretches of a text, by a grammar and those inside of it."""
    tree = tree_of(name, source, inside)
    assert not tree.root_node.has_error, source
    ours: list[tuple[Kind, int, int]] = [
        (kind, *piece)
        for kind, start, end in spans(tree.root_node, LEAVES[name])
        for piece in common([(start, end)], inside)
    ]
    taken: Spans = []
    if name != deepest:
        for inner, stretches in injected(name, tree, inside):
            taken += stretches
            yield from layers(inner, deepest, source, stretches)
    starts = {start for start, _ in taken}
    yield from (span for span in ours if span[1] not in starts)


def tree_of(name: str, source: bytes, inside: Spans) -> Tree:
    """Return the tree of some stretches of a text."""
    places = [Range(point(source, start), point(source, end), start, end) for start, end in inside]
    if not places:
        return parser(name).parse(b"")
    reader = Parser(language(name))
    reader.included_ranges = places
    return reader.parse(source)


def injected(name: str, tree: Tree, inside: Spans) -> Iterator[tuple[str, Spans]]:
    """Return the injections of a grammar: another grammar and its stretches."""
    query = Query(language(name), (HOME / name / "queries" / "injections.scm").read_text(encoding="utf-8"))
    combined: dict[int, Spans] = {}
    for pattern, captured in QueryCursor(query).matches(tree.root_node):
        said = query.pattern_settings(pattern)
        inner = str(said.get("injection.language", "")).replace("_", "-")
        if inner not in LEAVES:
            continue
        own = [common([each], inside) for node in captured["injection.content"] for each in [*without_children(node)]]
        stretches = [piece for pieces in own for piece in pieces]
        if "injection.combined" in said:
            combined.setdefault(pattern, []).extend(stretches)
        else:
            yield inner, stretches
    for pattern, stretches in combined.items():
        yield str(query.pattern_settings(pattern)["injection.language"]).replace("_", "-"), sorted(stretches)


def without_children(node: Node) -> Iterator[tuple[int, int]]:
    at = node.start_byte
    for child in node.children:
        if child.start_byte > at:
            yield at, child.start_byte
        at = child.end_byte
    if node.end_byte > at:
        yield at, node.end_byte


def common(these: Spans, those: Spans) -> Spans:
    """Return the stretches in both."""
    return [
        (max(start, begin), min(end, stop))
        for start, end in these
        for begin, stop in those
        if max(start, begin) < min(end, stop)
    ]


def point(source: bytes, at: int) -> Point:
    """Return the place of a byte."""
    return Point(source.count(b"\n", 0, at), at - (source.rfind(b"\n", 0, at) + 1))
