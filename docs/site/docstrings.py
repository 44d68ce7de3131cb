"""The form of our docstrings, for mkdocstrings: each of `Shape:`, `Errors:` and `Source:` is a paragraph."""

from __future__ import annotations

import re
from typing import Any

import griffe

PARAGRAPH = re.compile(r"\n\s*(Shape|Errors|Source):\s*")


class Paragraphs(griffe.Extension):
    """Sets them apart; griffe calls this for each name of the package."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of one name."""
        if obj.docstring:
            text = re.sub(r"\n +", "\n", PARAGRAPH.sub(r"\n\n**\1:** ", obj.docstring.value))
            obj.docstring.value = text
