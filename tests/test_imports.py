"""Who may import whom: `core <- gadget, stf, tags <- settings, compose <- formats <- rules <- features <- lsp, cli`."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "server" / "llmblocks"
LEVELS = {
    "core": 0,
    "gadget": 1,
    "stf": 1,
    "tags": 1,
    "compose": 2,
    "settings": 2,
    "settings_given": 3,
    "settings_model": 4,
    "settings_file": 5,
    "catalog": 5,
    "formats": 6,
    "rules": 7,
    "features": 8,
    "lsp": 9,
    "cli": 9,
    "__main__": 10,
    "__init__": 10,
}
LOADED_LATE = ("pydantic", "json5", "jsonschema", "rich")
"""What must not be loaded on the way to a keystroke."""


def test_every_module_has_its_level() -> None:
    found = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert found <= set(LEVELS)


def test_nothing_imports_what_is_above_it() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {target}"
        for path, line, target in _imports()
        if _forbidden(_part(path), target)
    ]
    assert wrong == []


@pytest.mark.parametrize("module", ["llmblocks", "llmblocks.gadget", "llmblocks.stf", "llmblocks.tags"])
def test_importing_a_format_loads_nothing_heavy(module: str) -> None:
    code = f"import {module}, sys; print([name for name in {LOADED_LATE!r} if name in sys.modules])"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"


def test_only_the_edge_knows_the_protocol() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)} imports {name}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for name in _names(node)
        if name.split(".")[0] in ("pygls", "lsprotocol") and _part(path) != "lsp"
    ]
    assert wrong == []


def _forbidden(importer: str, target: str) -> bool:
    if importer == target or target not in LEVELS:
        return False
    if {importer, target} == {"cli", "lsp"}:
        return importer == "lsp"
    return LEVELS[target] >= LEVELS[importer]


def _part(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imports() -> Iterator[tuple[Path, int, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for name in _names(node):
                parts = name.split(".")
                if parts[0] == "llmblocks" and len(parts) > 1:
                    if _part(path) == "cli" and parts[1] == "lsp":
                        assert path.name == "server.py", "cli and lsp meet only in cli/server.py"
                    yield path, getattr(node, "lineno", 0), parts[1]


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module]
    return []
