"""Build the package for npm: `dist/npm`. Usage: python editors/npm/build.py [--if-changed].

It is made as the server for WebAssembly is (editors/web/server), with the command line and its packages besides, and
with two scripts: the command, and the library.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent
ROOT = HOME.parents[1]
sys.path.insert(0, str(ROOT / "editors" / "web" / "server"))

import build as server  # noqa: E402

OUT = ROOT / "dist" / "npm"
PACKAGES = (*server.PACKAGES, "markdown-it-py", "mdurl", "pygments", "rich")
# what needs other processes, its own terminal or pydantic
NOT_RUN = re.compile(
    r"llmblocks/(cli/(demo|mcp|completion)|examples)|llmblocks/lsp/(?!__init__|port|wire/|documents/|client/|answers/|session/)"
    r"|pygments/(lexers|styles|formatters)/(?!__init__|_mapping|special|data|configs|shell|default|monokai)"
    r"|llmblocks/(settings/model|tags/pipeline/content)\.py"
    r"|.*/tests/|json5/tool|jsonschema/(benchmarks/|cli\.|__main__)|(?!llmblocks/).*/__main__|[^/]+\.data/"
    r"|(?!llmblocks/).*\.pyi$|.*/py\.typed$|[^/]+\.dist-info/(?!METADATA|licenses/)"
)
# the command line reads arguments, writes XML, and asks whether there can be other processes
USED = (
    r"(?!(argparse|gettext|colorsys|configparser|getpass|concurrent/futures/process)\.py"
    r"|xml/(__init__|sax/.*)\.py|multiprocessing/)"
)
FILES = (HOME / "package.json", HOME / "README.md", HOME / "index.d.ts", ROOT / "LICENSE")
CONTENTS = server.Contents(PACKAGES, NOT_RUN, f"{USED}({server.UNUSED})", "npm", FILES)
INPUTS = (*server.INPUTS, "editors/npm", "LICENSE")


def main() -> None:
    """Build, and tell its size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--if-changed", action="store_true", help="keep what was built of the same files")
    asked = parser.parse_args()
    server.build_if_changed(OUT, CONTENTS, INPUTS, forced=not asked.if_changed)
    size = sum(path.stat().st_size for path in OUT.iterdir())
    sys.stdout.write(f"{OUT.relative_to(ROOT)}: {size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
