"""Open files that another program is still writing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from llmblocks.lsp.wire.uris import path_of

if TYPE_CHECKING:
    from llmblocks.lsp.documents.open import OpenDocument
    from llmblocks.lsp.documents.text import AnalysedText

_COMPARED = 1 << 10
"""The number of bytes at the end of a file that are compared."""


def take_in(opened: OpenDocument, text: AnalysedText) -> None:
    """Detect whether a change comes from the file: an editor reads an unedited file again.

    Typed text is not in the file yet.
    """
    opened.is_arriving = _is_in_file(opened.uri, text)
    text.told.arrive(arriving=opened.is_arriving)


def _is_in_file(uri: str, text: AnalysedText) -> bool:
    """Return whether a document ends like its file, and no later log shows that it is complete."""
    path = path_of(uri)
    if path is None:
        return False
    try:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _COMPARED))
            data = file.read(_COMPARED)
    except OSError:
        return False
    if size < _COMPARED and len(text.document) > size:
        return False
    # the first character may be cut
    end = data.decode("utf-8", "replace").lstrip("\ufffd")
    if not end or not text.ends_with(end):
        return False
    if not text.language.is_log(path.replace(os.sep, "/")):
        return True
    from llmblocks.workspace.results import next_request

    return next_request(path) is None
