"""The tree-sitter grammars and our scanners see the same tokens, on any text.

Not compared: custom markers and tags that settings register, which a grammar cannot know; a byte-order mark at the
start, which tree-sitter skips before a grammar sees the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tree_sitter import Node, Tree

from editors.treesitter.grammars import nodes, parser
from editors.treesitter.leaves import GADGET, REQUEST, STF, TAGS, Leaves, tokens_of_scanner, tokens_of_tree
from examples import examples
from laws import texts as pieces
from llmblocks.core.scan import Scanner
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
