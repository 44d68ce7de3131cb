"""The server with a fourth language: one folder, `todo`, and one row."""

from __future__ import annotations

import sys
from pathlib import Path

import llmblocks
from llmblocks.__main__ import main
from llmblocks.languages import registry
from llmblocks.languages.language import Language

TODO = Language(
    id="todo",
    title="things to do",
    layers=("todo", "tags"),
    suffixes=(".todo",),
    comment="//",
    sample="# Today\n- [ ] <think>rest</think>\n",
    triggers="-",
)

if __name__ == "__main__":
    llmblocks.__path__.append(str(Path(__file__).parent))
    registry.LANGUAGES = (*registry.LANGUAGES, TODO)
    sys.exit(main())
