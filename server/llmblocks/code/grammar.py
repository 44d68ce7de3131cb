"""The grammars of Python, TypeScript and JavaScript, loaded for such files only."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Language

SCRIPTS: Final = {
    "typescript": (".ts", ".mts", ".cts"),
    "typescriptreact": (".tsx",),
    "javascript": (".js", ".mjs", ".cjs"),
    "javascriptreact": (".jsx",),
}
"""The file name suffixes of TypeScript and JavaScript, by language id."""


def script_of(name: str) -> str | None:
    """Return the language id of a file in TypeScript or JavaScript, by its name; None for other files."""
    return next((each for each, endings in SCRIPTS.items() if name.lower().endswith(endings)), None)


@cache
def grammar(language_id: str) -> Language | None:
    """Return the grammar of a language, or None if it is not installed."""
    try:
        from tree_sitter import Language

        if language_id == "python":
            import tree_sitter_python

            return Language(tree_sitter_python.language())
        if language_id.startswith("typescript"):
            import tree_sitter_typescript as script

            return Language(script.language_tsx() if language_id.endswith("react") else script.language_typescript())
        import tree_sitter_javascript

        return Language(tree_sitter_javascript.language())
    except ImportError:
        return None
