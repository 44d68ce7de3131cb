"""An edit gives the tree of a fresh parse, no text takes more than linear work, queries capture what `queries.md` has.

There, a fence of a language is a text, and each fence with the title of a query has its captures, in the order of the
text. `LLMBLOCKS_GOLDEN=1` writes them again: read the difference.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import LogType, Parser, Query, QueryCursor

from editors.treesitter.grammars import HOME, NAMES, language, parser, point, shape
from editors.treesitter.test_agreement import DOCUMENTS, Subject, documents, every_subject
from laws.laws import Edit
from llmblocks.settings.values import DEFAULT_TAGS

LONG = 1_000
HEADS = {
    "gadget": ("", "!!!GADGET_START:", "!!!GADGET_START:a\n!!!ARG:a", "!!!GADGET_START:a\n!!!ARG:a\n"),
    "request": ("", "=== USER ===\n", "=== USER ===\nResult (a): ", "=== ASSISTANT ===\n"),
    "stf": ("", "@user", "@user aa=", "@/*\n", "@user\n"),
    "custom-blocks": ("", "<think", "<think>\n"),
}


@every_subject
def test_an_edited_tree_is_that_of_a_fresh_parse(subject: Subject) -> None:
    number = st.integers(0, 400)
    edits = st.lists(st.builds(Edit, number, st.integers(0, 40), documents(subject.pieces, longest=3)), max_size=4)

    @DOCUMENTS
    @given(documents(subject.pieces), edits)
    def same(text: str, edits: list[Edit]) -> None:
        reader = parser(subject.grammar)
        source = text.encode()
        tree = reader.parse(source)
        for edit in edits:
            start, end = edit.place(len(text))
            text = text[:start] + edit.text + text[end:]
            if text.startswith("\ufeff"):
                return
            before, source = source, text.encode()
            at = len(text[:start].encode())
            come = at + len(edit.text.encode())
            gone = len(before) - len(source) + come
            tree.edit(at, gone, come, point(before, at), point(before, gone), point(source, come))
            tree = reader.parse(source, tree)
            assert shape(tree.root_node) == shape(reader.parse(source).root_node), text

    same()


@every_subject
def test_no_text_is_read_more_than_a_few_times(subject: Subject) -> None:
    """Repeat a piece of a text after each head, and with it."""
    signs = ("a", "1", "=", "'", '"\\', "\\", "`", ",", "[", "{", "\r", "\n", " ")
    for head in HEADS[subject.grammar]:
        for piece in (*subject.pieces, *signs):
            for text in (head + piece * (LONG // len(piece)), (head + piece) * (LONG // len(head + piece))):
                assert looks(parser(subject.grammar), text) < 8 * len(text) + 100, (head, piece)


def looks(reader: Parser, text: str) -> int:
    """How often tree-sitter reads a character of a text."""
    count = 0

    def log(kind: LogType, message: str) -> None:
        nonlocal count
        count += kind == LogType.LEX and message.startswith(("consume", "skip"))

    reader.logger = log
    reader.parse(text.encode())
    return count


PAGE = Path(__file__).with_name("queries.md")
QUERIES = ("highlights", "folds", "injections", "tags", "indents")


def captures(name: str, query: str, text: str) -> str:
    """Return the captures of a query, in text order: a line with the capture and the text of each node."""
    written = (HOME / name / "queries" / f"{query}.scm").read_text(encoding="utf-8")
    found = [
        (node.start_byte, -node.end_byte, capture, (node.text or b"").decode())
        for capture, nodes in QueryCursor(Query(language(name), written))
        .captures(parser(name).parse(text.encode()).root_node)
        .items()
        for node in nodes
    ]
    return "".join([f"{capture} {json.dumps(text)}\n" for _, _, capture, text in sorted(found)])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("query", QUERIES)
def test_every_query_is_about_nodes_that_the_grammar_has(name: str, query: str) -> None:
    captures(name, query, "")


def test_the_captures_are_those_of_the_page() -> None:
    name = text = ""

    def again(fence: re.Match[str]) -> str:
        nonlocal name, text
        if fence["query"] is None:
            name, text = fence["info"], fence["inside"]
            return fence[0]
        return f'```text title="{fence["query"]}"\n{captures(name, fence["query"], text)}```'

    fences = re.compile(r'```(?P<info>[\w-]+)(?: title="(?P<query>\w+)")?\n(?P<inside>(?:.*\n)*?)```')
    kept = PAGE.read_text("utf-8")
    found = fences.sub(again, kept)
    if os.environ.get("LLMBLOCKS_GOLDEN"):
        PAGE.write_text(found, "utf-8")
    assert found == kept


def test_the_tags_are_those_registered_by_default() -> None:
    scanner = (HOME / "custom-blocks" / "src" / "scanner.c").read_text(encoding="utf-8")
    (listed,) = re.findall(r"TAGS\[\] = \{(.*)\}", scanner)
    assert tuple(re.findall(r'"(.*?)"', listed)) == DEFAULT_TAGS
