"""The parsers and bindings of the tree-sitter grammars, which their command line makes from `grammar.js`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from editors.debian import UnavailableError
from editors.programs import TREE_SITTER, find
from editors.treesitter.grammars import HOME, NAMES

WRITTEN = ("grammar.js", "tree-sitter.json", "src/scanner.c")
"""The files of a grammar that people write, as far as they decide about the others."""


def generated(program: Path, grammar: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the files that the generator makes for a grammar: paths in its folder, and contents."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for each in WRITTEN:
            (folder / each).parent.mkdir(exist_ok=True)
            shutil.copy(grammar / each, folder / each)
        for command in ("init", "generate"):
            done = subprocess.run(
                [program, command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
            )
            assert done.returncode == 0, done.stderr
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder)
            # its files for git and editors are about a repository of one grammar
            if path.is_file() and inside.as_posix() not in WRITTEN and not inside.parts[0].startswith("."):
                yield inside, path.read_bytes()


def texts() -> dict[str, str]:
    """Return the files of all grammars; none where the version that made them is unavailable, which it says."""
    try:
        program = find(TREE_SITTER)
        package = json.loads((HOME / NAMES[0] / "package.json").read_text("utf-8"))
        here, made_by = (
            program.prints("--version").split()[1],
            package["devDependencies"]["tree-sitter-cli"].lstrip("^"),
        )
        if here != made_by:
            raise UnavailableError(f"this one is {here}, and {made_by} made them, as package.json says")
    except UnavailableError as why:
        sys.stderr.write(f"no tree-sitter, so its parsers stay unchanged: {why}\n")
        return {}
    return {
        f"editors/tree-sitter/{name}/{path.as_posix()}": content.decode()
        for name in NAMES
        for path, content in generated(program.path, HOME / name)
    }
