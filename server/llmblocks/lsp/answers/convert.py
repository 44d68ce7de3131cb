"""From our values to JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.features.completion import Completion
    from llmblocks.features.folding import Fold
    from llmblocks.features.hover import Hover
    from llmblocks.lsp.documents.text import Text

_KEYWORD = 14


def span(text: Text, start: int, end: int) -> Json:
    """A range. Shape: `start` and `end` in code points of the document."""
    start_line, start_character = text.position(start)
    end_line, end_character = text.position(end)
    return {
        "start": {"line": start_line, "character": start_character},
        "end": {"line": end_line, "character": end_character},
    }


def hover(found: Hover, text: Text) -> Json:
    """A hover with its range."""
    contents = {"kind": "markdown", "value": found.text}
    return {"contents": contents, "range": span(text, found.start, found.end)}


def completions(found: list[Completion], text: Text) -> Json:
    """Completions in the order they came in, which editors keep by `sortText`."""
    return [
        {
            "label": each.text,
            "kind": _KEYWORD,
            "documentation": {"kind": "markdown", "value": each.detail},
            "filterText": each.text,
            "sortText": f"{number:04}",
            "textEdit": {"range": span(text, each.start, each.end), "newText": each.text},
        }
        for number, each in enumerate(found)
    ]


def folds(found: list[Fold], _: Text) -> Json:
    """Folding ranges, whole lines."""
    return [
        {"startLine": start, "endLine": end, **({"kind": "comment"} if comment else {})}
        for start, end, comment in found
    ]
