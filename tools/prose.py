"""Habits of foreign English that readers stumbled over, refused by `make check`.

Each pattern has its plain alternative. A hit is rewritten, without exceptions by line. Left out are places with
other people's words: their programs, lock files, and generated parsers.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

HABITS: Final = {
    r'"""(?:What|Whatever|How many|How much|Those)\b': "begin with a noun, or with an imperative",
    r'(?:"""|# |// )Shape: |^ *Shape: +[`a-z]': "a sentence, Args, Attributes, or a text beside the field",
    r'(?:"""|^ *)Errors: +(?:none|`)': "use Raises",
    r"\b(?:is|are|was|were) (?:not )?told\b": "reported, shown, received",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r"\b(?:in vain|anew|thereof)\b": "for nothing, again",
    r"\b(?:a|an) \w+ of (?:its|their|his) own\b": "its own, a separate, a unique",
    r"\bbehind (?:it|them|a|an|the caret|the cursor)\b": "after",
    r"\bso many of\b|\bso much of\b": "a number, or its name",
    r"\b(?:comes? and goes?|has come or gone|have come or gone)\b": "is added or removed",
    r"\b(?:stays?|leaves? \w+|left|kept) as (?:it|they) (?:is|are|was|were)\b": "unchanged",
    r"(?<!here )\b(?:is|are) none\b(?! of)": "is not one, is missing",
}
"""Patterns, each with its alternative."""
_READ: Final = re.compile(r"\.(?:py|pyi|md|ts|js|mjs|lua|el|vim|toml|yml)$")
_OTHERS: Final = re.compile(r"^tests/peers/|/node_modules/|^editors/tree-sitter/\w+/src/|^tools/prose\.py$")
_PATTERN: Final = re.compile("|".join(f"({pattern})" for pattern in HABITS), re.MULTILINE)


def found(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the words and the alternative of each habit in a text."""
    for match in _PATTERN.finditer(text):
        yield (
            text.count("\n", 0, match.start()) + 1,
            match[0].strip(),
            list(HABITS.values())[(match.lastindex or 1) - 1],
        )


def main() -> int:
    """Report all habits in the files of the repository, and return the exit status."""
    names = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines()
    count = 0
    for name in names:
        path = Path(name)
        if _READ.search(name) and not _OTHERS.search(name) and path.is_file():
            for line, words, instead in found(path.read_text("utf-8", "replace")):
                sys.stdout.write(f"{name}:{line}: {words!r}: {instead}\n")
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
