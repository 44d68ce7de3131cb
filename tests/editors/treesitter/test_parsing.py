"""An edit gives the tree of a fresh parse, and no text takes more than linear work."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import LogType, Parser, Point

from editors.treesitter.grammars import parser, shape
from editors.treesitter.test_agreement import DOCUMENTS, Subject, documents, every_subject
from laws.laws import Edit

LONG = 4_000
HEADER, POINTER, VALUE = "!!!GADGET_START:", "!!!GADGET_START:a\n!!!ARG:a", "!!!GADGET_START:a\n!!!ARG:a\n"
ENDLESS = {
    "gadget": (
        *("!", "!!! ", "!!!GADGET", "!!!GADGET_START:", "!!!ARG:", "\n", "`"),
        *(f"{HEADER}{repeated}" for repeated in (":", " ", ",", "a ", "!")),
        *(f"{POINTER}{repeated}" for repeated in ("!", "1", " ", "/", "!!!", ":")),
        *(f"{VALUE}{repeated}" for repeated in ("!", "1", " ", "`", "\n", "42\n", "!!!GADGET_", "```")),
    ),
    "request": (
        *("=", "=== ", "=== USER ===\n", "===\n", "!", "!!!ARG:", "!!!ARG:a\n", "a", "\n", "\r", "Result ("),
        *(f"=== USER ===\n{repeated}" for repeated in ("Result (", "a", "Result (a): ", "[Media: ", "\n")),
        *(f"=== USER ===\nResult (a): {repeated}" for repeated in ("[", "\n[Media: ", "\n[", "!!!", "\n=== ")),
        *(f"=== ASSISTANT ===\n{repeated}" for repeated in ("!", "\n=", "=== ", "\n=== USER")),
    ),
    "stf": (
        *("@", "@ ", ";", "@\n", "@@\n", "a\n", "@/*\n", "@*/\n", "@a", "\r", "@\r", "; \n", "@user\n", "@raw\n"),
        *(f"@user{repeated}" for repeated in (" ", "a", " a", "=", " aa=", "\r", " a= ", "{")),
        *(f"@user aa={repeated}" for repeated in ("'", "a", "\\", '"\\', " ", "\r", "=", "'a' ")),
        *(f"@/*\n{repeated}" for repeated in ("@", "@ ", "@ *", "@@", "\n", "@/*")),
        *(f"@user\n{repeated}" for repeated in ("; ", "a", "@ ", "@#", " ")),
    ),
    "custom-blocks": (
        *("<", "</", "<think", "<think ", "<think/", "<think>", "<thinking", "<b", "<think a", "<tool/>"),
        *(f"<think\n{repeated}" for repeated in (" ", "/", "a ", "=", "a=", "a = ", '"', "a='", "a/", "a\t")),
        *(f"<think>\n{repeated}" for repeated in ("<", "</", "</think", "</thinking", "a")),
    ),
}


def point(source: bytes, at: int) -> Point:
    return Point(source.count(b"\n", 0, at), at - (source.rfind(b"\n", 0, at) + 1))


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


@pytest.mark.parametrize(
    ("grammar", "text"),
    [(grammar, text) for grammar, texts in ENDLESS.items() for text in texts],
    ids=lambda each: repr(each)[:40],
)
def test_no_text_is_read_more_than_a_few_times(grammar: str, text: str) -> None:
    """Repeat the text after a newline, or all of it without one."""
    head, _, repeated = text.rpartition("\n") if not text.endswith("\n") else ("", "", text)
    whole = head + "\n" * bool(head) + repeated * (LONG // len(repeated))
    assert looks(parser(grammar), whole) < 8 * len(whole) + 100
    # the head is repeated too
    assert looks(parser(grammar), text * (LONG // len(text))) < 8 * LONG + 100


def looks(reader: Parser, text: str) -> int:
    """How often tree-sitter reads a character of a text."""
    count = 0

    def log(kind: LogType, message: str) -> None:
        nonlocal count
        count += kind == LogType.LEX and message.startswith(("consume", "skip"))

    reader.logger = log
    reader.parse(text.encode())
    return count
