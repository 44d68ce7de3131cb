"""The queries of the tree-sitter grammars: what each captures in a small text."""

from __future__ import annotations

import re

import pytest
from tree_sitter import Query, QueryCursor

from editors.treesitter.grammars import HOME, NAMES, language, parser
from llmblocks.settings.values import DEFAULT_TAGS

QUERIES = ("highlights", "folds", "injections", "tags", "indents")

GADGET = """\
hi
!!!GADGET_START:Write:w1:a, b
no {}
!!!ARG:filePath
src/a.py
!!!ARG:edits/0/content
x = 1

!!!ARG:edits/0/line
1e5
!!!ARG:n
42
!!!GADGET_END
!!!ARG:lost
"""


def captures(name: str, query: str, text: str) -> list[tuple[str, str]]:
    """Return the captures of a query, in text order: (capture, text) of each node."""
    written = (HOME / name / "queries" / f"{query}.scm").read_text(encoding="utf-8")
    cursor = QueryCursor(Query(language(name), written))
    tree = parser(name).parse(text.encode())
    found = [
        (node.start_byte, -node.end_byte, capture, (node.text or b"").decode())
        for capture, nodes in cursor.captures(tree.root_node).items()
        for node in nodes
    ]
    return [(capture, text) for _, _, capture, text in sorted(found)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("query", QUERIES)
def test_every_query_is_about_nodes_that_the_grammar_has(name: str, query: str) -> None:
    captures(name, query, "")


def test_the_colours_of_a_call() -> None:
    assert captures("gadget", "highlights", GADGET) == [
        ("keyword", "!!!GADGET_START:"),
        ("function", "Write"),
        ("punctuation.delimiter", ":"),
        ("constant", "w1"),
        ("punctuation.delimiter", ":"),
        ("constant", "a"),
        ("punctuation.delimiter", ","),
        ("constant", "b"),
        ("comment", "no {}\n"),
        ("keyword", "!!!ARG:"),
        ("property", "filePath"),
        ("string", "src/a.py"),
        ("keyword", "!!!ARG:"),
        ("property", "edits"),
        ("punctuation.delimiter", "/"),
        ("number", "0"),
        ("punctuation.delimiter", "/"),
        ("property", "content"),
        ("string", "x = 1\n"),
        ("keyword", "!!!ARG:"),
        ("property", "edits"),
        ("punctuation.delimiter", "/"),
        ("number", "0"),
        ("punctuation.delimiter", "/"),
        ("property", "line"),
        # text to the runtime
        ("string", "1e5"),
        ("keyword", "!!!ARG:"),
        ("property", "n"),
        ("number", "42"),
        ("keyword", "!!!GADGET_END"),
        ("comment", "!!!ARG:"),
    ]


def test_a_start_marker_without_its_newline_is_text() -> None:
    assert captures("gadget", "highlights", "!!!GADGET_START:Write:w1") == []


def test_the_value_of_a_file_has_the_language_of_its_name() -> None:
    assert captures("gadget", "injections", GADGET) == [
        ("injection.content", "hi\n"),
        ("_name", "filePath"),
        ("injection.filename", "src/a.py"),
        ("_content", "content"),
        ("injection.content", "x = 1\n"),
        ("injection.content", "\n"),
        ("injection.content", "lost\n"),
    ]


def test_a_call_and_its_arguments_fold() -> None:
    assert [(name, text.split("\n")[0]) for name, text in captures("gadget", "folds", GADGET)] == [
        ("fold", "!!!GADGET_START:Write:w1:a, b"),
        ("fold", "!!!ARG:filePath"),
        ("fold", "!!!ARG:edits/0/content"),
        ("fold", "!!!ARG:edits/0/line"),
        ("fold", "!!!ARG:n"),
    ]


def test_a_call_has_its_name_and_defines_its_id() -> None:
    assert [each for each in captures("gadget", "tags", GADGET) if each[0] == "name"] == [
        ("name", "Write"),
        ("name", "w1"),
    ]


BLOCKS = """\
List<String> <b>
<think depth="2" lang=python>
x = 1
</think>
<tool/>
"""


def test_the_colours_of_blocks() -> None:
    bracket = "punctuation.bracket"
    assert captures("custom-blocks", "highlights", BLOCKS) == [
        (bracket, "<"),
        ("tag", "think"),
        ("attribute", "depth"),
        ("operator", "="),
        ("string", '"'),
        ("string", "2"),
        ("string", '"'),
        ("attribute", "lang"),
        ("operator", "="),
        ("string", "python"),
        (bracket, ">"),
        (bracket, "</"),
        ("tag", "think"),
        (bracket, ">"),
        (bracket, "<"),
        ("tag", "tool"),
        (bracket, "/>"),
    ]


def test_a_block_folds_and_has_its_name() -> None:
    whole = BLOCKS.split("\n", 1)[1].removesuffix("\n<tool/>\n")
    assert captures("custom-blocks", "folds", BLOCKS) == [("fold", whole), ("fold", "<tool/>")]
    assert captures("custom-blocks", "tags", BLOCKS) == [("definition.class", whole), ("name", "think")]


def test_a_block_has_the_language_that_its_attribute_says() -> None:
    found = captures("custom-blocks", "injections", BLOCKS)
    assert found == [("_name", "lang"), ("injection.language", "python"), ("injection.content", "\nx = 1\n")]


def test_the_tags_are_those_registered_by_default() -> None:
    scanner = (HOME / "custom-blocks" / "src" / "scanner.c").read_text(encoding="utf-8")
    (listed,) = re.findall(r"TAGS\[\] = \{(.*)\}", scanner)
    assert tuple(re.findall(r'"(.*?)"', listed)) == DEFAULT_TAGS


CHAT = """\
@user name=Ada
@@home
@# note
@ai
@embed type=image
cat.png
@call {name: 'f'}
{a: 1}
@bogus
@end
"""


def test_the_colours_of_a_chat() -> None:
    found = captures("stf", "highlights", CHAT)
    assert [each for each in found if each[0] != "_command"] == [
        ("keyword", "@"),
        ("keyword", "user"),
        ("property", "name"),
        ("operator", "="),
        ("string", "Ada"),
        ("string.escape", "@"),
        ("comment", "@# note\n"),
        ("keyword", "@"),
        ("keyword", "ai"),
        ("keyword", "@"),
        ("keyword", "embed"),
        ("property", "type"),
        ("operator", "="),
        ("string", "image"),
        ("string.special.path", "cat.png\n"),
        ("keyword", "@"),
        ("keyword", "call"),
    ]


def test_the_texts_of_a_chat_go_to_other_grammars() -> None:
    found = captures("stf", "injections", CHAT)
    assert [text for capture, text in found if capture == "injection.content"] == [
        "@@home\n@# note\n",
        CHAT.split("@ai\n")[1],
        "{name: 'f'}",
        "{a: 1}\n",
    ]


def test_messages_fold_and_are_listed() -> None:
    folds = [text.split("\n")[0] for _, text in captures("stf", "folds", f"{CHAT}@raw\n{{}}\n@/*\n@*/\n@end\n")]
    assert folds == ["@user name=Ada", "@ai", "@raw", "@/*"]
    assert [text for capture, text in captures("stf", "tags", CHAT) if capture == "name"] == ["user", "ai"]
