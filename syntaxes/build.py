"""Write the TextMate grammars in this folder from `source/`: `python syntaxes/build.py`.

With `--check` nothing is written; the exit status is 1 where a file is not what its source makes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from source.code import jsonl, python, script
from source.gadget import gadget
from source.json5 import json5
from source.markdown import markdown
from source.request import request
from source.rule import Rule
from source.stf import stf
from source.tags import tags

HERE = Path(__file__).resolve().parent


def grammars() -> dict[str, Rule]:
    """Every grammar, by the name of its file."""
    return {
        "gadget": gadget(),
        "request": request(),
        "stf": stf(),
        "custom-blocks": tags(),
        "json5": json5(),
        "markdown": markdown(),
        "script": script(),
        "python": python(),
        "jsonl": jsonl(),
    }


def files() -> Iterator[tuple[Path, str]]:
    """Every file to write and its text."""
    for name, rules in grammars().items():
        yield HERE / f"{name}.tmLanguage.json", text_of(rules)


def text_of(rules: Rule) -> str:
    """JSON with one named rule a line: small, and a change shows in the lines it is about."""
    repository = ",\n".join(f"  {json.dumps(name)}: {json.dumps(rule)}" for name, rule in rules["repository"].items())
    head = ",\n".join(f" {json.dumps(key)}: {json.dumps(rules[key])}" for key in rules if key != "repository")
    return f'{{\n{head},\n "repository": {{\n{repository}\n }}\n}}\n'


def stale() -> list[Path]:
    """The files that are not what their source makes."""
    return [path for path, text in files() if not path.exists() or path.read_text() != text]


def main(arguments: list[str]) -> int:
    """Write the files, or only compare them."""
    if "--check" in arguments:
        for path in stale():
            sys.stderr.write(f"{path.name} is not up to date: run python syntaxes/build.py\n")
        return 1 if stale() else 0
    for path, text in files():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
