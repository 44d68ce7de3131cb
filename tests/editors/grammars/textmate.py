"""Running our grammars: node programs of this folder, and texts to scopes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from editors.programs import available, output
from editors.vscode.install import node_modules

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
MODULES = HERE / "node_modules"


class Scoped(NamedTuple):
    """A stretch of a line and its scopes, outermost first. Columns are UTF-16."""

    line: int
    start_utf16: int
    end_utf16: int
    scopes: list[str]


def node(program: str | Path, *arguments: str, stdin: str = "") -> str:
    """Return what a node program of this folder prints."""
    available(lambda: node_modules(HERE))
    return output("node", program, *arguments, stdin=stdin, cwd=HERE)


def tokenize(scope: str, texts: Sequence[str]) -> list[list[Scoped]]:
    """Tokenize texts with the grammar of a scope as VS Code would."""
    request = {"documents": [{"scope": scope, "text": text} for text in texts]}
    answers = json.loads(node("tokenize.mjs", stdin=json.dumps(request)))
    return [[Scoped(*token) for token in tokens] for tokens in answers]
