"""The client's settings: those for all documents, for a folder, and for one document."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.facts.finding import Finding
from llmblocks.lsp.wire.uris import identity, path_of
from llmblocks.settings.given import Given, as_given

if TYPE_CHECKING:
    from llmblocks.settings.check import InvalidSetting

logger = logging.getLogger(__name__)

EDITOR = "the editor's settings"


class Scoped(NamedTuple):
    """The client's settings for all documents, a folder or a document, and their problems."""

    given: dict[str, Given]
    findings: tuple[Finding, ...]


_NOTHING = Scoped({}, ())


class ClientSettings:
    """The client's settings for each document: its own, or else those of the nearest folder, or of all documents."""

    def __init__(self) -> None:
        self._all = _NOTHING
        self._folders: dict[Path, Scoped] = {}
        self._documents: dict[str, Scoped] = {}

    def take(self, value: Given, scopes: Mapping[str, Given], roots: Sequence[Path]) -> None:
        """Replace all of them.

        `scopes` are those of folders, which are among `roots`, and of documents, by URI; null means those of all
        documents.
        """
        self._all = scoped = _scoped(value)
        for finding in scoped.findings:
            logger.warning("%s %s", finding.code, finding.message)
        self._folders.clear()
        self._documents.clear()
        folders = {root.as_uri(): root for root in roots}
        for uri, given in scopes.items():
            scoped = self._all if given is None else _scoped(given)
            if scoped == self._all:
                continue
            if uri in folders:
                self._folders[folders[uri]] = scoped
            else:
                self._documents[identity(uri)] = scoped

    def take_document(self, uri: str, value: Given) -> bool:
        """Replace those for a document; return whether they have changed."""
        if value is None or (scoped := _scoped(value)) == self.of(uri):
            return False
        self._documents[identity(uri)] = scoped
        return True

    def forget_document(self, uri: str) -> None:
        """Forget those for a closed document."""
        self._documents.pop(identity(uri), None)

    def of(self, uri: str) -> Scoped:
        """Return those for a document."""
        scoped = self._documents.get(identity(uri)) if self._documents else None
        if scoped is not None or not self._folders or (name := path_of(uri)) is None:
            return scoped or self._all
        return next((self._folders[folder] for folder in Path(name).parents if folder in self._folders), self._all)


def _scoped(value: Given) -> Scoped:
    given = as_given(value)
    if given == {}:
        return _NOTHING
    from llmblocks.languages.registry import language_ids
    from llmblocks.settings.check import check_settings

    checked = check_settings(value if given is None else given, language_ids())
    return Scoped(checked.given, findings_in(f"in {EDITOR}", checked.problems))


def findings_in(where: str, problems: Iterable[InvalidSetting]) -> tuple[Finding, ...]:
    """Return the findings about invalid settings without a place in a file."""
    found = (each.finding(0, 0) for each in problems)
    return tuple(
        each.__replace__(message=each.message._replace(note=f"{where}: {each.message.note}")) for each in found
    )
