"""Completion of registered tags after an opening bracket."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from llmblocks.core.layer import Caret, Suggestion
from llmblocks.tags.editor.view import tags

_TAG = re.compile(r"<(/?)([A-Za-z0-9_-]*)$")


def suggest(caret: Caret, names: Iterable[str]) -> Iterator[Suggestion]:
    """The tags that match the typed text."""
    section, offset, line = caret
    found = _TAG.search(line)
    if found is None:
        return
    bracket = offset - len(line) + found.start()
    around = [tag for tag in tags(section) if tag.ended and not tag.self_closing and tag.end <= bracket]
    open_tag = around[-1] if around and offset <= around[-1].block_end else None
    typed = len(found[2])
    if found[1]:
        if open_tag:
            yield Suggestion(f"{open_tag.tag}>", typed, f"Closes the block `{open_tag.tag}`")
    elif open_tag:
        # a tag inside a block is content: only its closing tag can come
        yield Suggestion(f"/{open_tag.tag}>", typed, f"Closes the block `{open_tag.tag}`")
    else:
        for name in names:
            yield Suggestion(name, typed, f"Begins a custom block `{name}`")
