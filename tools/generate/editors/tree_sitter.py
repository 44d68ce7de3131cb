"""The queries of the tree-sitter grammars, where Neovim and Helix look for them, in the words of each."""

from __future__ import annotations

import re

from tools.generate.editors.shared import PARSED
from tools.generate.generated import BEGIN, ROOT

GRAMMARS = ROOT / "editors" / "tree-sitter"
NEOVIM = ("folds", "highlights", "indents", "injections")
HELIX = ("highlights", "injections", "tags")
CAPTURES = {
    "boolean": "constant.builtin.boolean",
    "number": "constant.numeric",
    "property": "variable.other.member",
    "string.escape": "constant.character.escape",
}
"""Helix's different names."""


def texts() -> dict[str, str]:
    """Return the generated files."""
    found: dict[str, str] = {}
    for language in PARSED:
        for query in NEOVIM:
            # a parser has the name of its C function
            found[f"neovim/queries/{language.replace('-', '_')}/{query}.scm"] = of_neovim(language, query)
        for query in HELIX:
            found[f"helix/runtime/queries/{language}/{query}.scm"] = of_helix(language, query)
    return found


def of_neovim(language: str, query: str) -> str:
    """Return a query unchanged."""
    return f"; {BEGIN}\n{_read(language, query)}"


def of_helix(language: str, query: str) -> str:
    """Return a query with the names of Helix: those of captures, and those of languages, which are ours."""
    text = re.sub(r"@([a-z.]+)", lambda found: f"@{CAPTURES.get(found[1], found[1])}", _read(language, query))
    for name in PARSED:
        text = text.replace(f'injection.language "{name.replace("-", "_")}"', f'injection.language "{name}"')
    return f"; {BEGIN}\n{text}"


def _read(language: str, query: str) -> str:
    return (GRAMMARS / language / "queries" / f"{query}.scm").read_text(encoding="utf-8")
