"""The languages there are, and the layers that each is made of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePath
from typing import Literal

from llmblocks.core.document import Document
from llmblocks.core.layered import Layered
from llmblocks.core.nest import Nesting
from llmblocks.core.scan import Scanner
from llmblocks.core.sequence import Weigh
from llmblocks.gadget.editor.nesting import NESTING as GADGET_NESTING
from llmblocks.gadget.editor.scanner import GadgetScanner
from llmblocks.settings.values import DEFAULTS, Settings
from llmblocks.stf.editor.nesting import NESTING as STF_NESTING
from llmblocks.stf.editor.scanner import StfScanner
from llmblocks.tags.editor.nesting import NESTING as TAGS_NESTING
from llmblocks.tags.editor.scanner import TagScanner

Layer = Literal["gadget", "stf", "tags"]
LANGUAGES = ("gadget", "stf", "custom-blocks")
_SUFFIXES = {".gadget": "gadget", ".stf": "stf", ".blocks": "custom-blocks"}
_LOG_SUFFIXES = {".response": "gadget", ".request": "gadget"}
_LOGS = (".llmist", "logs")
_NUMBER = re.compile("[0-9]+")


@dataclass(frozen=True, slots=True)
class Format:
    """A language with the settings of one user.

    Shape: `layers` from the outermost to the innermost; `scanner` and `nesting` are theirs together.
    """

    language_id: str
    layers: tuple[Layer, ...]
    scanner: Scanner
    nesting: Nesting
    settings: Settings

    def open(self, text: str, weigh: Weigh | None = None) -> Document:
        """A document of this language. See `Document` for `weigh`."""
        return Document(self.scanner, text, weigh) if weigh else Document(self.scanner, text)


def language_of(name: str) -> str | None:
    """The language that the path of a file tells, None where it tells none."""
    path = PurePath(name)
    suffix = path.suffix.lower()
    if suffix in _LOG_SUFFIXES:
        # llmist numbers its logs, and writes them to whatever folder it is told
        is_log = _NUMBER.fullmatch(path.stem) or _LOGS in pairwise(path.parent.parts)
        return _LOG_SUFFIXES[suffix] if is_log else None
    return _SUFFIXES.get(suffix)


def format_for(language_id: str, settings: Settings | None = None) -> Format:
    """The format of a language id.

    Errors: `ValueError` for an id that is none of `LANGUAGES`.
    """
    settings = settings or DEFAULTS
    tags = TagScanner(settings.tags)
    if language_id == "custom-blocks":
        return Format(language_id, ("tags",), tags, TAGS_NESTING, settings)
    gadget = GadgetScanner(settings.markers)
    free_text = Layered(gadget, tags)
    nesting = GADGET_NESTING.around(TAGS_NESTING)
    if language_id == "gadget":
        return Format(language_id, ("gadget", "tags"), free_text, nesting, settings)
    if language_id == "stf":
        stf = StfScanner(settings.dialect)
        return Format(
            language_id, ("stf", "gadget", "tags"), Layered(stf, free_text), STF_NESTING.around(nesting), settings
        )
    raise ValueError(f"no language {language_id!r}: use one of {', '.join(LANGUAGES)}")


def parse(text: str, language_id: str, settings: Settings | None = None) -> Document:
    """Parse a text once.

    Errors: `ValueError` for an unknown language id; none for any text.
    """
    return format_for(language_id, settings).open(text)


def open_document(text: str, language_id: str, settings: Settings | None = None) -> Document:
    """A document to edit: the same as `parse`, named for what it is used for."""
    return parse(text, language_id, settings)
