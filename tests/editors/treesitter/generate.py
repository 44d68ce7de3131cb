"""Write the parsers and the bindings of the tree-sitter grammars: `make tree-sitter`.

The command line of tree-sitter makes them from `grammar.js` and `tree-sitter.json` of each grammar.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from editors.debian import UnavailableError
from editors.treesitter.grammars import HOME, NAMES
from editors.treesitter.tree_sitter_install import install

WRITTEN = ("grammar.js", "tree-sitter.json", "src/scanner.c")
"""The files of a grammar that people write, as far as they decide about the others."""


def generated(program: Path, grammar: Path) -> Iterator[tuple[Path, bytes]]:
    """The files that the generator makes for a grammar: paths in its folder, and contents."""
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


def main() -> int:
    """Write what is not up to date."""
    try:
        program = install()
    except UnavailableError as why:
        sys.stderr.write(f"{why}\n")
        return 1
    for name in NAMES:
        for path, content in generated(program, HOME / name):
            file = HOME / name / path
            if not file.exists() or file.read_bytes() != content:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
