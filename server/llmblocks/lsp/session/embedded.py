"""The files that open documents embed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from llmblocks.lsp.documents.open import Documents, OpenDocument
from llmblocks.lsp.wire.uris import path_of
from llmblocks.workspace.files_beside import FilesBeside


class EmbeddedFiles:
    """Looks again for the files that open documents embed when one is created or deleted, and when a document is saved.

    Shape: `mark` is called for a document with other findings than before, and `refresh` after it.
    """

    def __init__(self, documents: Documents, mark: Callable[[OpenDocument], None], refresh: Callable[[], None]) -> None:
        self._documents = documents
        self._mark = mark
        self._refresh = refresh

    def files_changed(self, uris: Iterable[str]) -> None:
        """Register that files on disk were created, changed or deleted."""
        paths = {*map(path_of, uris)}
        has_changed = False
        for opened in self._documents:
            text = opened.text
            if text is None or not isinstance(text.other_files, FilesBeside) or not text.other_files.looked:
                continue
            # saving a document is a way to ask again, where the client watches none of its files
            if paths.isdisjoint((path_of(opened.uri), *text.other_files.looked)):
                continue
            text.settle()
            if text.other_files_changed(None):
                self._mark(opened)
                has_changed = True
        if has_changed:
            self._refresh()

    def take_roots(self, roots: tuple[str, ...]) -> None:
        """Paths count from the folders of documents, not from those of the workspace."""

    def reconfigured(self) -> None:
        """No setting says where files are."""
