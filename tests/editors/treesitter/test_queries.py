"""The queries of the tree-sitter grammars: what each captures in the small texts of `queries.md`.

A fence of a language is a text, and each fence with the title of a query has its captures, in the order of the text.
`LLMBLOCKS_GOLDEN=1` writes them again: read the difference.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from tree_sitter import Query, QueryCursor

from editors.treesitter.grammars import HOME, NAMES, language, parser
from llmblocks.settings.values import DEFAULT_TAGS

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


def test_a_start_marker_without_its_newline_is_text() -> None:
    assert captures("gadget", "highlights", "!!!GADGET_START:Write:w1") == ""


def test_the_tags_are_those_registered_by_default() -> None:
    scanner = (HOME / "custom-blocks" / "src" / "scanner.c").read_text(encoding="utf-8")
    (listed,) = re.findall(r"TAGS\[\] = \{(.*)\}", scanner)
    assert tuple(re.findall(r'"(.*?)"', listed)) == DEFAULT_TAGS
