"""Running our grammars: node programs of this folder, and texts to scopes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


class Scoped(NamedTuple):
    """A stretch of a line and its scopes, outermost first. Columns are UTF-16."""

    line: int
    start_utf16: int
    end_utf16: int
    scopes: list[str]


PATIENCE_S = 300


def node(program: str | Path, *arguments: str, stdin: str = "") -> str:
    """Run a node program of this folder and return what it printed; what it complains of fails the test."""
    command = ["node", str(program), *arguments]
    done = subprocess.run(command, cwd=HERE, input=stdin, capture_output=True, text=True, timeout=PATIENCE_S)
    complaint = "\n".join(line for line in done.stderr.splitlines() if not line.startswith("grammar not found"))
    assert done.returncode == 0, done.stdout + complaint
    return done.stdout


def tokenize(scope: str, texts: Sequence[str]) -> list[list[Scoped]]:
    """Tokenize texts with the grammar of a scope as VS Code would."""
    request = {"documents": [{"scope": scope, "text": text} for text in texts]}
    answers = json.loads(node("tokenize.mjs", stdin=json.dumps(request)))
    return [[Scoped(*token) for token in tokens] for tokens in answers]
