"""Generate what follows from the tables of the server: `make generate`; with `--check`, only compare.

A generator is a function without parameters. The text of each of its files, by their paths from the top; None for a
file that is to go.
"""

from __future__ import annotations

import sys

from tools.generate import conformance, manifest, tree_sitter
from tools.generate.docs import api, pages
from tools.generate.editors import files
from tools.generate.generated import ROOT, read
from tools.generate.syntaxes import grammars

GENERATORS = (pages.texts, api.texts, conformance.texts, files.texts, manifest.texts, grammars.texts, tree_sitter.texts)


def main(arguments: list[str]) -> int:
    """Write what is not up to date, or name it."""
    if lacks := files.missing():
        sys.stderr.write("".join(lacks) + "then run make generate\n")
        return 1
    stale = {name: text for generator in GENERATORS for name, text in generator().items() if (text or "") != read(name)}
    if "--check" in arguments:
        if stale:
            sys.stderr.write(f"{', '.join(stale)}: not up to date; run make generate\n")
        return int(bool(stale))
    for name, text in stale.items():
        path = ROOT / name
        if text is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
