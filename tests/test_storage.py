"""Who may know how a text is stored: rules, facts and features of formats see lines, constructs, names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "server" / "llmblocks"
FORMATS = ("gadget", "request", "stf", "tags")
STORAGE = {
    "Address", "Block", "Joined", "Leaf", "Measure", "Node", "Piece", "Sections", "Tree", "Window",
    "address", "ahead", "children", "is_long", "piece", "piece_at", "pieces", "pieces_before",
    "pieces_from", "up_to", "where",
}  # fmt: skip
"""The names of what a text is stored in, and of what is asked of that."""
ENGINE = (
    "facts/construct.py",
    "facts/lines.py",
    "facts/name_checks.py",
    "facts/nearby.py",
    "facts/open_construct.py",
    "facts/problem.py",
)
"""What finds constructs and names in what is stored, for those who write rules."""
FILES = sorted(
    path.relative_to(PACKAGE).as_posix()
    for folder in (*[f"{name}/editor" for name in FORMATS], "facts", "rules/fixes", "refactors")
    for path in (PACKAGE / folder).rglob("*.py")
)


@pytest.mark.parametrize("file", FILES)
def test_a_format_does_not_know_how_its_text_is_stored(file: str) -> None:
    tree = ast.parse((PACKAGE / file).read_text("utf-8"))
    modules = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported = {
        alias.name for node in modules if (node.module or "").startswith("llmblocks.core.") for alias in node.names
    }
    asked = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert bool((imported | asked) & STORAGE) == (file in ENGINE)
