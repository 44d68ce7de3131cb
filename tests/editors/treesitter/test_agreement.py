"""The tree-sitter grammars and our scanners see the same tokens, on any text, alone and inside each other.

Not compared: custom markers and tags that settings register, which a grammar cannot know; a byte-order mark at the
start, which tree-sitter skips before a grammar sees the text. The injection queries say which text goes to which
grammar. They are applied as editors apply them: the text of a node is that without its children, and combined nodes
are one text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tree_sitter import Node, Parser, Query, QueryCursor, Range, Tree

from editors.treesitter.grammars import (
    GADGET,
    HOME,
    REQUEST,
    STF,
    TAGS,
    Leaves,
    language,
    nodes,
    parser,
    point,
    spans,
    tokens_of_scanner,
    tokens_of_tree,
)
from examples import examples
from laws import texts as pieces
from llmblocks.core.layered import Layered
from llmblocks.core.scan import Kind, Scanner, Token, canonical
from llmblocks.gadget.call import read_body
from llmblocks.gadget.scanner import GadgetScanner
from llmblocks.gadget.syntax.markers import ARG, Markers, locate_header
from llmblocks.gadget.syntax.values import coerce
from llmblocks.request.scanner import RequestScanner
from llmblocks.settings.values import DEFAULT_TAGS
from llmblocks.stf.scanner import StfScanner
from llmblocks.stf.syntax import AT_COMMANDS, DIALECTS, SEMICOLON_COMMANDS, parse_arguments
from llmblocks.tags.scanner import TagScanner

DOCUMENTS = settings(max_examples=examples(500), deadline=None, suppress_health_check=list(HealthCheck))


class Subject(NamedTuple):
    """A grammar, and the scanner that it follows."""

    grammar: str
    scanner: Scanner
    leaves: Leaves
    pieces: tuple[str, ...]


GADGET_PIECES = (
    *pieces.GADGET, "!!!ARG:n\n42\n", "-3.50 ", "1e5\n", "true\n", " false", "\n```\n", "!!!!",
    "!!!GADGET_START:a : b :c,,d\n", "\n!!!ARG: a/ 0 /b \n", "\ufeff", "\xa0", ",",
)  # fmt: skip
TAG_PIECES = (
    *pieces.TAGS, "<tool/>", "<answer a = \"1\" b='two words' c>", "<think>", "</think>", "<think", "=", "'",
    "<result x=/y/>", "<thinking\n", "/", "</thinking>", "</thinker>", "</answer>", "</1", "<1", "é=",
)  # fmt: skip
REQUEST_PIECES = (*pieces.REQUEST, *pieces.GADGET, "\n=== SYSTEM ===\n", "\n!!!!ARG:a\n", "!!!!", "\r\n", "[Media: ")
STF_PIECES = (
    *pieces.STF, "\n@user", "\n@ai role = 'a b'\tname=x\"", "\n@dev {a: 'b'} ", "\n@USER x=1\n", "\n@CALL\n",
    "\n@RAW\n", "\n@END\n", "\n;extra\n", "\n;raw\n", "\n;# note\n", "\n; ai\n", "\n@@end\n", "\n@end\n", "\n;;\n",
    "@*/\n", "\r\n", "=", " key=", "\"a\\\"b\"", "'", "K_1=", "\\", "/*", "*/", "#", "\n@verylongcommandname",
    "\n@ai aa=",
)  # fmt: skip
SUBJECTS = (
    Subject("gadget", GadgetScanner(), GADGET, GADGET_PIECES),
    Subject("request", RequestScanner(Markers()), REQUEST, REQUEST_PIECES),
    Subject("stf", StfScanner(has_default=True), STF, STF_PIECES),
    Subject("custom-blocks", TagScanner(DEFAULT_TAGS), TAGS, TAG_PIECES),
)
every_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.grammar)


def documents(*groups: tuple[str, ...], longest: int = 24) -> st.SearchStrategy[str]:
    """Texts of marker pieces that can be written as UTF-8, which is all that tree-sitter reads."""
    return pieces.texts(*groups, longest=longest).map(lambda text: text.replace("\ud800", "\u2029").lstrip("\ufeff"))


def parsed(grammar: str, text: str) -> Tree:
    """Return the tree of a text, which has no errors."""
    tree = parser(grammar).parse(text.encode())
    assert not tree.root_node.has_error, f"{text!r}: {tree.root_node}"
    return tree


@every_subject
def test_a_tree_has_the_tokens_of_the_scanner_and_no_error(subject: Subject) -> None:
    @DOCUMENTS
    @given(documents(subject.pieces))
    def agree(text: str) -> None:
        tree = parsed(subject.grammar, text)
        assert tokens_of_tree(tree, text, subject.leaves) == tokens_of_scanner(subject.scanner, text)

    agree()


def told(node: Node, *types: str) -> list[str]:
    """Return the texts of some nodes in a node."""
    return [(each.text or b"").decode() for each in nodes(node) if each.type in types]


def all_of(tree: Tree, kind: str) -> Iterator[Node]:
    return (node for node in nodes(tree.root_node) if node.type == kind)


@DOCUMENTS
@given(documents(GADGET_PIECES))
def test_a_header_has_the_parts_that_the_runtime_reads(text: str) -> None:
    for header in all_of(parsed("gadget", text), "header"):
        written = (header.text or b"").decode()
        parts = locate_header(written, 0, len(written))
        identifier = parts.invocation_id
        assert told(header, "name") == [each for each in [parts.name.of(written)] if each]
        assert told(header, "invocation_id") == [
            each for each in [identifier.of(written) if identifier else ""] if each
        ]
        assert told(header, "dependency") == [part.of(written) for part in parts.dependencies]


@DOCUMENTS
@given(documents(GADGET_PIECES))
def test_a_value_is_a_number_or_a_boolean_where_the_runtime_makes_it_one(text: str) -> None:
    types = {bool: "boolean", int: "number", float: "number", str: "string"}
    for _, body, values in calls(parsed("gadget", text)):
        call = read_body(body, ARG)
        expected = [types[type(coerce(call.received(number)))] for number in range(len(call.arguments))]
        assert [value.type if value else "string" for value in values] == expected, body


@DOCUMENTS
@given(documents(GADGET_PIECES))
def test_a_string_ends_before_the_newline_that_is_not_a_part_of_it(text: str) -> None:
    for _, body, values in calls(parsed("gadget", text)):
        for value, argument in zip(values, body.split(ARG)[1:], strict=True):
            written = argument.partition("\n")[2].removesuffix("\n")
            assert value is None or value.type != "string" or value.text == written.encode(), body


def calls(tree: Tree) -> Iterator[tuple[str, str, list[Node | None]]]:
    """Yield the calls of a tree: the text of the header, the text up to the end marker, and the values."""
    for call in all_of(tree, "call"):
        written, at = call.text or b"", call.start_byte
        end = next((child.start_byte - at for child in call.children if child.type == "end_marker"), len(written))
        header, _, body = written[:end].decode().partition("\n")
        yield header, body, [child.child_by_field_name("value") for child in call.children if child.type == "argument"]


@DOCUMENTS
@given(documents(STF_PIECES))
@example("@dev {a: 'b'} \r\n")
def test_a_command_has_the_arguments_that_the_decoder_reads(text: str) -> None:
    for given_arguments in all_of(parsed("stf", text), "arguments"):
        command = given_arguments.parent
        assert command is not None
        written = (given_arguments.text or b"").decode()
        expected = parse_arguments(written, 0, len(written), DIALECTS[told(command, "sign")[0]])
        if expected.problems:
            continue
        if expected.braces:
            assert told(given_arguments, "json5") == [written.strip(" \t")]
            continue
        assert told(given_arguments, "key") == [item.key for item in expected.items]
        values = [written[item.value_start : item.value_end] for item in expected.items]
        assert told(given_arguments, "quoted_string", "unquoted_string") == values


@pytest.mark.parametrize("header", DIALECTS)
@pytest.mark.parametrize("name", sorted({*AT_COMMANDS, *SEMICOLON_COMMANDS}))
def test_a_command_is_what_its_dialect_has(header: str, name: str) -> None:
    text = f"{header}user\n{header}{name}\n1\n{header}{name.upper()}\n2\n{header}end\n3\n"
    assert tokens_of_tree(parsed("stf", text), text, STF) == tokens_of_scanner(StfScanner(has_default=True), text)


Spans = list[tuple[int, int]]
LEAVES = {"stf": STF, "request": REQUEST, "gadget": GADGET, "custom-blocks": TAGS}
IN_GADGET = Layered(GadgetScanner(), TagScanner(DEFAULT_TAGS))
LAYERED: tuple[tuple[str, Scanner, tuple[str, ...]], ...] = (
    ("gadget", IN_GADGET, (*GADGET_PIECES, *TAG_PIECES)),
    ("stf", Layered(StfScanner(has_default=True), GadgetScanner()), (*STF_PIECES, *GADGET_PIECES)),
    ("stf", Layered(StfScanner(has_default=True), IN_GADGET), (*STF_PIECES, *GADGET_PIECES, *TAG_PIECES)),
    ("request", Layered(RequestScanner(Markers()), IN_GADGET), (*REQUEST_PIECES, *GADGET_PIECES, *TAG_PIECES)),
)


@pytest.mark.parametrize(
    ("name", "scanner", "pieces"), LAYERED, ids=["tags in gadget", "gadget in stf", "all", "request"]
)
def test_the_trees_of_a_text_have_the_tokens_of_the_layers(
    name: str, scanner: Scanner, pieces: tuple[str, ...]
) -> None:
    deepest = "gadget" if scanner is LAYERED[1][1] else "custom-blocks"

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
        own = [each for node in captured["injection.content"] for each in without_children(node)]
        stretches = common(own, inside)
        if "injection.combined" in said:
            combined.setdefault(pattern, []).extend(stretches)
        else:
            yield inner, stretches
    for pattern, stretches in combined.items():
        yield str(query.pattern_settings(pattern)["injection.language"]).replace("_", "-"), sorted(stretches)


def without_children(node: Node) -> Spans:
    starts = [node.start_byte, *(child.end_byte for child in node.children)]
    ends = [*(child.start_byte for child in node.children), node.end_byte]
    return [(start, end) for start, end in zip(starts, ends, strict=True) if start < end]


def common(these: Spans, those: Spans) -> Spans:
    """Return the stretches in both."""
    both = [(max(start, begin), min(end, stop)) for start, end in these for begin, stop in those]
    return [(start, end) for start, end in both if start < end]
