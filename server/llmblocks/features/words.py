"""One table for all formats: which token kind is explained by which function."""

from __future__ import annotations

from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.core.words import Describe
from llmblocks.gadget.editor.hover import WORDS as GADGET_WORDS
from llmblocks.stf.editor.hover import WORDS as STF_WORDS
from llmblocks.tags.editor.hover import WORDS as TAGS_WORDS

_WORDS: dict[Kind, Describe] = {**GADGET_WORDS, **STF_WORDS, **TAGS_WORDS}


def describe(section: Section, span: Span) -> str | None:
    """Markdown about one token; None where there is nothing to say."""
    words = _WORDS.get(span.kind)
    return words(section, span) if words else None
